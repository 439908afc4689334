package batching

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
)

// site is the fake of Pages: a page's document is its URL, as it is asked for.
type site struct {
	mu      sync.Mutex
	visited []string
	onVisit func(url string)

	corrections work.Corrections
}

func (s *site) Again(_ context.Context, url string, _ work.Correction, _ crawl.Item) (Visit, error) {
	if strings.Contains(url, "same") {
		return Visit{}, nil
	}
	return Visit{Document: func(url string) any { return "again " + url }}, nil
}

func (s *site) Corrections() work.Corrections { return s.corrections }

func (s *site) Visit(_ context.Context, url string, item crawl.Item) (Visit, error) {
	s.mu.Lock()
	s.visited = append(s.visited, item.URL)
	s.mu.Unlock()
	if s.onVisit != nil {
		s.onVisit(url)
	}
	if strings.Contains(url, "failed") {
		return Visit{}, errors.New("no luck")
	}
	return Visit{Tried: work.Tried{Credits: 2}, Document: func(url string) any { return url }}, nil
}

// newRunner runs batches of a site that are made with so many URLs.
func newRunner(t *testing.T, s *site, urls int) *work.Runner {
	t.Helper()
	return worktest.New(t, work.Kind{Drop: Drop, Line: func(l *work.Line) (work.Task, work.LineOptions, error) {
		return Open(l, s, Options{URLs: urls, Workers: 1})
	}})
}

// batchOf runs a batch to its end.
func batchOf(t *testing.T, r *work.Runner, given []string) jobs.Record {
	t.Helper()
	record := worktest.Create(t, r, given[0])
	if err := Keep(r.DB(), record.ID, given); err != nil {
		t.Fatal(err)
	}
	return worktest.Run(t, r, record)
}

// read gives the places of a batch as text.
func read(t *testing.T, r *work.Runner, id string) (list []string) {
	t.Helper()
	o, err := OrderOf(t.Context(), r, id)
	if err != nil {
		t.Fatal(err)
	}
	for n := range o.Len() {
		p, err := o.At(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		text := p.Code + " " + p.Error
		if p.Document != nil {
			data, err := packed.Decode(p.Document)
			if err == nil {
				err = json.Unmarshal(data, &text)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, strings.TrimSpace(p.URL+" "+text))
	}
	return list
}

func TestBatch_isReadInTheOrderOfGiving(t *testing.T) {
	s := &site{}
	r := newRunner(t, s, 5)
	got := batchOf(t, r, []string{"a.example/1", "https://a.example/failed", "http://a.example/1", "a.example/2", "a.example/1"})
	want := []string{"a.example/1", "https://a.example/failed FAILED no luck", "http://a.example/1", "a.example/2", "a.example/1"}
	if list := read(t, r, got.ID); !slices.Equal(list, want) {
		t.Errorf("got %q", list)
	}
	if got.State != jobs.Completed || got.Credits != 4 || len(s.visited) != 3 {
		t.Errorf("got %+v after %v", got, s.visited)
	}
}

// What was added when its page was done already has the result of that page, under its own URL.
func TestBatch_isAddedToWhileItIsAtWork(t *testing.T) {
	s := &site{}
	r := newRunner(t, s, 2)
	record := worktest.Create(t, r, "a.example/1")
	add := func(urls ...string) error { return Append(t.Context(), r, record.ID, urls) }
	s.onVisit = func(url string) {
		if url == "a.example/2" {
			if err := add("http://a.example/1", "a.example/3"); err != nil {
				t.Error(err)
			}
		}
	}
	if err := add("a.example/3"); !errors.Is(err, jobs.ErrFinished) {
		t.Errorf("before it began: %v", err)
	}
	if err := Keep(r.DB(), record.ID, []string{"a.example/1", "a.example/2"}); err != nil {
		t.Fatal(err)
	}
	worktest.Run(t, r, record)
	want := []string{"a.example/1", "a.example/2", "http://a.example/1 a.example/1", "a.example/3"}
	if list := read(t, r, record.ID); !slices.Equal(list, want) {
		t.Errorf("got %q", list)
	}
	if err := add("a.example/4"); !errors.Is(err, jobs.ErrFinished) {
		t.Errorf("after its end: %v", err)
	}
}

func TestBatch_whoseURLsAreNotAllThereFails(t *testing.T) {
	r := newRunner(t, &site{}, 3)
	got := batchOf(t, r, []string{"a.example/1", "a.example/2"})
	if got.State != jobs.Failed || !strings.Contains(got.Error, "2 of 3 URLs") {
		t.Errorf("got %+v", got)
	}
	if list := read(t, r, got.ID); !slices.Equal(list, []string{"a.example/1", "a.example/2"}) { // never reached
		t.Errorf("got %q", list)
	}
}

func TestDrop_forgetsWhatWasGiven(t *testing.T) {
	db := cache.NewMap()
	urls := make([]string, 2500) // more than go at once
	for i := range urls {
		urls[i] = "a.example/" + strings.Repeat("x", i%7)
	}
	if err := errors.Join(Keep(db, "job", urls), Keep(db, "jobs", urls[:1]), Drop(db, "job")); err != nil {
		t.Fatal(err)
	}
	for job, want := range map[string]uint64{"job": 0, "jobs": 1} {
		if n, err := count(db, job); n != want || err != nil {
			t.Errorf("%s: %d URLs, %v", job, n, err)
		}
		if as, err := spellings(db, job, "http://a.example/"); len(as) != int(want) || err != nil {
			t.Errorf("%s: %q, %v", job, as, err)
		}
	}
}
