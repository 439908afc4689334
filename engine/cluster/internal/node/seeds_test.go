package node

import (
	"errors"
	"fmt"
	"testing"

	"github.com/winnow-go/winnow/crawl"
)

func manySeeds(n int) (list []crawl.Found) {
	for i := range n {
		list = append(list, crawl.Found{URL: fmt.Sprintf("https://h%d.example/%d", i%3, i)})
	}
	return list
}

// Seeds come in parts. Those of a start that was given up don't get into the job.
func TestStart_inParts(t *testing.T) {
	s, m, _ := calm(t)
	inParts := func(kind string, part int, seeds []crawl.Found) error {
		r := Request{Kind: kind, Job: "parts", Part: part, Seeds: seeds}
		if kind == askStart {
			r.Spec = &Spec{Limit: 100}
		}
		_, err := m.node.callHome(t.Context(), r)
		return err
	}
	if err := inParts(askStart, 1, manySeeds(1)); !errors.Is(err, errParts) {
		t.Errorf("a job without its first part: %v", err)
	}
	for part := range 9 { // and then it was given up
		if err := inParts(askSeeds, part, []crawl.Found{{URL: "https://other.example/"}}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := fits(manySeeds(7), m.node.o.MaxBytes); err != nil || n >= 7 {
		t.Fatalf("%d seeds in one part, %v: nothing is tested", n, err)
	}
	for range 2 { // the second changes nothing
		if err := m.node.Start(t.Context(), "parts", Spec{Limit: 100}, manySeeds(7)); err != nil {
			t.Fatal(err)
		}
	}
	if err := inParts(askSeeds, 9, manySeeds(1)); err != nil { // late
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 20 {
		for n := range s.shards {
			_, err := m.node.Tend(t.Context(), n)
			if _, err2 := m.node.TakeIn(t.Context(), n); err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
		}
		for w, _, err := m.node.Lease(t.Context()); w != nil || err != nil; w, _, err = m.node.Lease(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if w.Job == "parts" {
				seen[w.Item.URL] = true
			}
			if err := m.node.Complete(t.Context(), w, crawl.Page{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if now, err := m.node.Job(t.Context(), "parts"); err != nil || now.State != Ended || len(seen) != 7 {
		t.Errorf("%+v, %v; pages %v, want 7", now, err, seen)
	}
}

// What was not fed yet is gone with a job that is cancelled.
func TestStart_cancelledBeforeItIsFed(t *testing.T) {
	_, _, h := calm(t)
	h = &home{s: h.s, job: "early"}
	for part := range 3 {
		err := h.s.db.Update(func(tx crawl.Tx) error { return putSeeds(tx, Request{Job: h.job, Part: part, Seeds: manySeeds(1)}) })
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := h.s.start(Request{Job: h.job, Part: 3, Seeds: manySeeds(1), Spec: &Spec{Limit: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.s.cancel(h.job), h.tend(t.Context())); err != nil {
		t.Fatal(err)
	}
	_ = h.s.db.View(func(tx crawl.Tx) error {
		if row, err := readJob(tx, h.job); err != nil || row.State != Ended || len(seedKeys(tx, h.job)) != 0 {
			t.Errorf("%+v, %v, %d parts", row, err, len(seedKeys(tx, h.job)))
		}
		return nil
	})
}
