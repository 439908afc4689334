package work

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// fakeTask is a line of pages that are not fetched.
type fakeTask struct {
	*Line
	urls     []string
	visit    func(l *Line, item crawl.Item) Outcome // nil: each page is its URL
	ended    error
	hold     chan struct{} // visits wait for it; nil: they don't
	visiting chan string   // nil: no one wants to know

	mu        sync.Mutex
	completed []string
}

func line(task *fakeTask, o LineOptions) func(*Line) (Task, LineOptions, error) {
	o.Workers = 1
	return func(l *Line) (Task, LineOptions, error) {
		task.Line = l
		return task, o, nil
	}
}

func (f *fakeTask) Feed(ctx context.Context) error {
	for _, u := range f.urls {
		if _, err := f.Frontier.Put(ctx, []crawl.Found{{URL: u}}); err != nil {
			return err
		}
	}
	return nil
}

func (f *fakeTask) Visit(_ context.Context, item crawl.Item) Outcome {
	if f.visiting != nil {
		f.visiting <- item.URL
	}
	if f.hold != nil {
		<-f.hold
	}
	if f.visit != nil {
		return f.visit(f.Line, item)
	}
	return Outcome{Documents: []any{item.URL}, Credits: 1}
}

func (f *fakeTask) Complete(_ jobs.Tx, item crawl.Item, _ Outcome) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.completed, item.URL) {
		f.completed = append(f.completed, item.URL)
	}
	return nil
}

func (f *fakeTask) Ended(context.Context) error { return f.ended }

// pagesOf are the data of a job's page events.
func pagesOf(t *testing.T, r *Runner, id string) (list []string) {
	t.Helper()
	for e, err := range r.Records.Past(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == jobs.EventPage {
			list = append(list, string(e.Data))
		}
	}
	return list
}

func TestLine_eachOutcomeIsWrittenDown(t *testing.T) {
	task := &fakeTask{urls: []string{"https://a.example/two", "https://a.example/failed", "https://a.example/silent", "https://a.example/panic"}}
	also := 0
	task.visit = func(_ *Line, item crawl.Item) Outcome {
		switch {
		case strings.HasSuffix(item.URL, "failed"):
			return Outcome{Failed: errors.New("no: luck"), Credits: 1}
		case strings.HasSuffix(item.URL, "silent"):
			return Outcome{Silent: true, Denied: []crawl.Denied{{Reason: "WHY", URL: item.URL}}}
		case strings.HasSuffix(item.URL, "panic"):
			panic("oops")
		}
		return Outcome{Documents: []any{"one", "two"}, Credits: 5, InTx: func(jobs.Tx, uint64, int) error { also++; return nil }}
	}
	closed := 0
	r, o := newRunner(t, cache.NewMap(), Kind{Line: line(task, LineOptions{Close: func() { closed++ }})})
	got := done(t, r)
	f, err := r.Frontier(got.ID)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Stats(t.Context())
	if err != nil || s.Done != 2 || s.Failed != 2 || s.Denied["WHY"] != 1 || got.State != jobs.Completed || got.Credits != 6 || o.booked["team"] != 6 {
		t.Errorf("got %+v, %+v, %v, %v", got, s, o.booked, err)
	}
	errs, err := f.Errors(t.Context(), 0, 9)
	if err != nil || len(errs) != 2 || string(errs[0].Data) != "no: luck" || errs[0].Code != "CODE_2" || !strings.Contains(string(errs[1].Data), "panic: oops") {
		t.Errorf("got %+v, %v", errs, err)
	}
	if events := pagesOf(t, r, got.ID); len(events) != 4 || also != 1 || closed != 1 || len(task.completed) != 4 {
		t.Errorf("%d events, also %d times, closed %d times, completed %v", len(events), also, closed, task.completed)
	}
}

func TestLine_endsAsItsTaskSays(t *testing.T) {
	for _, c := range []struct {
		ended error
		want  jobs.State
	}{{nil, jobs.Completed}, {fmt.Errorf("so: %w", ErrEnough), jobs.Completed}, {errors.New("it failed"), jobs.Failed}} {
		r, _ := newRunner(t, cache.NewMap(), Kind{Line: line(&fakeTask{urls: []string{"https://a.example/"}, ended: c.ended}, LineOptions{})})
		if got := done(t, r); got.State != c.want {
			t.Errorf("%v: got %+v", c.ended, got)
		}
	}
}

// lateTask queues more when nothing is left, twice.
type lateTask struct {
	*fakeTask
	ends atomic.Int64
}

