package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

func TestJobs_everyTransition(t *testing.T) {
	all := []State{Scraping, Completed, Failed, Cancelled, "", "paused"}
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		for _, from := range []State{Scraping, Completed, Failed, Cancelled} {
			for _, to := range all {
				r := create(t, j, New{})
				if from != Scraping {
					finish(t, j, r.ID, from)
				}
				before, err := j.Get(t.Context(), r.ID)
				if err != nil || before.State != from {
					t.Fatalf("%s: %+v, %v", from, before, err)
				}
				checkTransition(t, j, before, to)
			}
		}
	})
}

// checkTransition: only Scraping leads on, and only to a final state.
func checkTransition(t *testing.T, j *Jobs, before Record, to State) {
	t.Helper()
	got, err := j.Finish(t.Context(), before.ID, to, "CODE", "why")
	after, getErr := j.Get(t.Context(), before.ID)
	if getErr != nil {
		t.Fatal(getErr)
	}
	events := readAll(t, j, before.ID, 0)
	last := events[len(events)-1].Type
	switch field := (*FieldError)(nil); {
	case !to.Final():
		if !errors.As(err, &field) || after.State != before.State {
			t.Errorf("%s → %q: %v, now %s", before.State, to, err, after.State)
		}
	case before.State.Final():
		if err != ErrFinished || got.State != before.State || after.State != before.State || after.Code != "" || last != string(before.State) {
			t.Errorf("%s → %s: %v, %+v, now %+v, last event %s", before.State, to, err, got, after, last)
		}
	default:
		if err != nil || after.State != to || after.Code != "CODE" || after.Error != "why" || after.Ended.IsZero() || last != string(to) {
			t.Errorf("%s → %s: %v, now %+v, last event %s", before.State, to, err, after, last)
		}
		if !after.Expires.Equal(after.Ended.Add(24 * time.Hour)) {
			t.Errorf("ended %v, expires %v", after.Ended, after.Expires)
		}
	}
}

// readAll reads a job's events as far as there are.
func readAll(t testing.TB, j *Jobs, id string, since uint64) (events []Event) {
	t.Helper()
	for {
		batch, _, err := j.events(t.Context(), id, since)
		if err != nil {
			t.Fatal(err)
		}
		if len(batch) == 0 {
			return events
		}
		events = append(events, batch...)
		since = events[len(events)-1].Seq
	}
}

func TestCreate_aRecordComesBackAsItWasMade(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		c := newClock()
		o := c.options()
		o.Send = new(hooks).post
		j := open(t, db, o)
		hook := Webhook{URL: "https://hook.example/x?token=1", Headers: map[string]string{"X-A": "b"}, Metadata: map[string]string{"k": "v"}, Events: []string{"completed"}, Secret: "hush"}
		r := create(t, j, New{Kind: "batch_scrape", Owner: "team\x00<&>", URL: "https://a.example/<ä>", Params: json.RawMessage(`{ "limit": 3 }`), Webhook: &hook})
		id, err := uuid.Parse(r.ID)
		if err != nil || id.Version() != 7 {
			t.Errorf("id %s: %v", r.ID, err)
		}
		got, err := j.Get(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []Record{r, got} {
			if r.Kind != "batch_scrape" || r.Owner != "team\x00<&>" || r.URL != "https://a.example/<ä>" || r.State != Scraping || string(r.Params) != `{ "limit": 3 }` {
				t.Errorf("got %+v", r)
			}
			if !r.Created.Equal(c.Now()) || !r.Ended.IsZero() || !r.Expires.Equal(c.Now().Add(24*time.Hour)) {
				t.Errorf("times: %+v", r)
			}
			if fmt.Sprint(*r.Webhook) != fmt.Sprint(hook) {
				t.Errorf("webhook %+v, want %+v", *r.Webhook, hook)
			}
		}
		if e := readAll(t, j, r.ID, 0); len(e) != 1 || e[0].Type != EventStarted || e[0].Seq != 1 {
			t.Errorf("events %+v", e)
		}
	})
}

