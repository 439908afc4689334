package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// types of what was sent, in order.
func types(all []sent) string {
	var list []string
	for _, s := range all {
		list = append(list, s.Body.Type)
	}
	return strings.Join(list, " ")
}

func TestDeliver_eventsInOrderAsTheServiceWritesThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hooks{}
		j := open(t, memory(), Options{Send: h.post, Payload: func(_ context.Context, r Record, e Event) (json.RawMessage, string, error) {
			if e.Ref == 2 {
				return json.RawMessage(`[{"metadata":{"sourceURL":"https://a.example/2"}}]`), "no such host", nil
			}
			return json.RawMessage(fmt.Sprintf(`[{"markdown":"<b> & %d of %s"}]`, e.Ref, r.URL)), "", nil
		}})
		r := create(t, j, New{URL: "u", Webhook: &Webhook{URL: "https://h.example/x", Metadata: map[string]string{"k": "v"}}})
		pages(t, j, r.ID, 2)
		if _, err := j.Append(t.Context(), r.ID, Event{Type: "status"}); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Finish(t.Context(), r.ID, Failed, "SCRAPE_TIMEOUT", "took too long"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		want := []payload{
			{Success: true, Type: "crawl.started", Data: json.RawMessage(`[]`)},
			{Success: true, Type: "crawl.page", Data: json.RawMessage(`[{"markdown":"<b> & 1 of u"}]`)},
			{Type: "crawl.page", Data: json.RawMessage(`[{"metadata":{"sourceURL":"https://a.example/2"}}]`), Error: "no such host"},
			{Type: "crawl.failed", Data: json.RawMessage(`[]`), Error: "took too long"},
		}
		got := h.all()
		if len(got) != len(want) {
			t.Fatalf("got %s", types(got))
		}
		ids := map[string]bool{}
		for i, s := range got {
			want[i].ID, want[i].WebhookID, want[i].Metadata = r.ID, s.Body.WebhookID, map[string]string{"k": "v"}
			if fmt.Sprintf("%+v", s.Body) != fmt.Sprintf("%+v", want[i]) {
				t.Errorf("%d:\n got %+v\nwant %+v", i, s.Body, want[i])
			}
			if s.URL != "https://h.example/x" || s.Header.Get("Content-Type") != "application/json" || s.Header.Get(SignatureHeader) != "" {
				t.Errorf("%d: to %s with %v", i, s.URL, s.Header)
			}
			ids[s.Body.WebhookID] = true
		}
		if len(ids) != len(want) {
			t.Errorf("ids repeat: %v", ids)
		}
		d, err := j.Deliveries(t.Context(), r.ID)
		if err != nil || d.Delivered != 4 || d.GivenUp != 0 || d.Next != nil || d.Failed != nil {
			t.Errorf("got %+v, %v", d, err)
		}
		if left := rows(t, j.db)[bucketDue]; left != 0 {
			t.Errorf("%d hooks are in line", left)
		}
	})
}

func TestDeliver_theBodyIsJSONWithAllItsKeys(t *testing.T) {
	j := open(t, memory(), Options{})
	body, err := j.body(t.Context(), &delivery{Record{ID: "0190a0a0-0000-7000-8000-000000000000", Kind: "crawl", Webhook: &Webhook{}}, Event{Seq: 1, Type: EventCompleted}})
	want := `{"success":true,"type":"crawl.completed","id":"0190a0a0-0000-7000-8000-000000000000","webhookId":"` + webhookID("0190a0a0-0000-7000-8000-000000000000", 1) + `","data":[],"metadata":{}}`
	if err != nil || string(body) != want {
		t.Errorf("got %s, %v\nwant %s", body, err, want)
	}
}

