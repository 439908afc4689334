package monitoring

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Bounds of what is kept of a monitor, beside its days.
const (
	maxChecks  = 10_000
	maxChanges = 10_000
	keptRuns   = 1000 // times of the schedule that are known to be run
	atOnce     = 1000 // rows that are deleted in a transaction
)

// prune drops what is too old of a monitor, and what only the check that has ended needed.
func (m *Monitors) prune(r *Monitor, ended string) error {
	return cmp.Or(m.dropRows(bucketSeen, ended), m.dropRows(bucketNotes, ended), m.pruneOld(r))
}

// pruneEvery is how often what is too old is dropped of monitors that have no check so often.
const pruneEvery = 24 * time.Hour

// pruneResting drops what is too old of monitors that are paused, or whose next check is far off.
func (m *Monitors) pruneResting(ctx context.Context, now time.Time) {
	m.mu.Lock()
	list := maps.Clone(m.planned)
	m.mu.Unlock()
	for id, p := range list {
		if ctx.Err() != nil || p.pending || !p.due.IsZero() && p.due.Sub(now) < pruneEvery {
			continue
		}
		r, err := m.Get(id)
		if err == nil {
			err = m.pruneOld(r)
		}
		if err != nil && !errors.Is(err, ErrNotFound) && ctx.Err() == nil {
			m.o.Log.Warn("what is too old of a monitor can't be deleted; it is tried again in a day", "monitor", id, "error", err)
		}
	}
}

func (m *Monitors) pruneOld(r *Monitor) error {
	before := m.o.Ages().Add(-time.Duration(r.Days) * 24 * time.Hour)
	old, err := m.oldChecks(r.ID, before)
	if err != nil {
		return err
	}
	for _, check := range old {
		if err := m.dropCheck(r.ID, check); err != nil {
			return err
		}
	}
	return errors.Join(
		m.dropOld(bucketChanges, r.ID, maxChanges, func(data []byte) bool {
			var c monitor.Change
			return unpack(data, &c) == nil && c.At.Before(before)
		}),
		m.dropOld(bucketRuns, r.ID, keptRuns, func([]byte) bool { return false }),
		m.dropStale(r, before),
	)
}

// oldChecks are those that ended before a time, and those beyond the bound.
func (m *Monitors) oldChecks(id string, before time.Time) (old []string, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		n := 0
		for k, data := range underBack(tx, bucketChecks, id, nil) {
			var c monitor.Check
			n++
			if n > maxChecks || unpack(data, &c) != nil || c.FinishedAt != nil && c.FinishedAt.Before(before) {
				old = append(old, string(k[len(id)+1:]))
			}
		}
		return nil
	})
	return old, err
}

func (m *Monitors) dropCheck(id, check string) error {
	for _, bucket := range []string{bucketPages, bucketSeen, bucketNotes} {
		if err := m.dropRows(bucket, check); err != nil {
			return err
		}
	}
	return m.o.DB.Update(func(tx jobs.Tx) error { return tx.Delete(bucketChecks, key(id, check)) })
}

// dropOld drops the first rows of a monitor: those beyond a number of rows, and those that are old.
func (m *Monitors) dropOld(bucket, id string, bound int, old func(data []byte) bool) error {
	return m.o.DB.Update(func(tx jobs.Tx) error {
		n := 0
		for range under(tx, bucket, id, nil) {
			n++
		}
		var gone [][]byte
		for k, data := range under(tx, bucket, id, nil) {
			if n-len(gone) <= bound && !old(data) || len(gone) == atOnce {
				break
			}
			gone = append(gone, bytes.Clone(k))
		}
		return deleteAll(tx, bucket, gone)
	})
}

