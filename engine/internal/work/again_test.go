package work

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
)

// fakeCorrections are kept in memory.
type fakeCorrections struct {
	mu      sync.Mutex
	waiting []Correction
	inHand  int
	last    []Correction // that Last queues
	kept    []string
}

func (f *fakeCorrections) Next() (c Correction, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.waiting) == 0 {
		return c, false, nil
	}
	c, f.waiting = f.waiting[0], f.waiting[1:]
	f.inHand++
	return c, true, nil
}

func (f *fakeCorrections) Done(Correction) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.inHand--
}

func (f *fakeCorrections) InHand() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.inHand
}

func (f *fakeCorrections) Keep(c Correction, why error) func(jobs.Tx) error {
	return func(jobs.Tx) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.kept = append(f.kept, c.Found.URL+": "+why.Error())
		return nil
	}
}

func (f *fakeCorrections) Last() (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting, f.last = append(f.waiting, f.last...), nil
	return len(f.waiting) > 0, nil
}

// fakeCorrector is a task whose pages can be got again.
type fakeCorrector struct {
	*fakeTask
	correct func(c Correction, item crawl.Item) Outcome
}

func (f *fakeCorrector) Correct(_ context.Context, c Correction, item crawl.Item) Outcome {
	return f.correct(c, item)
}

func correction(sequence uint64, url string) Correction {
	return Correction{Sequence: sequence, Results: 1, Found: crawl.Found{URL: url}, Host: "a.example"}
}

// What is to be got again is got before the job ends, and what it leads to is visited.
func TestLine_corrections(t *testing.T) {
	task := &fakeTask{urls: []string{"https://a.example/1", "https://a.example/2", "https://a.example/3"}}
	fakes := &fakeCorrections{last: []Correction{
		correction(1, "https://a.example/1"), correction(2, "https://a.example/2"), correction(3, "https://a.example/3"), correction(1, "https://a.example/panic"),
	}}
	settled := 0
	corrector := &fakeCorrector{fakeTask: task, correct: func(c Correction, item crawl.Item) Outcome {
		settle := func(jobs.Tx, uint64, int) error { settled++; return nil }
		switch {
		case strings.HasSuffix(item.URL, "2"):
			return Outcome{Silent: true, InTx: settle}
		case strings.HasSuffix(item.URL, "3"):
			return Outcome{Failed: errors.New("gone")}
		case strings.HasSuffix(item.URL, "panic"):
			panic("oops")
		}
		return Outcome{Documents: []any{"right"}, Found: []crawl.Found{{URL: "https://a.example/new"}}, InTx: settle, Credits: 7}
	}}
	r, o := newRunner(t, cache.NewMap(), Kind{Line: func(l *Line) (Task, LineOptions, error) {
		task.Line = l
		return corrector, LineOptions{Workers: 1, Corrections: fakes}, nil
	}})
	got := done(t, r)
	var documents []string
	for result, err := range r.Stored(t.Context(), got.ID, 0) {
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, unpacked(t, result.Data))
	}
	want := []string{`"right"`, `"https://a.example/2"`, `"https://a.example/3"`, `"https://a.example/new"`}
	if !slices.Equal(documents, want) || settled != 2 || got.Credits != 4 || o.booked["team"] != 4 {
		t.Errorf("got %v, %d settled, %d credits", documents, settled, got.Credits)
	}
	slices.Sort(fakes.kept)
	if len(fakes.kept) != 2 || fakes.kept[0] != "https://a.example/3: gone" || !strings.Contains(fakes.kept[1], "panic: oops") {
		t.Errorf("kept %q", fakes.kept)
	}
	var events []uint64
	for e, err := range r.Records.Past(t.Context(), got.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == jobs.EventCorrected {
			events = append(events, e.Ref)
		}
	}
	if !slices.Equal(events, []uint64{1}) {
		t.Errorf("events of %v", events)
	}
}

func unpacked(t *testing.T, data []byte) string {
	t.Helper()
	doc, err := packed.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}