func TestDeliver_onlyWhatTheFilterLetsThrough(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{"", "batch_scrape.started batch_scrape.page batch_scrape.page batch_scrape.completed"},
		{"completed", "batch_scrape.completed"},
		{"page", "batch_scrape.page batch_scrape.page"},
		{"batch_scrape.started .completed", "batch_scrape.started batch_scrape.completed"},
		{"failed", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := &hooks{}
			j := open(t, memory(), Options{Send: h.post})
			r := create(t, j, New{Kind: "batch_scrape", Webhook: &Webhook{URL: "https://h.example", Events: strings.Fields(c.filter)}})
			pages(t, j, r.ID, 2)
			finish(t, j, r.ID, Completed)
			synctest.Wait()
			if got := types(h.all()); got != c.want {
				t.Errorf("filter %q: got %q, want %q", c.filter, got, c.want)
			}
			if left := rows(t, j.db)[bucketDue]; left != 0 {
				t.Errorf("%d hooks are in line", left)
			}
		})
	}
}

func TestDeliver_aCancelledJobTellsWhatWasBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hooks{}
		j := open(t, memory(), Options{Send: h.post})
		r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
		pages(t, j, r.ID, 1)
		finish(t, j, r.ID, Cancelled)
		synctest.Wait()
		if got := types(h.all()); got != "crawl.started crawl.page" {
			t.Errorf("got %q", got)
		}
	})
}

// An agent's hook receives its actions, with their data, and a cancellation; an
// extraction's of neither.
func TestDeliver_byTheKindOfTheJob(t *testing.T) {
	for kind, want := range map[string]string{
		"agent":   "agent.started agent.action agent.cancelled",
		"extract": "extract.started",
	} {
		synctest.Test(t, func(t *testing.T) {
			h := &hooks{}
			j := open(t, memory(), Options{Send: h.post, Payload: func(_ context.Context, _ Record, e Event) (json.RawMessage, string, error) {
				return slices.Concat([]byte("["), e.Data, []byte("]")), "", nil
			}})
			r := create(t, j, New{Kind: kind, Webhook: &Webhook{URL: "https://h.example"}})
			if _, err := j.Append(t.Context(), r.ID, Event{Type: EventAction, Data: json.RawMessage(`{"did":"click"}`)}); err != nil {
				t.Fatal(err)
			}
			finish(t, j, r.ID, Cancelled)
			synctest.Wait()
			all := h.all()
			if got := types(all); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
			if kind == "agent" && (string(all[1].Body.Data) != `[{"did":"click"}]` || !all[1].Body.Success || all[2].Body.Success) {
				t.Errorf("got %+v", all)
			}
		})
	}
}

func TestDeliver_manyUninterestingEventsArePassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hooks{}
		j := open(t, memory(), Options{Send: h.post})
		r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example", Events: []string{"completed"}}})
		bulk(t, j, r.ID, 2*lookEvents+10)
		finish(t, j, r.ID, Completed)
		synctest.Wait()
		if got := types(h.all()); got != "crawl.completed" {
			t.Errorf("got %q", got)
		}
	})
}

