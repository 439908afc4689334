package monitoring

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring/schedule"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Bounds of monitors.
const (
	maxMonitors = 10_000 // of one store
	maxTargets  = 50
	maxName     = 256 // characters
	maxGoal     = 10_000
	maxDays     = 365
	defaultDays = 30
)

// Check checks what is common to all monitors and fills in defaults: type and id of targets, the status, the days. The error is an
// [*option.Error].
func (s *Spec) Check(set time.Time) (err error) {
	switch n := utf8.RuneCountInString(s.Name); {
	case n < 1 || n > maxName:
		return &option.Error{Field: "name", Value: n, Want: fmt.Sprintf("1 to %d characters", maxName)}
	case len(s.Targets) < 1 || len(s.Targets) > maxTargets:
		return &option.Error{Field: "targets", Value: len(s.Targets), Want: fmt.Sprintf("1 to %d", maxTargets)}
	case s.Days < 0 || s.Days > maxDays:
		return &option.Error{Field: "retentionDays", Value: s.Days, Want: fmt.Sprintf("1 to %d, or 0 for %d", maxDays, defaultDays)}
	case utf8.RuneCountInString(s.Goal) > maxGoal:
		return &option.Error{Field: "goal", Value: utf8.RuneCountInString(s.Goal), Want: fmt.Sprintf("at most %d characters", maxGoal)}
	}
	if s.Days == 0 {
		s.Days = defaultDays
	}
	if s.Status == "" {
		s.Status = monitor.Active
	}
	if s.Status != monitor.Active && s.Status != monitor.Paused {
		return &option.Error{Field: "status", Value: s.Status, Want: "active or paused"}
	}
	if err := s.checkTargets(); err != nil {
		return err
	}
	_, s.Schedule, err = schedule.Parse(s.Schedule, set)
	return err
}

// Create keeps a new monitor.
func (m *Monitors) Create(s Spec) (*Monitor, error) {
	now := m.now()
	if err := s.Check(now); err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	full := len(m.planned) >= maxMonitors
	m.mu.Unlock()
	if full {
		return nil, &option.Error{Field: "monitors", Value: maxMonitors, Want: fmt.Sprintf("fewer than %d monitors: delete some", maxMonitors)}
	}
	r := &Monitor{Spec: s, ID: id.String(), Created: now, Updated: now, Set: now, Revision: 1}
	err = m.o.DB.Update(func(tx jobs.Tx) error {
		if err := m.plan(tx, r, now); err != nil {
			return err
		}
		return putMonitor(tx, r)
	})
	if err != nil {
		return nil, err
	}
	m.index(r)
	return r, nil
}

// maxTries bounds how often a change is made again that another one came between.
const maxTries = 20

var errChanged = errors.New("the monitor is being changed by others")

// Update changes a monitor: edit gets it as it is and returns what it is to be; it may be called more than once. A check that is
// running goes on with the pages as they were.
func (m *Monitors) Update(id string, edit func(Spec) (Spec, error)) (*Monitor, error) {
	for range maxTries {
		r, err := m.Get(id)
		if err != nil {
			return nil, err
		}
		next, err := edit(r.Spec)
		if err != nil {
			return nil, err
		}
		now := m.now()
		if err := next.Check(now); err != nil {
			return nil, err
		}
		changed, err := m.replace(id, r.Revision, next, now)
		if !errors.Is(err, errChanged) {
			return changed, err
		}
	}
	return nil, errChanged
}

func (m *Monitors) replace(id string, revision uint64, s Spec, now time.Time) (r *Monitor, err error) {
	err = m.o.DB.Update(func(tx jobs.Tx) error {
		if r, err = monitorOf(tx, id); err != nil {
			return err
		}
		if r.Revision != revision {
			return errChanged
		}
		again := s.Schedule != r.Schedule || s.Status != r.Status
		if s.Schedule != r.Schedule {
			r.Set = now
		}
		r.Spec, r.Updated, r.Revision = s, now, revision+1
		r.Seen = slices.DeleteFunc(r.Seen, func(id string) bool {
			return !slices.ContainsFunc(s.Targets, func(t Target) bool { return t.ID == id })
		})
		if again {
			if err := m.plan(tx, r, now); err != nil {
				return err
			}
		}
		return putMonitor(tx, r)
	})
	if err != nil {
		return nil, err
	}
	m.index(r)
	return r, nil
}

// Delete removes a monitor with all that it has kept. A check of it that is running ends with its next page.
func (m *Monitors) Delete(ctx context.Context, id string) error {
	err := m.o.DB.Update(func(tx jobs.Tx) error {
		if _, err := monitorOf(tx, id); err != nil {
			return err
		}
		return errors.Join(tx.Put(bucketGone, []byte(id), nil), tx.Delete(bucketMonitors, []byte(id)))
	})
	if err != nil {
		return err
	}
	m.forget(id)
	return m.drop(ctx, id)
}
