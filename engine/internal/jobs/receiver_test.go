package jobs

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// receiver is a real one on the loopback. It answers with the statuses it is given, then
// with 200.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	got      []received
}

type received struct {
	header http.Header
	raw    []byte
	body   payload
}

func newReceiver(t *testing.T, statuses ...int) *receiver {
	r := &receiver{statuses: statuses}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		raw, err := io.ReadAll(q.Body)
		var p payload
		if err := errors.Join(err, json.Unmarshal(raw, &p)); err != nil || q.Method != http.MethodPost {
			t.Errorf("%s with %q: %v", q.Method, raw, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, received{q.Header, raw, p})
		status := http.StatusOK
		if len(r.statuses) > 0 {
			status, r.statuses = r.statuses[0], r.statuses[1:]
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

// poster sends over a client of its own.
func poster(client *http.Client) func(context.Context, string, http.Header, []byte) (int, error) {
	return func(ctx context.Context, url string, header http.Header, body []byte) (int, error) {
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		q.Header = header
		r, err := client.Do(q)
		if err != nil {
			return 0, err
		}
		return r.StatusCode, r.Body.Close()
	}
}

// Over a real connection and a real file, on a clock that the test moves: signatures
// that the receiver computes for itself, retries at their time, and a restart between
// two attempts.
func TestDeliver_aRealReceiver(t *testing.T) {
	t.Parallel()
	const secret = "a secret"
	server := newReceiver(t, 200, 500, 302)
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	path := filepath.Join(t.TempDir(), "state.db")
	c := newClock()
	o := c.options()
	o.Send = poster(client)
	o.Payload = func(_ context.Context, _ Record, e Event) (json.RawMessage, string, error) {
		return json.RawMessage(`[{"markdown":"ä <1>"}]`), "", nil
	}
	db := openFile(t, path)
	j := open(t, db, o)
	r := create(t, j, New{Webhook: &Webhook{URL: server.URL + "/hook", Secret: secret, Headers: map[string]string{"X-Own": "1", "content-type": "application/x.own"}}})
	pages(t, j, r.ID, 1)
	failed := func(n int) func() bool {
		return func() bool {
			d, err := j.Deliveries(t.Context(), r.ID)
			return err == nil && d.Next != nil && d.Next.Attempts == n
		}
	}
	until(t, "the first attempt", failed(1))
	c.Advance(time.Minute)
	until(t, "the second attempt", failed(2))
	if err := errors.Join(j.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}

	c.Advance(5*time.Minute - time.Millisecond)
	db = openFile(t, path)
	defer db.Close()
	j = open(t, db, o)
	finish(t, j, r.ID, Completed)
	if n := len(server.all()); n != 3 {
		t.Errorf("%d requests before it was due", n)
	}
	c.Advance(time.Millisecond)
	until(t, "all delivered", func() bool {
		d, err := j.Deliveries(t.Context(), r.ID)
		return err == nil && d.Delivered == 3 && d.Next == nil
	})
	if err := j.Close(); err != nil {
		t.Error(err)
	}

	want := []string{"crawl.started", "crawl.page", "crawl.page", "crawl.page", "crawl.completed"}
	got := server.all()
	if len(got) != len(want) {
		t.Fatalf("%d requests, want %d", len(got), len(want))
	}
	for i, g := range got {
		if g.body.Type != want[i] || g.header.Get("X-Own") != "1" || g.header.Get("Content-Type") != "application/x.own" {
			t.Errorf("%d: %s with %v", i, g.body.Type, g.header)
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(g.raw)
		if sign := g.header.Get("X-Winnow-Signature"); sign != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
			t.Errorf("%d: signature %q", i, sign)
		}
		if i > 1 && i < 4 && !bytes.Equal(g.raw, got[1].raw) {
			t.Errorf("attempt %d differs: %s", i, g.raw)
		}
	}
}