func (l *lateTask) Last(ctx context.Context) (bool, error) {
	n := l.ends.Add(1)
	if n > 2 {
		return false, nil
	}
	_, err := l.Frontier.Put(ctx, []crawl.Found{{URL: fmt.Sprintf("https://a.example/late/%d", n)}})
	return true, err
}

func TestLine_goesOnWhereItsTaskHasMoreInTheEnd(t *testing.T) {
	for _, workers := range []int{1, 4} {
		task := &lateTask{fakeTask: &fakeTask{urls: []string{"https://a.example/"}}}
		r, _ := newRunner(t, cache.NewMap(), Kind{Line: func(l *Line) (Task, LineOptions, error) {
			task.Line = l
			return task, LineOptions{Workers: workers}, nil
		}})
		if got := done(t, r); got.State != jobs.Completed || len(task.completed) != 3 {
			t.Errorf("%d workers: got %+v, %v", workers, got, task.completed)
		}
	}
}

func TestLine_isLeftWhenItsTimeIsOver(t *testing.T) {
	task := &fakeTask{urls: []string{"https://a.example/"}}
	r, _ := newRunner(t, cache.NewMap(), Kind{Line: line(task, LineOptions{Until: time.Now().Add(-time.Second)})})
	if got := done(t, r); got.State != jobs.Completed || !task.Late {
		t.Errorf("got %+v, late: %v", got, task.Late)
	}
}

// What is tried again is begun as often as it may, and the last answer counts.
func TestLine_triesAPageAgain(t *testing.T) {
	busy := errors.New("status 503")
	for name, c := range map[string]struct {
		tried     Tried
		failed    error
		want      int // attempts
		inBrowser []bool
		done      int
	}{
		"failed for good": {Tried{}, errors.New("no"), 1, []bool{false}, 0},
		"failed":          {Tried{Temporary: true}, errors.New("no"), Attempts, []bool{false, false, false}, 0},
		"needs a browser": {Tried{Temporary: true, NotEnough: true}, errors.New("no"), Attempts, []bool{false, true, true}, 0},
		"refused":         {Tried{Refused: busy}, nil, Attempts, []bool{false, false, false}, 1},
		"refused by HTTP": {Tried{Refused: busy, NotEnough: true}, nil, Attempts, []bool{false, true, true}, 1},
		"fine":            {Tried{}, nil, 1, []bool{false}, 1},
	} {
		var inBrowser []bool
		var last bool
		task := &fakeTask{urls: []string{"https://a.example/"}}
		task.visit = func(l *Line, item crawl.Item) Outcome {
			a := l.Attempt(item)
			inBrowser, last = append(inBrowser, a.InBrowser), a.Last
			if c.failed != nil {
				return l.Again(item, c.tried, c.failed)
			}
			out := Outcome{Documents: []any{"doc"}}
			l.PushedBack(&out, item, c.tried)
			return out
		}
		r, _ := newRunner(t, cache.NewMap(), Kind{Line: line(task, LineOptions{})}, func(o *Options) { o.Now = hasty() })
		got := done(t, r)
		f, err := r.Frontier(got.ID)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := f.Stats(t.Context()); err != nil || s.Done != c.done || s.Failed != 1-c.done {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if !slices.Equal(inBrowser, c.inBrowser) || last != (c.want == Attempts) {
			t.Errorf("%s: attempts in a browser: %v, the last one known as such: %v", name, inBrowser, last)
		}
	}
}

// What goes back into line has its turn again, after what is before it, and has used no attempt.
func TestLine_putsAPageBack(t *testing.T) {
	var attempts []int
	task := &fakeTask{urls: []string{"https://a.example/"}}
	task.visit = func(_ *Line, item crawl.Item) Outcome {
		attempts = append(attempts, item.Attempt)
		return Outcome{Back: len(attempts) < 2*Attempts, Documents: []any{"doc"}}
	}
	r, _ := newRunner(t, cache.NewMap(), Kind{Line: line(task, LineOptions{})})
	got := done(t, r)
	f, err := r.Frontier(got.ID)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := f.Stats(t.Context()); err != nil || s.Done != 1 || len(pagesOf(t, r, got.ID)) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if len(attempts) != 2*Attempts || slices.Max(attempts) != 1 {
		t.Errorf("attempts %v", attempts)
	}
}

// hasty is a clock by which seconds go by at each look: no pause takes long.
func hasty() func() time.Time {
	var mu sync.Mutex
	at := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}
}

