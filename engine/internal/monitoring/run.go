package monitoring

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/monitor"
)

// run is a check in progress.
type run struct {
	*Monitors
	monitor *Monitor // as it was when the work began
	check   string
	known   int // snapshots of the monitor
	// baseline are the targets of which no page was known when the check began.
	baseline map[string]bool
}

// Run does the check of a job, from its beginning or where an earlier process left it. It returns nil once the check has ended; the
// error of ctx leaves it to be gone on with. stopped reports whether an end of ctx is that: otherwise the check was cancelled.
func (m *Monitors) Run(ctx context.Context, job string, p Params, stopped func() bool) (err error) {
	c, err := m.adopt(job, p)
	if errors.Is(err, errGone) || err == nil && c.Status.Final() {
		return nil
	}
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		if !ended && !stopped() { // an error of the store, a panic, or the job was cancelled
			m.o.Log.Warn("a check has failed", "check", job, "error", m.finish(p.Monitor, job, cmpErr(err, errLost)))
		}
	}()
	err = m.run(ctx, c)
	if err == nil {
		err = m.finish(p.Monitor, job, nil)
	}
	if ended = err == nil || errors.Is(err, errGone); ended {
		return nil
	}
	return err
}

func cmpErr(err, other error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return other
	}
	return err
}

func (m *Monitors) run(ctx context.Context, c *monitor.Check) error {
	r := &run{Monitors: m, check: c.ID, baseline: map[string]bool{}}
	for _, t := range c.Targets {
		r.baseline[t.TargetID] = t.Baseline
	}
	err := m.o.DB.View(func(tx jobs.Tx) (err error) {
		if r.monitor, err = monitorOf(tx, c.MonitorID); errors.Is(err, ErrNotFound) {
			return errGone
		}
		for range under(tx, bucketSnapshots, c.MonitorID, nil) {
			r.known++
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, t := range r.monitor.Targets {
		if slices.ContainsFunc(c.Targets, func(was monitor.TargetResult) bool { return was.TargetID == t.ID && was.Done }) {
			continue
		}
		if err := r.target(ctx, i, t); err != nil {
			return err
		}
	}
	return nil
}

// target goes through one target. What fails of it is noted; the error is that of the store, or of ctx.
func (r *run) target(ctx context.Context, i int, t Target) error {
	p := Pass{Check: r.check, Owner: r.monitor.Owner, Definition: r.monitor.Definition, Target: t, Number: i, Notes: notes{r, t.ID}}
	kept, seen := error(nil), t.Type == monitor.Search
	each := func(o Observation) error {
		seen = seen || o.Failure == ""
		kept = r.page(ctx, t, o)
		return kept
	}
	out, err := r.o.Source.Pages(ctx, p, each)
	if kept == nil && ctx.Err() == nil && err == nil && t.Type == monitor.Crawl {
		err = r.missing(ctx, p, t, &out, each)
	}
	switch {
	case kept != nil:
		return kept
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return r.note(t, out, seen && err == nil, err)
}

// missing looks for pages that were known and that the crawl didn't come to: a page is gone when its site says so, not when no link
// leads to it any more.
func (r *run) missing(ctx context.Context, p Pass, t Target, out *Outcome, each func(Observation) error) error {
	p.URLs = []string{}
	err := r.o.DB.View(func(tx jobs.Tx) error {
		part := string(key(r.monitor.ID, t.ID))
		for k, data := range under(tx, bucketSnapshots, part, nil) {
			url := string(k[len(part)+1:])
			var s snapshot
			if tx.Get(bucketSeen, key(r.check, t.ID, url)) == nil && unpack(data, &s) == nil && !s.Gone {
				p.URLs = append(p.URLs, url)
			}
		}
		return nil
	})
	if err != nil || len(p.URLs) == 0 {
		return err
	}
	more, err := r.o.Source.Pages(ctx, p, each)
	out.Jobs = append(out.Jobs, more.Jobs...)
	return err
}

// note keeps what became of a target; seen: it has shown what there is, if only that there is nothing yet.
func (r *run) note(t Target, out Outcome, seen bool, failed error) error {
	return r.o.DB.Update(func(tx jobs.Tx) error {
		c, err := r.current(tx)
		if err != nil {
			return err
		}
		if seen {
			if err := markSeen(tx, c.MonitorID, t.ID); err != nil {
				return err
			}
		}
		i := slices.IndexFunc(c.Targets, func(was monitor.TargetResult) bool { return was.TargetID == t.ID })
		if i < 0 {
			i, c.Targets = len(c.Targets), append(c.Targets, monitor.TargetResult{TargetID: t.ID, Type: t.Type})
		}
		was := &c.Targets[i]
		was.Jobs, was.Results, was.Done = out.Jobs, out.Results, failed == nil
		c.Credits += out.Credits
		if failed != nil {
			was.Error = clipped(failed)
			c.Error = fmt.Sprintf("target %s: %s", t.ID, was.Error)
		}
		return put(tx, bucketChecks, key(c.MonitorID, c.ID), c)
	})
}

// markSeen notes that a check has gone through a target.
func markSeen(tx jobs.Tx, id, target string) error {
	m, err := monitorOf(tx, id)
	if err != nil || slices.Contains(m.Seen, target) {
		return err
	}
	m.Seen = append(m.Seen, target)
	return putMonitor(tx, m)
}

// current is the check as it stands; errGone where its monitor was deleted.
func (r *run) current(tx jobs.Tx) (*monitor.Check, error) {
	if tx.Get(bucketMonitors, []byte(r.monitor.ID)) == nil {
		return nil, errGone
	}
	return checkOf(tx, r.monitor.ID, r.check)
}
