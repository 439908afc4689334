package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// reader reads a stream over plain HTTP message by message.
type reader struct {
	t    *testing.T
	resp *http.Response
	body *bufio.Scanner
	id   string // of the last event
}

func (s *service) stream(t *testing.T, method, path, body, accept string, change ...func(http.Header)) *reader {
	t.Helper()
	srv := httptest.NewServer(s.Handler)
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, srv.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Accept": {accept}, "Authorization": {"Bearer " + redSecret}, "Content-Type": {"application/json"}}
	for _, c := range change {
		c(r.Header)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	scanner := bufio.NewScanner(resp.Body)
	scanner.Buffer(nil, 1<<20)
	return &reader{t: t, resp: resp, body: scanner}
}

// next is the next message, nil at the end.
func (r *reader) next() *answer {
	r.t.Helper()
	for r.body.Scan() {
		line := r.body.Text()
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			r.id = id
			continue
		}
		line = strings.TrimPrefix(line, "data: ")
		if line == "" || line == ":" {
			continue
		}
		a := &answer{raw: line}
		if err := json.Unmarshal([]byte(line), &a.body); err != nil {
			r.t.Fatalf("%v: %q", err, line)
		}
		return a
	}
	if err := r.body.Err(); err != nil {
		r.t.Fatal(err)
	}
	return nil
}

// types are those of all further messages.
func (r *reader) types() string {
	r.t.Helper()
	var list []string
	for a := r.next(); a != nil; a = r.next() {
		list = append(list, a.text("type"))
	}
	return strings.Join(list, " ")
}

func TestEvents_followAJobToItsEnd(t *testing.T) {
	for _, kind := range []string{eventsType, linesType} {
		gate := make(chan struct{})
		s := newService(t, gated(gate))
		id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/gated/1"]}`).text("id")
		r := s.stream(t, "GET", "/v2/batch/scrape/"+id, "", "text/html, "+kind+";q=0.9")
		if got := r.resp.Header.Get("Content-Type"); r.resp.StatusCode != 200 || got != kind {
			t.Fatalf("%d %s", r.resp.StatusCode, got)
		}
		first := r.next()
		if first.text("type") != "catchup" || first.text("data", "status") != "scraping" {
			t.Errorf("%s: %s", kind, first.raw)
		}
		if doc := r.next(); doc.text("type") != "document" || doc.text("data", "metadata", "sourceURL") != "lamp.example/a" {
			t.Errorf("%s", doc.raw)
		}
		close(gate)
		if got := r.types(); got != "document catchup done" {
			t.Errorf("%s: then came %s", kind, got)
		}
		if want := map[string]string{eventsType: lastEvent, linesType: ""}[kind]; r.id != want {
			t.Errorf("%s: the last id is %q, want %q", kind, r.id, want)
		}
	}
}

// A client that comes back gets what it hasn't, and nothing more once it had the end.
func TestEvents_areResumed(t *testing.T) {
	s := newService(t)
	id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/b","lamp.example/c"]}`).text("id")
	s.ended(id)
	for last, want := range map[string]string{
		"": "document document document catchup done", "1": "document document catchup done", "3": "catchup done", "no number": "document document document catchup done",
	} {
		r := s.stream(t, "GET", "/v2/batch/scrape/"+id, "", eventsType, func(h http.Header) { h.Set(lastEventName, last) })
		if got := r.types(); got != want {
			t.Errorf("after %q came %s, want %s", last, got, want)
		}
	}
	if r := s.stream(t, "GET", "/v2/batch/scrape/"+id, "", eventsType, func(h http.Header) { h.Set(lastEventName, lastEvent) }); r.resp.StatusCode != 204 {
		t.Errorf("after the end: %d", r.resp.StatusCode)
	}
}

func TestEvents_aCrawlIsStartedAndFollowedByOneRequest(t *testing.T) {
	s := newService(t)
	r := s.stream(t, "POST", "/v2/crawl", `{"url":"lamp.example","limit":3}`, linesType)
	first := r.next()
	if first.text("type") != "started" || !isUUID(first.text("data", "id")) || first.get("data", "success") != true {
		t.Errorf("%s", first.raw)
	}
	got := r.types()
	if want := "document document document catchup done"; strings.ReplaceAll(got, "catchup document", "document") != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEvents_aJobThatFailsSaysWhy(t *testing.T) {
	s := newService(t)
	r := s.stream(t, "POST", "/v2/crawl", `{"url":"http://nobody.example"}`, linesType)
	var last *answer
	for a := r.next(); a != nil; a = r.next() {
		if a.text("type") == "error" {
			last = a
		}
	}
	if last == nil || last.text("code") != string(engine.CodeDNS) || last.text("error") != "resolve nobody.example: no such host" {
		t.Errorf("%+v", last)
	}
}

// What is refused is refused by a status and a body of JSON, as without a stream.
func TestEvents_refusalsAreAsElsewhere(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Limits.Streams = 1 })
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","limit":1}`).text("id")
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/v2/crawl", `{"url":"lamp.example","limt":1}`, 400}, {"GET", "/v2/batch/scrape/" + id, "", 404}, {"GET", "/v2/crawl/1", "", 400},
	} {
		r := s.stream(t, c.method, c.path, c.body, linesType)
		body, _ := io.ReadAll(r.resp.Body)
		if got := r.resp.Header.Get("Content-Type"); r.resp.StatusCode != c.want || !strings.HasPrefix(got, "application/json") {
			t.Errorf("%s: %d %s %s", c.path, r.resp.StatusCode, got, body)
		}
	}
}

// The job goes on when the client leaves, and the client's place among the streams is free again.
func TestEvents_theJobOutlivesTheClient(t *testing.T) {
	gate := make(chan struct{})
	s := newService(t, gated(gate), func(_ *engine.Options, o *Options) { o.Limits.Streams = 1 })
	r := s.stream(t, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/gated/1"]}`, eventsType)
	id := r.next().text("data", "id")
	if second := s.stream(t, "GET", "/v2/batch/scrape/"+id, "", eventsType); second.resp.StatusCode != 429 || second.resp.Header.Get("Retry-After") == "" {
		t.Errorf("a second stream: %d", second.resp.StatusCode)
	}
	_ = r.resp.Body.Close()
	close(gate)
	if status := s.ended(id); status.State != engine.JobCompleted {
		t.Errorf("%+v", status)
	}
	for again := s.stream(t, "GET", "/v2/batch/scrape/"+id, "", eventsType); again.resp.StatusCode != 200; {
		again = s.stream(t, "GET", "/v2/batch/scrape/"+id, "", eventsType) // until the server has seen that the first has left
	}
}