// The schedule: after 1, 5 and 15 minutes, then the event is lost and the next has its turn.
func TestDeliver_retrySchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		h := &hooks{answer: func(_ string, p payload) (int, error) {
			if p.Type == "crawl.started" {
				return http.StatusInternalServerError, nil
			}
			return http.StatusNoContent, nil
		}}
		j := open(t, memory(), Options{Send: h.post})
		r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
		finish(t, j, r.ID, Completed)
		for _, c := range []struct {
			at       time.Duration
			attempts int
			due      time.Duration
		}{{0, 1, time.Minute}, {time.Minute, 2, 6 * time.Minute}, {6 * time.Minute, 3, 21 * time.Minute}} {
			time.Sleep(time.Until(began.Add(c.at)))
			synctest.Wait()
			d, err := j.Deliveries(t.Context(), r.ID)
			if err != nil || d.Next == nil || d.Next.Attempts != c.attempts || d.Next.Status != 500 || d.Next.Type != "crawl.started" || d.Next.Due.Sub(began) != c.due || d.Delivered != 0 || d.GivenUp != 0 {
				t.Fatalf("after %v: %+v, %+v, %v", c.at, d, d.Next, err)
			}
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		var at []time.Duration
		ids := map[string]int{}
		for _, s := range h.all() {
			at = append(at, s.At.Sub(began))
			ids[s.Body.Type+s.Body.WebhookID]++
		}
		if got, want := fmt.Sprint(at), "[0s 1m0s 6m0s 21m0s 21m0s]"; got != want {
			t.Errorf("sent after %s, want %s", got, want)
		}
		if len(ids) != 2 {
			t.Errorf("an id changed between attempts: %v", ids)
		}
		d, err := j.Deliveries(t.Context(), r.ID)
		if err != nil || d.Delivered != 1 || d.GivenUp != 1 || len(d.Failed) != 1 || d.Next != nil {
			t.Fatalf("got %+v, %v", d, err)
		}
		if l := d.Failed[0]; l.Seq != 1 || l.Type != "crawl.started" || l.Attempts != 4 || l.Status != 500 || l.Error == "" || l.Tried.Sub(began) != 21*time.Minute || !l.Due.IsZero() {
			t.Errorf("lost: %+v", l)
		}
	})
}

func TestDeliver_whatIsNoSuccess(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		err    error
		fault  func()
		ok     bool
	}{
		"200":          {200, nil, nil, true},
		"299":          {299, nil, nil, true},
		"301":          {301, nil, nil, false},
		"404":          {404, nil, nil, false},
		"199":          {199, nil, nil, false},
		"no status":    {0, nil, nil, false},
		"error":        {0, errors.New("refused"), nil, false},
		"200 in error": {200, errors.New("body broke off"), nil, false},
		"panic":        {0, nil, func() { panic("boom") }, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			j := open(t, memory(), Options{Send: func(context.Context, string, http.Header, []byte) (int, error) {
				if c.fault != nil {
					c.fault()
				}
				return c.status, c.err
			}})
			r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
			synctest.Wait()
			d, err := j.Deliveries(t.Context(), r.ID)
			if err != nil || (d.Delivered == 1) != c.ok || (d.Next == nil) != c.ok || !c.ok && (d.Next.Error == "" || d.Next.Attempts != 1) {
				t.Errorf("%s: %+v, %+v, %v", name, d, d.Next, err)
			}
		})
	}
}

func TestDeliver_aPayloadThatCantBeMadeIsAFailedAttempt(t *testing.T) {
	for name, make := range map[string]func() (json.RawMessage, string, error){
		"error":    func() (json.RawMessage, string, error) { return nil, "", errors.New("result is gone") },
		"no array": func() (json.RawMessage, string, error) { return json.RawMessage(`{}`), "", nil },
		"no JSON":  func() (json.RawMessage, string, error) { return json.RawMessage(`[`), "", nil },
		"too large": func() (json.RawMessage, string, error) {
			return append(json.RawMessage(`[`), strings.Repeat(" ", maxBody+9)+"]"...), "", nil
		},
		"panic": func() (json.RawMessage, string, error) { panic("boom") },
	} {
		synctest.Test(t, func(t *testing.T) {
			h := &hooks{}
			j := open(t, memory(), Options{Send: h.post, Payload: func(context.Context, Record, Event) (json.RawMessage, string, error) { return make() }})
			r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example", Events: []string{"page"}}})
			pages(t, j, r.ID, 1)
			synctest.Wait()
			d, err := j.Deliveries(t.Context(), r.ID)
			if err != nil || d.Next == nil || d.Next.Attempts != 1 || d.Next.Error == "" || len(h.all()) != 0 {
				t.Errorf("%s: %+v, %+v, %v, sent %d", name, d, d.Next, err, len(h.all()))
			}
		})
	}
}

