package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Bounds of what is kept of pages.
const (
	maxPages = 10_000  // of a monitor
	maxText  = 4 << 20 // bytes of a page's text
	maxDiff  = 256 << 10
	maxError = 500
	maxNoise = 100
)

func clipped(err error) string { return clip.Bytes(err.Error(), maxError) }

// pageEvent is the data of a page's event.
type pageEvent struct {
	URL    string             `json:"url"`
	Status monitor.PageStatus `json:"status"`
}

// page compares a page with what is known of it, once in a check.
func (r *run) page(ctx context.Context, t Target, o Observation) error {
	var before *snapshot
	var learnt json.RawMessage
	seen := false
	err := r.o.DB.View(func(tx jobs.Tx) error {
		seen = tx.Get(bucketSeen, key(r.check, t.ID, o.key())) != nil
		if _, err := get(tx, bucketLearnt, learntKey(r.monitor.ID, t.ID, o.URL), &learnt); err != nil {
			r.o.Log.Error("what is known of noise can't be read; it is learnt again", "monitor", r.monitor.ID, "error", err)
			learnt = nil
		}
		s := &snapshot{}
		found, err := get(tx, bucketSnapshots, key(r.monitor.ID, t.ID, o.key()), s)
		if err != nil {
			r.o.Log.Error("what is known of a page can't be read; it counts as new", "monitor", r.monitor.ID, "error", err)
		} else if found {
			before = s
		}
		return nil
	})
	if err != nil || seen {
		return err
	}
	v := r.verdict(ctx, t, before, learnt, o)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return r.keep(t, o, v)
}

// verdict is what a page has come to.
type verdict struct {
	page    monitor.Page
	now     *snapshot // that takes the place of the one before; nil: that stays
	credits int
	first   bool // it is new, and what later ones are compared with: nothing to report
	// learnt is what is known of noise in pages of this form of address, next what takes its place; nil: that stays.
	learnt, next json.RawMessage
}

func (r *run) verdict(ctx context.Context, t Target, before *snapshot, learnt json.RawMessage, o Observation) verdict {
	v := verdict{credits: o.Credits, learnt: learnt, page: monitor.Page{
		TargetID: t.ID, URL: o.URL, Current: o.ScrapeID, StatusCode: o.Status, Title: o.Title, JSON: o.JSON, At: r.now(),
	}}
	if before != nil {
		v.page.Previous = before.Scrape
	}
	if before == nil && r.known >= maxPages && o.Failure == "" && !o.Gone {
		o.Failure = fmt.Sprintf("the monitor knows %d pages, and takes no more", maxPages)
	}
	r.compare(ctx, t, before, o, &v)
	if r.toJudge(t, &v) {
		judgment, credits, err := r.o.Judge(ctx, r.monitor.Owner, r.monitor.Goal, &v.page)
		v.credits += credits
		if v.page.Judgment = judgment; err != nil {
			v.page.Error = "the change could not be judged, and is reported: " + clipped(err)
		}
	}
	return v
}

// toJudge reports whether a page is judged by the goal: one that has changed, and a new result of a search.
func (r *run) toJudge(t Target, v *verdict) bool {
	if r.monitor.Goal == "" || r.o.Judge == nil {
		return false
	}
	if t.Type == monitor.Search && v.page.Status == monitor.New && !v.first {
		v.page.Diff = &monitor.Diff{Text: "+" + v.page.Title + "\n+" + strings.ReplaceAll(v.now.Text, "\n", "\n+") + "\n"}
		return true
	}
	return v.page.Status == monitor.Changed
}

// keep is the one transaction of a page.
func (r *run) keep(t Target, o Observation, v verdict) error {
	var change *monitor.Change
	err := r.o.DB.Update(func(tx jobs.Tx) error {
		change = nil
		if tx.Get(bucketSeen, key(r.check, t.ID, o.key())) != nil {
			return nil
		}
		c, err := r.current(tx)
		if err != nil {
			return err
		}
		v.page.ID = uint64(c.Summary.TotalPages + 1)
		c.Summary.Count(v.page.Status)
		c.Credits += v.credits
		errs := []error{
			put(tx, bucketPages, numbered(r.check, v.page.ID), v.page),
			tx.Put(bucketSeen, key(r.check, t.ID, o.key()), []byte{}),
			put(tx, bucketChecks, key(c.MonitorID, c.ID), c),
		}
		if v.now != nil {
			errs = append(errs, put(tx, bucketSnapshots, key(r.monitor.ID, t.ID, o.key()), v.now))
		}
		if v.next != nil {
			errs = append(errs, put(tx, bucketLearnt, learntKey(r.monitor.ID, t.ID, o.URL), v.next))
		}
		if v.page.Status == monitor.Same || v.first {
			return errors.Join(errs...)
		}
		if v.page.Notable() {
			change, err = r.log(tx, v.page)
			errs = append(errs, err)
		}
		if v.page.Notable() || v.page.Status == monitor.Error {
			errs = append(errs, r.event(tx, v.page))
		}
		return errors.Join(errs...)
	})
	if err != nil {
		return err
	}
	if v.page.Status == monitor.New {
		r.known++
	}
	r.o.Jobs.Wake(r.check)
	if change != nil && r.o.OnChange != nil {
		r.o.OnChange(*change)
	}
	return nil
}

// log adds a change to those of the monitor.
func (r *run) log(tx jobs.Tx, p monitor.Page) (*monitor.Change, error) {
	m, err := monitorOf(tx, r.monitor.ID)
	if err != nil {
		return nil, err
	}
	m.Changes++
	change := &monitor.Change{Seq: m.Changes, MonitorID: m.ID, CheckID: r.check, Page: p}
	return change, errors.Join(putMonitor(tx, m), put(tx, bucketChanges, numbered(m.ID, m.Changes), change))
}

func (r *run) event(tx jobs.Tx, p monitor.Page) error {
	data, err := json.Marshal(pageEvent{p.URL, p.Status})
	if err != nil {
		return err
	}
	_, err = r.o.Jobs.AppendIn(tx, r.check, jobs.Event{Type: jobs.EventPage, Ref: p.ID, Data: data})
	return err
}

// equalJSON reports whether two texts are the same data.
func equalJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && same(x, y)
}
