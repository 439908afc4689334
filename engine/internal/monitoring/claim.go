package monitoring

import (
	"context"
	"errors"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/monitor"
)

// RunNow starts a check at once; [ErrBusy] where one is running. The schedule goes on as before.
func (m *Monitors) RunNow(ctx context.Context, id string) (*monitor.Check, error) {
	r, err := m.claimManual(id)
	if err != nil {
		return nil, err
	}
	return m.start(ctx, r)
}

// start gives the claimed run its job and its check. It can be called again for the same run.
func (m *Monitors) start(ctx context.Context, r *Monitor) (*monitor.Check, error) {
	claim := *r.Claim
	claim.Check = ""
	id, ended, err := m.o.Jobs.Start(ctx, New{
		Owner: r.Owner, Name: r.Name, Webhook: r.Webhook, Key: r.Claim.Key, Params: Params{Monitor: r.ID, Claim: claim},
	})
	if err != nil {
		return nil, err
	}
	c, err := m.adopt(id, Params{Monitor: r.ID, Claim: claim})
	if err != nil || !ended || c.Status.Final() {
		return c, err
	}
	return c, m.finish(r.ID, id, errLost)
}

var errLost = errors.New("the job of the check was cancelled, or has failed")

// adopt creates the check of a job, or finds it. The error is errGone where the monitor was deleted, or the run is another one's.
func (m *Monitors) adopt(job string, p Params) (c *monitor.Check, err error) {
	var r *Monitor
	err = m.o.DB.Update(func(tx jobs.Tx) error {
		if r, err = monitorOf(tx, p.Monitor); errors.Is(err, ErrNotFound) {
			return errGone
		}
		if err != nil {
			return err
		}
		if c, err = checkOf(tx, r.ID, job); !errors.Is(err, ErrNotFound) {
			return err
		}
		if r.Claim == nil || r.Claim.Key != p.Claim.Key {
			return errGone
		}
		c = &monitor.Check{
			ID: job, MonitorID: r.ID, Status: monitor.Running, Trigger: p.Claim.Trigger, ScheduledFor: p.Claim.Slot, Missed: p.Claim.Missed,
			StartedAt: m.now(), Baseline: true,
		}
		for _, t := range r.Targets {
			seen := slices.Contains(r.Seen, t.ID) || hasAny(tx, bucketSnapshots, r.ID, t.ID)
			c.Targets = append(c.Targets, monitor.TargetResult{TargetID: t.ID, Type: t.Type, Baseline: !seen})
			c.Baseline = c.Baseline && !seen
		}
		r.Claim.Check = job
		return errors.Join(put(tx, bucketChecks, key(r.ID, job), c), putMonitor(tx, r))
	})
	if err == nil {
		m.indexQuietly(r)
	}
	return c, err
}