// The browser's turn comes at once, other attempts after growing pauses.
func TestLine_pausesBetweenAttempts(t *testing.T) {
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	r, _ := newRunner(t, cache.NewMap(), Kind{}, func(o *Options) { o.Now = func() time.Time { return now } })
	l := &Line{Job: r.Job(jobs.Record{}), Pace: crawl.NewPace(crawl.PaceOptions{})}
	item := func(attempt int, url string) crawl.Item {
		return crawl.Item{Found: crawl.Found{URL: url}, Host: "a.example", Attempt: attempt}
	}
	passing, needs := Tried{Temporary: true}, Tried{Temporary: true, NotEnough: true}
	for _, c := range []struct {
		item  crawl.Item
		tried Tried
		want  time.Duration
	}{
		{item(1, "a"), passing, time.Second},
		{item(2, "a"), passing, 4 * time.Second},
		{item(1, "b"), needs, 0},
		{item(2, "b"), needs, 4 * time.Second},
	} {
		if got := l.Again(c.item, c.tried, errors.New("no")).RetryAt.Sub(now); got != c.want {
			t.Errorf("attempt %d at %s: again after %s, want %s", c.item.Attempt, c.item.URL, got, c.want)
		}
	}
	out := Outcome{}
	if !l.PushedBack(&out, item(1, "c"), Tried{Refused: errors.New("busy")}) || out.RetryAt.Sub(now) != time.Second || out.cause() != "busy" {
		t.Errorf("pushed back: %+v", out)
	}
}

// A page that takes the process down each time is given up.
func TestLine_givesUpAPageThatNeverEnds(t *testing.T) {
	r, _ := newRunner(t, cache.NewMap(), Kind{})
	l := &Line{Job: r.Job(jobs.Record{}), task: &fakeTask{}}
	out := l.attempt(t.Context(), crawl.Item{Found: crawl.Found{URL: "https://a.example/"}, Attempt: Attempts + 1, Cause: "lost"})
	gone, ok := errors.AsType[*AttemptsError](out.Failed)
	if !ok || gone.Attempts != Attempts || gone.Cause != "lost" || out.Failed.Error() != "scrape of https://a.example/: tried 3 times: lost" {
		t.Errorf("got %v", out.Failed)
	}
}

// What readers have beside the text isn't repeated in it.
func TestRunner_reasonIsTheCauseAlone(t *testing.T) {
	r := &Runner{o: Options{Code: func(error) string { return "SITE_ERROR" }}}
	for text, want := range map[string]string{
		`scrape http://a.example/: SITE_ERROR: GET "http://a.example/": no such host`: "no such host",
		"crawl http://a.example/: SITE_ERROR: no such host":                           "no such host",
		"no luck": "no luck",
	} {
		if code, got := r.reason(errors.New(text)); got != want || code != "SITE_ERROR" {
			t.Errorf("got %s %q, want %q", code, got, want)
		}
	}
}

func TestRunner_payloadOfAWebhook(t *testing.T) {
	task := &fakeTask{urls: []string{"https://a.example/ok", "https://a.example/failed"}, visit: func(_ *Line, item crawl.Item) Outcome {
		if strings.HasSuffix(item.URL, "failed") {
			return Outcome{Failed: errors.New("no luck")}
		}
		return Outcome{Documents: []any{map[string]string{"url": item.URL}}}
	}}
	r, _ := newRunner(t, cache.NewMap(), Kind{Line: line(task, LineOptions{})})
	got := done(t, r)
	want := map[uint64][2]string{0: {`[{"gone":"https://a.example/failed"}]`, "no luck"}, 1: {`[{"url":"https://a.example/ok"}]`, ""}}
	for e, err := range r.Records.Past(t.Context(), got.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type != jobs.EventPage {
			continue
		}
		data, failed, err := r.payload(t.Context(), got, e)
		if err != nil || string(data) != want[e.Ref][0] || failed != want[e.Ref][1] {
			t.Errorf("page %d: %s, %q, %v", e.Ref, data, failed, err)
		}
		delete(want, e.Ref)
	}
	if len(want) != 0 {
		t.Errorf("no events of %v", want)
	}
	if data, _, err := r.payload(t.Context(), got, jobs.Event{Type: jobs.EventAction, Data: []byte(`{"a":1}`)}); err != nil || string(data) != `[{"a":1}]` {
		t.Errorf("an action: %s, %v", data, err)
	}
}