// Hooks that hang until their time is over hold up neither their jobs nor other hooks,
// however many there are on their host.
func TestDeliver_deadHooksHoldNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		h := &hooks{}
		var mu sync.Mutex
		var hung []time.Duration
		j := open(t, memory(), Options{Send: func(ctx context.Context, url string, header http.Header, body []byte) (int, error) {
			if !strings.HasPrefix(url, "https://dead.example") {
				return h.post(ctx, url, header, body)
			}
			start := time.Now()
			<-ctx.Done()
			mu.Lock()
			defer mu.Unlock()
			hung = append(hung, time.Since(start))
			return 0, ctx.Err()
		}})
		for i := range 50 {
			dead := create(t, j, New{Webhook: &Webhook{URL: fmt.Sprintf("https://dead.example/%d", i)}})
			pages(t, j, dead.ID, 2)
			finish(t, j, dead.ID, Completed)
		}
		alive := create(t, j, New{Webhook: &Webhook{URL: "https://alive.example/"}})
		pages(t, j, alive.ID, 3)
		finish(t, j, alive.ID, Completed)
		synctest.Wait()
		if got := h.all(); types(got) != "crawl.started crawl.page crawl.page crawl.page crawl.completed" || !got[len(got)-1].At.Equal(began) {
			t.Errorf("got %s, the last after %v", types(got), got[len(got)-1].At.Sub(began))
		}
		time.Sleep(time.Minute + time.Second)
		mu.Lock()
		defer mu.Unlock()
		if len(hung) != 4*6 { // four at a time, 10 s each
			t.Errorf("%d attempts hung", len(hung))
		}
		for _, d := range hung {
			if d != 10*time.Second {
				t.Errorf("an attempt took %v", d)
			}
		}
	})
}

func TestDeliver_sendersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		byHost := map[string]int{}
		j := open(t, memory(), Options{Send: func(_ context.Context, url string, _ http.Header, _ []byte) (int, error) {
			mu.Lock()
			now++
			byHost[url]++
			if most = max(most, now); byHost[url] > maxOriginSenders {
				t.Errorf("%d at once to %s", byHost[url], url)
			}
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			now--
			byHost[url]--
			return 200, nil
		}})
		var ids []string
		for i := range 100 {
			ids = append(ids, create(t, j, New{Webhook: &Webhook{URL: fmt.Sprintf("https://h%d.example", i%7)}}).ID)
		}
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if most != maxSenders {
			t.Errorf("at most %d at once, want %d", most, maxSenders)
		}
		for _, id := range ids {
			if d, err := j.Deliveries(t.Context(), id); err != nil || d.Delivered != 1 {
				t.Errorf("%+v, %v", d, err)
			}
		}
	})
}

// Closing in the middle of an attempt doesn't count it; retries keep their time and
// their id when the process is another.
func TestDeliver_goesOnWhereTheLastProcessStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		db := memory()
		h := &hooks{answer: func(string, payload) (int, error) { return 503, nil }}
		j := open(t, db, Options{Send: h.post})
		r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example", Secret: "s"}})
		pages(t, j, r.ID, 1)
		time.Sleep(90 * time.Second) // two attempts
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}

		begun := make(chan struct{}, 1)
		j = open(t, db, Options{Send: func(ctx context.Context, u string, header http.Header, body []byte) (int, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return 0, ctx.Err()
		}})
		<-begun // the third, at its time; broken off by closing
		if at := time.Since(began); at != 6*time.Minute {
			t.Errorf("third attempt after %v", at)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}

		h2 := &hooks{}
		j = open(t, db, Options{Send: h2.post})
		synctest.Wait()
		got := h2.all()
		if types(got) != "crawl.started crawl.page" || got[0].Body.WebhookID != h.all()[0].Body.WebhookID || got[0].At.Sub(began) != 6*time.Minute {
			t.Fatalf("got %+v", got)
		}
		pages(t, j, r.ID, 1)
		finish(t, j, r.ID, Completed)
		synctest.Wait()
		if got := types(h2.all()); got != "crawl.started crawl.page crawl.page crawl.completed" {
			t.Errorf("got %s", got)
		}
	})
}