// dropStale drops what is known of pages of targets that the monitor has no more, of pages that are long gone, and of results of searches
// that were long found no more; and what is known of noise in pages of a form that no page has.
func (m *Monitors) dropStale(r *Monitor, before time.Time) error {
	return m.o.DB.Update(func(tx jobs.Tx) error {
		var gone [][]byte
		forms := map[string]bool{}
		for k, data := range under(tx, bucketSnapshots, r.ID, nil) {
			target, url, _ := strings.Cut(string(k[len(r.ID)+1:]), "\x00")
			if r.keeps(target, url, data, before) || len(gone) == atOnce {
				forms[string(learntKey(r.ID, target, url))] = true
				continue
			}
			gone = append(gone, bytes.Clone(k))
		}
		return errors.Join(deleteAll(tx, bucketSnapshots, gone), dropForms(tx, r.ID, forms))
	})
}

// dropForms drops what is known of noise but for some forms of addresses.
func dropForms(tx jobs.Tx, id string, forms map[string]bool) error {
	var gone [][]byte
	for k := range under(tx, bucketLearnt, id, nil) {
		if !forms[string(k)] && len(gone) < atOnce {
			gone = append(gone, bytes.Clone(k))
		}
	}
	return deleteAll(tx, bucketLearnt, gone)
}

// keeps reports whether what is known of a page is kept.
func (r *Monitor) keeps(target, url string, data []byte, before time.Time) bool {
	i := slices.IndexFunc(r.Targets, func(t Target) bool { return t.ID == target })
	if i < 0 || r.Targets[i].Type == monitor.Scrape && !slices.Contains(r.Targets[i].URLs, url) {
		return false
	}
	var s snapshot
	if search := r.Targets[i].Type == monitor.Search; !search && len(data) >= smallRow || unpack(data, &s) != nil {
		return true
	} else if search {
		return !s.At.Before(before)
	}
	return !s.Gone || !s.At.Before(before)
}

// smallRow is more than the row of a page that is gone has, which spares reading the others.
const smallRow = 2 << 10

func deleteAll(tx jobs.Tx, bucket string, keys [][]byte) error {
	var errs []error
	for _, k := range keys {
		errs = append(errs, tx.Delete(bucket, k))
	}
	return errors.Join(errs...)
}

// dropRows deletes the rows of a bucket under a part, some at a time.
func (m *Monitors) dropRows(bucket, part string) error {
	for gone := atOnce; gone == atOnce; {
		err := m.o.DB.Update(func(tx jobs.Tx) error {
			var keys [][]byte
			for k := range under(tx, bucket, part, nil) {
				if keys = append(keys, bytes.Clone(k)); len(keys) == atOnce {
					break
				}
			}
			gone = len(keys)
			return deleteAll(tx, bucket, keys)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// drop deletes all rows of a monitor that was deleted.
func (m *Monitors) drop(ctx context.Context, id string) error {
	var checks []string
	err := m.o.DB.View(func(tx jobs.Tx) error {
		for k := range under(tx, bucketChecks, id, nil) {
			checks = append(checks, string(k[len(id)+1:]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, check := range checks {
		if err := errors.Join(ctx.Err(), m.dropCheck(id, check)); err != nil {
			return err
		}
	}
	for _, bucket := range []string{bucketChecks, bucketSnapshots, bucketLearnt, bucketChanges, bucketRuns} {
		if err := m.dropRows(bucket, id); err != nil {
			return err
		}
	}
	return m.o.DB.Update(func(tx jobs.Tx) error { return tx.Delete(bucketGone, []byte(id)) })
}

// sweep goes on with deletions that an earlier process left.
func (m *Monitors) sweep(ctx context.Context) {
	var gone []string
	err := m.o.DB.View(func(tx jobs.Tx) error {
		for k := range tx.Scan(bucketGone, nil) {
			gone = append(gone, string(k))
		}
		return nil
	})
	for _, id := range gone {
		err = errors.Join(err, m.drop(ctx, id))
	}
	if err != nil && ctx.Err() == nil {
		m.o.Log.Warn("rows of deleted monitors can't be deleted; they are when the store is opened again", "error", err)
	}
}