func TestCreate_namesTheFieldItCantHonour(t *testing.T) {
	j := open(t, memory(), Options{Send: new(hooks).post})
	deaf := open(t, memory(), Options{})
	for _, c := range []struct {
		jobs  *Jobs
		field string
		new   New
	}{
		{j, "kind", New{}},
		{j, "kind", New{Kind: "Crawl"}},
		{j, "kind", New{Kind: strings.Repeat("a", 33)}},
		{j, "owner", New{Kind: "crawl", Owner: strings.Repeat("o", 257)}},
		{j, "owner", New{Kind: "crawl", Owner: "\xff"}},
		{j, "url", New{Kind: "crawl", URL: strings.Repeat("u", 16<<10+1)}},
		{j, "idempotencyKey", New{Kind: "crawl", IdempotencyKey: strings.Repeat("k", 1025)}},
		{j, "params", New{Kind: "crawl", Params: json.RawMessage(`{`)}},
		{j, "params", New{Kind: "crawl", Params: json.RawMessage(`"` + strings.Repeat("p", 16<<20) + `"`)}},
		{j, "webhook.url", New{Kind: "crawl", Webhook: &Webhook{}}},
		{j, "webhook.events", New{Kind: "crawl", Webhook: &Webhook{URL: "http://a.example", Events: []string{"batch_scrape.page"}}}},
		{deaf, "webhook", New{Kind: "crawl", Webhook: &Webhook{URL: "http://a.example"}}},
	} {
		_, _, err := c.jobs.Create(t.Context(), c.new)
		if e, ok := errors.AsType[*FieldError](err); !ok || e.Field != c.field {
			t.Errorf("got %v, want an error about %s", err, c.field)
		}
	}
	if _, err := Open(memory(), Options{Keep: -1}); err == nil {
		t.Error("a negative Keep was accepted")
	}
}

func TestCreate_idempotencyKeys(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		c := newClock()
		o := c.options()
		o.Send = new(hooks).post
		j := open(t, db, o)
		base := New{Kind: "crawl", Owner: "a", URL: "http://x.example", Params: json.RawMessage(`{"limit":1}`), IdempotencyKey: "k"}
		first := create(t, j, base)
		finish(t, j, first.ID, Failed)
		with := func(change func(*New)) New { n := base; change(&n); return n }
		for name, c := range map[string]struct {
			new     New
			existed bool
			err     error
		}{
			"the same":                       {base, true, nil},
			"the same, other space":          {with(func(n *New) { n.Params = json.RawMessage(` { "limit" : 1 } `) }), true, nil},
			"other params":                   {with(func(n *New) { n.Params = json.RawMessage(`{"limit":2}`) }), false, ErrIdempotencyReuse},
			"other kind":                     {with(func(n *New) { n.Kind = "batch_scrape" }), false, ErrIdempotencyReuse},
			"other URL":                      {with(func(n *New) { n.URL = "http://y.example" }), false, ErrIdempotencyReuse},
			"other webhook":                  {with(func(n *New) { n.Webhook = &Webhook{URL: "http://h.example"} }), false, ErrIdempotencyReuse},
			"other owner":                    {with(func(n *New) { n.Owner = "b" }), false, nil},
			"the same request, other params": {with(func(n *New) { n.Request, n.Params = n.Params, json.RawMessage(`{"limit":2}`) }), true, nil},
			"other request":                  {with(func(n *New) { n.Request = json.RawMessage(`{"limit":2}`) }), false, ErrIdempotencyReuse},
			"other key":                      {with(func(n *New) { n.IdempotencyKey = "l" }), false, nil},
			"no key":                         {with(func(n *New) { n.IdempotencyKey = "" }), false, nil},
		} {
			early, found, earlyErr := j.Earlier(t.Context(), c.new)
			r, existed, err := j.Create(t.Context(), c.new)
			if found != existed || earlyErr != err || found && early.ID != r.ID {
				t.Errorf("%s: found earlier %s, %v, %v; made %s, %v, %v", name, early.ID, found, earlyErr, r.ID, existed, err)
			}
			if existed != c.existed || err != c.err || existed && (r.ID != first.ID || r.State != Failed) || err == nil && !existed && r.ID == first.ID {
				t.Errorf("%s: got %s, %v, %v; want existed %v, %v", name, r.ID, existed, err, c.existed, c.err)
			}
		}

		// Expired, the key is free before anything is pruned, and pruning leaves it to the new job.
		c.Advance(24 * time.Hour)
		second := create(t, j, base)
		if _, err := j.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r, existed, err := j.Create(t.Context(), base); err != nil || !existed || r.ID != second.ID {
			t.Errorf("after pruning: got %s, %v, %v; want %s", r.ID, existed, err, second.ID)
		}
	})
}

func TestCreate_manyAtOnceWithOneKeyMakeOneJob(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		var mu sync.Mutex
		ids, fresh := map[string]bool{}, 0
		var callers sync.WaitGroup
		for range 50 {
			callers.Go(func() {
				r, existed, err := j.Create(t.Context(), New{Kind: "crawl", IdempotencyKey: "k"})
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				ids[r.ID] = true
				if !existed {
					fresh++
				}
			})
		}
		callers.Wait()
		if len(ids) != 1 || fresh != 1 {
			t.Errorf("%d jobs, %d of them new; want 1, 1", len(ids), fresh)
		}
	})
}