func TestDeliver_withoutPostTheHookWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memory()
		h := &hooks{}
		j := open(t, db, Options{Send: func(ctx context.Context, _ string, _ http.Header, _ []byte) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}})
		r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
		synctest.Wait()
		for range 2 {
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			j = open(t, db, Options{})
			pages(t, j, r.ID, 1)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		open(t, db, Options{Send: h.post})
		synctest.Wait()
		if got := types(h.all()); got != "crawl.started crawl.page crawl.page" {
			t.Errorf("got %s", got)
		}
	})
}

func TestDeliver_theLogTellsNoSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		w := Webhook{URL: "https://user:w0rd@h.example/T0K3N?k=v4lue", Headers: map[string]string{"Authorization": "Bearer t0ken"}, Secret: "s3cret"}
		j := open(t, memory(), Options{
			Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Send: func(_ context.Context, url string, header http.Header, _ []byte) (int, error) {
				return 0, fmt.Errorf("post %s %v %s: refused", url, header["Authorization"], w.Secret)
			},
		})
		r := create(t, j, New{Webhook: &w})
		time.Sleep(time.Hour)
		synctest.Wait()
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if !strings.Contains(log.String(), "given up") || !strings.Contains(log.String(), r.ID) || !strings.Contains(log.String(), "refused") {
			t.Errorf("the log doesn't tell: %s", log.String())
		}
		for _, secret := range []string{"w0rd", "T0K3N", "v4lue", "t0ken", "s3cret"} {
			if strings.Contains(log.String(), secret) {
				t.Errorf("the log tells %s: %s", secret, log.String())
			}
		}
	})
}

// Events that a hook does not receive cost it nothing.
func TestDeliver_theFilterIsAskedWhenAnEventIsAppended(t *testing.T) {
	j := quiet(memory(), newClock())
	r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example", Events: []string{"completed"}}})
	pages(t, j, r.ID, 1)
	if n := rows(t, j.db)[bucketDue]; n != 0 {
		t.Errorf("%d hooks are in line", n)
	}
	finish(t, j, r.ID, Completed)
	if n := rows(t, j.db)[bucketDue]; n != 1 {
		t.Errorf("%d hooks are in line, want 1", n)
	}
}

// A store that can't be written makes hooks rest, not spin; what was sent is sent again.
func TestDeliver_aBrokenStoreMakesHooksRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		db := &counting{DB: memory()}
		h := &hooks{answer: func(string, payload) (int, error) {
			db.mu.Lock()
			defer db.mu.Unlock()
			db.left = 0
			if time.Since(began) < 90*time.Second {
				db.left = -1 // the result can't be written
			}
			return 200, nil
		}}
		j := open(t, db, Options{Send: h.post})
		r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
		time.Sleep(10 * time.Minute)
		var at []time.Duration
		ids := map[string]bool{}
		for _, s := range h.all() {
			at = append(at, s.At.Sub(began))
			ids[s.Body.WebhookID] = true
		}
		if fmt.Sprint(at) != "[0s 1m0s 2m0s]" || len(ids) != 1 {
			t.Errorf("sent after %v with %d ids", at, len(ids))
		}
		if d, err := j.Deliveries(t.Context(), r.ID); err != nil || d.Delivered != 1 {
			t.Errorf("%+v, %v", d, err)
		}
	})
}

func TestDeliveries_listTheNewestLost(t *testing.T) {
	j := quiet(memory(), newClock())
	r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
	err := j.db.Update(func(tx Tx) error {
		for seq := range uint64(maxLost + 5) {
			if err := put(tx, bucketLost, key(1, seq+1), Delivery{Seq: seq + 1}); err != nil {
				return err
			}
		}
		return nil
	})
	d, getErr := j.Deliveries(t.Context(), r.ID)
	if err := errors.Join(err, getErr); err != nil || len(d.Failed) != maxLost || d.Failed[0].Seq != 6 {
		t.Errorf("%d lost, %v", len(d.Failed), err)
	}
}
