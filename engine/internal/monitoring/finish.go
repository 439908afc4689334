package monitoring

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/monitor"
)

// finish ends a check; failed is why it has none but what it has so far. It does nothing where the check has ended.
func (m *Monitors) finish(id, check string, failed error) error {
	var r *Monitor
	err := m.o.DB.Update(func(tx jobs.Tx) (err error) {
		if r, err = monitorOf(tx, id); errors.Is(err, ErrNotFound) {
			return errGone
		}
		if err != nil {
			return err
		}
		c, err := checkOf(tx, id, check)
		if err != nil || c.Status.Final() {
			return err
		}
		end(c, failed)
		now := m.now()
		c.FinishedAt = &now
		r.Last, r.Summary = now, &c.Summary
		if r.Claim != nil && r.Claim.Check == check {
			r.Claim = nil
		}
		return errors.Join(put(tx, bucketChecks, key(id, check), c), putMonitor(tx, r), m.report(tx, c))
	})
	if err != nil {
		return err
	}
	m.index(r)
	m.o.Jobs.Wake(check)
	return m.prune(r, check)
}

// end says how a check has ended.
func end(c *monitor.Check, failed error) {
	incomplete := slices.ContainsFunc(c.Targets, func(t monitor.TargetResult) bool { return !t.Done })
	switch {
	case failed != nil:
		c.Status, c.Error = monitor.Failed, clipped(failed)
	case (c.Summary.Error > 0 || incomplete) && c.Summary.Error == c.Summary.TotalPages:
		c.Status = monitor.Failed
	case c.Summary.Error > 0 || incomplete:
		c.Status = monitor.Partial
	default:
		c.Status = monitor.Completed
	}
}

// report adds the event of the check's end. A job that was cancelled takes none.
func (m *Monitors) report(tx jobs.Tx, c *monitor.Check) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = m.o.Jobs.AppendIn(tx, c.ID, jobs.Event{Type: jobs.EventChecked, Data: data})
	if errors.Is(err, jobs.ErrFinished) || errors.Is(err, jobs.ErrNotFound) {
		return nil
	}
	return err
}