func TestGet_unknownIds(t *testing.T) {
	j := open(t, memory(), Options{})
	r := create(t, j, New{})
	for _, id := range []string{"", "x", "0190a0a0-0000-7000-8000-000000000000", "{" + r.ID + "}", "urn:uuid:" + r.ID, strings.ReplaceAll(r.ID, "-", ""), r.ID + " "} {
		_, getErr := j.Get(t.Context(), id)
		_, waitErr := j.Wait(t.Context(), id)
		_, finishErr := j.Finish(t.Context(), id, Completed, "", "")
		_, appendErr := j.Append(t.Context(), id, Event{Type: EventPage})
		_, deliveriesErr := j.Deliveries(t.Context(), id)
		addErr := j.Add(t.Context(), id, 1)
		var eventsErr error
		for _, eventsErr = range j.Events(t.Context(), id, 0) {
		}
		for _, err := range []error{getErr, waitErr, finishErr, appendErr, addErr, eventsErr, deliveriesErr} {
			if err != ErrNotFound {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
	if got, err := j.Get(t.Context(), strings.ToUpper(r.ID)); err != nil || got.ID != r.ID {
		t.Errorf("upper case: %+v, %v", got, err)
	}
}

func TestAdd_creditsAddUp(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		r := create(t, j, New{})
		var adders sync.WaitGroup
		for range 20 {
			adders.Go(func() {
				if err := j.Add(t.Context(), r.ID, 5); err != nil {
					t.Error(err)
				}
			})
		}
		adders.Wait()
		finish(t, j, r.ID, Cancelled)
		for _, n := range []int64{-3, 0, math.MaxInt64, math.MaxInt64} {
			if err := j.Add(t.Context(), r.ID, n); err != nil {
				t.Error(err)
			}
			if n == 0 {
				if r, err := j.Get(t.Context(), r.ID); r.Credits != 97 || err != nil {
					t.Errorf("got %d, %v; want 97", r.Credits, err)
				}
			}
		}
		if r, err := j.Get(t.Context(), r.ID); r.Credits != math.MaxInt64 || err != nil {
			t.Errorf("got %d, %v", r.Credits, err)
		}
	})
	if got := plus(math.MinInt64, -1); got != math.MinInt64 {
		t.Errorf("got %d", got)
	}
}

func TestWait_wakesWithTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, memory(), Options{})
		r := create(t, j, New{})
		var waiters sync.WaitGroup
		for range 10 {
			waiters.Go(func() {
				got, err := j.Wait(t.Context(), r.ID)
				if err != nil || got.State != Completed {
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
		synctest.Wait()
		pages(t, j, r.ID, 1) // wakes, but doesn't end
		synctest.Wait()
		finish(t, j, r.ID, Completed)
		waiters.Wait()
		if _, err := j.Wait(t.Context(), r.ID); err != nil {
			t.Error(err)
		}
		if len(j.notifier.topics) != 0 {
			t.Errorf("%d topics are left", len(j.notifier.topics))
		}
	})
}

func TestWait_endsWithContextExpiryAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, memory(), Options{})
		r := create(t, j, New{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := j.Wait(ctx, r.ID); err != context.DeadlineExceeded {
			t.Errorf("got %v", err)
		}
		done := make(chan error)
		go func() { _, err := j.Wait(t.Context(), r.ID); done <- err }()
		synctest.Wait()
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != ErrClosed {
			t.Errorf("got %v", err)
		}
		if err := j.Close(); err != nil {
			t.Errorf("second close: %v", err)
		}
	})
}

func TestJobs_closedRefusesEverything(t *testing.T) {
	j := open(t, memory(), Options{})
	id := create(t, j, New{}).ID
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	errs := map[string]error{}
	_, _, errs["create"] = j.Create(ctx, New{Kind: "crawl"})
	_, errs["get"] = j.Get(ctx, id)
	_, _, errs["list"] = j.List(ctx, Query{})
	_, errs["unfinished"] = j.Unfinished(ctx)
	_, errs["finish"] = j.Finish(ctx, id, Failed, "", "")
	_, errs["wait"] = j.Wait(ctx, id)
	errs["add"] = j.Add(ctx, id, 1)
	_, errs["append"] = j.Append(ctx, id, Event{Type: EventPage})
	_, errs["deliveries"] = j.Deliveries(ctx, id)
	_, errs["prune"] = j.Prune(ctx)
	for _, errs["events"] = range j.Events(ctx, id, 0) {
	}
	for name, err := range errs {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnfinished_aNewProcessFindsWhatRan(t *testing.T) {
	path := t.TempDir() + "/state.db"
	db := openFile(t, path)
	j := open(t, db, Options{})
	var want []string
	for i := range 5 {
		r := create(t, j, New{Params: json.RawMessage(fmt.Sprint(i))})
		if i%2 == 0 {
			want = append(want, r.ID)
		} else {
			finish(t, j, r.ID, Completed)
		}
	}
	if err := errors.Join(j.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	db = openFile(t, path)
	defer db.Close()
	j = open(t, db, Options{})
	got, err := j.Unfinished(t.Context())
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %d, %v; want %d", len(got), err, len(want))
	}
	for i, r := range got {
		if r.ID != want[i] || string(r.Params) != fmt.Sprint(2*i) || r.State != Scraping {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}
