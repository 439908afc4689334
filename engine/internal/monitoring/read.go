package monitoring

import (
	"context"
	"iter"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Get returns a monitor; the error is [ErrNotFound] where there is none.
func (m *Monitors) Get(id string) (r *Monitor, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		r, err = monitorOf(tx, id)
		return err
	})
	return r, err
}

// List returns all monitors, the newest first.
func (m *Monitors) List() (list []*Monitor, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		for _, data := range tx.ScanBack(bucketMonitors, nil) {
			r := &Monitor{}
			if err := unpack(data, r); err != nil {
				m.o.Log.Error("a monitor can't be read", "error", err)
				continue
			}
			list = append(list, r)
		}
		return nil
	})
	return list, err
}

// Checks returns the checks of a monitor after the first skip, the newest first.
func (m *Monitors) Checks(id string, skip, limit int) (list []*monitor.Check, err error) {
	if limit, err = window(skip, limit); err != nil {
		return nil, err
	}
	err = m.o.DB.View(func(tx jobs.Tx) error {
		if _, err := monitorOf(tx, id); err != nil {
			return err
		}
		n := 0
		for _, data := range underBack(tx, bucketChecks, id, nil) {
			if n++; n <= skip {
				continue
			}
			c := &monitor.Check{}
			if err := unpack(data, c); err != nil {
				return err
			}
			if list = append(list, c); len(list) == limit {
				break
			}
		}
		return nil
	})
	return list, err
}

// Check returns a check of a monitor.
func (m *Monitors) Check(id, check string) (c *monitor.Check, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		if _, err := monitorOf(tx, id); err != nil {
			return err
		}
		c, err = checkOf(tx, id, check)
		return err
	})
	return c, err
}

// pages returns the pages of a check after the first skip, in the order in which they were compared; those of a status alone where one is
// given, which skip counts. more reports that there are further ones.
func (m *Monitors) pages(check string, status monitor.PageStatus, skip, limit int) (list []monitor.Page, more bool, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		var from []byte
		if status == "" {
			from = numbered(check, uint64(skip)+1)
			skip = 0
		}
		for _, data := range under(tx, bucketPages, check, from) {
			var p monitor.Page
			if err := unpack(data, &p); err != nil {
				return err
			}
			if status != "" && p.Status != status {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			if more = len(list) == limit; more {
				return nil
			}
			list = append(list, p)
		}
		return nil
	})
	return list, more, err
}

// Detail returns a check with its pages.
func (m *Monitors) Detail(id, check string, q monitor.Query) (*monitor.Detail, error) {
	limit, err := window(q.Skip, q.Limit)
	if err != nil {
		return nil, err
	}
	c, err := m.Check(id, check)
	if err != nil {
		return nil, err
	}
	d := &monitor.Detail{Check: *c}
	if d.Digest, err = m.Digest(id, c); err != nil {
		return nil, err
	}
	d.Pages, d.More, err = m.pages(check, q.Status, q.Skip, limit)
	return d, err
}

const (
	usualLimit = 100
	maxLimit   = 1000
)

// window checks which part of a list is read.
func window(skip, limit int) (int, error) {
	switch {
	case skip < 0:
		return 0, &option.Error{Field: "skip", Value: skip, Want: "0 or more"}
	case limit < 0 || limit > maxLimit:
		return 0, &option.Error{Field: "limit", Value: limit, Want: "1 to 1000, or 0 for 100"}
	case limit == 0:
		return usualLimit, nil
	}
	return limit, nil
}

// Changes ranges over the changes of a monitor after one, in order. An error is given as failed makes it.
func (m *Monitors) Changes(ctx context.Context, id string, after uint64, failed func(error) error) iter.Seq2[monitor.Change, error] {
	return func(yield func(monitor.Change, error) bool) {
		for {
			list, err := m.changes(id, after)
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(monitor.Change{}, failed(err))
				return
			}
			for _, c := range list {
				if !yield(c, nil) {
					return
				}
				after = c.Seq
			}
			if len(list) < changesAtOnce {
				return
			}
		}
	}
}

// changesAtOnce are read in one go.
const changesAtOnce = 50

func (m *Monitors) changes(id string, after uint64) (list []monitor.Change, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		if _, err := monitorOf(tx, id); err != nil {
			return err
		}
		for _, data := range under(tx, bucketChanges, id, numbered(id, after+1)) {
			var c monitor.Change
			if err := unpack(data, &c); err != nil {
				return err
			}
			if list = append(list, c); len(list) == changesAtOnce {
				break
			}
		}
		return nil
	})
	return list, err
}
