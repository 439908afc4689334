package monitoring

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring/schedule"
	"github.com/winnow-go/winnow/engine/monitor"
)

// plan sets which time of the schedule is next: the first after a time that no run was claimed for.
func (m *Monitors) plan(tx jobs.Tx, r *Monitor, after time.Time) error {
	p, _, err := schedule.Parse(r.Schedule, r.Set)
	if err != nil {
		return err
	}
	r.next(tx, p, after)
	r.Planned = m.now()
	return nil
}

func (r *Monitor) next(tx jobs.Tx, p *schedule.Plan, after time.Time) {
	r.Next = p.Next(after)
	for !r.Next.IsZero() && tx.Get(bucketRuns, slotKey(r.ID, r.Next)) != nil {
		r.Next = p.Next(r.Next)
	}
	r.Due = r.Next
	if !r.Next.IsZero() {
		r.Due = r.Next.Add(p.Delay(r.ID, r.Next))
	}
}

// round starts what is due and returns how long nothing will be.
func (m *Monitors) round(ctx context.Context) time.Duration {
	now, wait := m.now(), maxWait
	m.mu.Lock()
	list := maps.Clone(m.planned)
	m.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(list)) {
		switch p := list[id]; {
		case p.pending:
			m.look(ctx, id, now)
		case !p.due.IsZero() && (!p.due.After(now) || p.made.After(now)): // due, or the clock was set back
			m.look(ctx, id, now)
		case !p.due.IsZero():
			wait = min(wait, p.due.Sub(now))
		}
	}
	return wait
}

// look claims a run that is due, and starts the one that is claimed.
func (m *Monitors) look(ctx context.Context, id string, now time.Time) {
	r, err := m.claimDue(id, now)
	if errors.Is(err, ErrNotFound) {
		m.forget(id)
		return
	}
	if err == nil && r.Claim != nil {
		_, err = m.start(ctx, r)
	}
	if err != nil && ctx.Err() == nil {
		m.o.Log.Warn("a monitor's run can't be started; it is tried again", "monitor", id, "error", err)
	}
}

// claimDue claims the run of a monitor that is due, if there is one and none is under way. What was missed is one run.
func (m *Monitors) claimDue(id string, now time.Time) (r *Monitor, err error) {
	err = m.o.DB.Update(func(tx jobs.Tx) error {
		if r, err = monitorOf(tx, id); err != nil || r.Claim != nil {
			return err
		}
		before := *r
		if r.Status == monitor.Active {
			if err := m.claim(tx, r, now); err != nil {
				return err
			}
		}
		if r.Next.Equal(before.Next) && r.Planned.Equal(before.Planned) && r.Claim == nil {
			return nil
		}
		return putMonitor(tx, r)
	})
	if err == nil {
		m.indexQuietly(r)
	}
	return r, err
}

// indexQuietly is index for the loop itself, which needs no wake.
func (m *Monitors) indexQuietly(r *Monitor) {
	p := planned{made: r.Planned, due: r.Due, writes: r.Writes}
	if r.Status != monitor.Active || r.Claim != nil {
		p.due = time.Time{} // the end of the check plans again
	}
	p.pending = r.Claim != nil && r.Claim.Check == ""
	m.note(r.ID, p)
}

// claim claims the latest time of the schedule that has come, with its jitter.
func (m *Monitors) claim(tx jobs.Tx, r *Monitor, now time.Time) error {
	p, _, err := schedule.Parse(r.Schedule, r.Set)
	if err != nil {
		return err
	}
	if r.Planned.After(now) { // the clock was set back: what was run under its old time stays run
		r.next(tx, p, now)
		r.Planned = now
	}
	if r.Next.IsZero() || r.Due.After(now) {
		return nil
	}
	slot := p.Latest(r.Next, now)
	if slot.After(r.Next) && slot.Add(p.Delay(r.ID, slot)).After(now) {
		slot = p.Latest(r.Next, slot.Add(-time.Second))
	}
	if tx.Get(bucketRuns, slotKey(r.ID, slot)) == nil {
		r.Claim = &Claim{Key: r.ID + " " + slot.Format(time.RFC3339), Trigger: monitor.Scheduled, Slot: &slot, Missed: p.Count(r.Next, slot)}
		if err := tx.Put(bucketRuns, slotKey(r.ID, slot), []byte{}); err != nil {
			return err
		}
	}
	r.next(tx, p, slot)
	r.Planned = now
	return nil
}

// claimManual claims a run by request; [ErrBusy] where one is under way.
func (m *Monitors) claimManual(id string) (r *Monitor, err error) {
	name, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	err = m.o.DB.Update(func(tx jobs.Tx) error {
		if r, err = monitorOf(tx, id); err != nil {
			return err
		}
		if r.Claim != nil {
			return ErrBusy
		}
		r.Claim = &Claim{Key: id + " " + name.String(), Trigger: monitor.Manual}
		return putMonitor(tx, r)
	})
	if err == nil {
		m.indexQuietly(r)
	}
	return r, err
}
