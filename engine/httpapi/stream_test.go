package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/winnow-go/winnow/engine"
)

// follower is a client that follows a job.
type follower struct {
	t    testing.TB
	conn *websocket.Conn
}

// follow opens a stream as the official client does: its key is the subprotocol.
func (s *service) follow(path, secret string, change ...func(http.Header)) (*follower, *http.Response, error) {
	s.t.Helper()
	srv := httptest.NewServer(s.Handler)
	s.t.Cleanup(srv.Close)
	h := http.Header{}
	for _, c := range change {
		c(h)
	}
	o := &websocket.DialOptions{HTTPHeader: h, HTTPClient: &http.Client{Transport: &http.Transport{DialContext: narrow}}}
	if secret != "" {
		o.Subprotocols = []string{secret}
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	conn, resp, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(srv.URL, "http")+path, o)
	if err != nil {
		return nil, resp, err
	}
	conn.SetReadLimit(-1)
	s.t.Cleanup(func() { _ = conn.CloseNow() })
	return &follower{s.t, conn}, resp, nil
}

// narrow dials with a small buffer, so that who doesn't read is soon noticed.
func narrow(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	if tcp, ok := conn.(*net.TCPConn); ok && err == nil {
		err = tcp.SetReadBuffer(64 << 10)
	}
	return conn, err
}

func (s *service) mustFollow(path, secret string) *follower {
	s.t.Helper()
	f, _, err := s.follow(path, secret)
	if err != nil {
		s.t.Fatal(err)
	}
	if f.conn.Subprotocol() != secret { // what a browser wants to see
		s.t.Errorf("subprotocol %q", f.conn.Subprotocol())
	}
	return f
}

// next is the next message; nil when the stream has ended well.
func (f *follower) next() *answer {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	_, data, err := f.conn.Read(ctx)
	if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
		return nil
	}
	a := &answer{raw: string(data)}
	if err == nil {
		err = json.Unmarshal(data, &a.body)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return a
}

// heard is what a stream sent until its end.
type heard struct {
	types []string
	urls  map[string]int
	last  *answer // status record
}

func (f *follower) all() heard {
	f.t.Helper()
	h := heard{urls: map[string]int{}}
	for a := f.next(); a != nil; a = f.next() {
		h.types = append(h.types, a.text("type"))
		docs := []any{a.get("data")}
		if a.text("type") == "catchup" {
			h.last = a
			docs = a.get("data", "data").([]any)
		}
		for _, doc := range docs {
			if m, ok := doc.(map[string]any); ok {
				h.urls[m["metadata"].(map[string]any)["sourceURL"].(string)]++
			}
		}
	}
	return h
}

// gated serves pages that wait for gate.
func gated(gate <-chan struct{}) func(*engine.Options, *Options) {
	return func(eo *engine.Options, _ *Options) {
		mux := eo.Hosts["lamp.example"].(*http.ServeMux)
		mux.HandleFunc("/gated/", func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-gate:
			case <-r.Context().Done():
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%s</title><p>page", r.URL.Path)
		})
	}
}

func TestStream_followsAJobToItsEnd(t *testing.T) {
	gate := make(chan struct{})
	s := newService(t, gated(gate))
	id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/gated/1","lamp.example/gated/2"]}`).text("id")
	f := s.mustFollow("/v2/batch/scrape/"+id, redSecret)
	first := f.next()
	if first.text("type") != "catchup" || first.text("data", "status") != "scraping" { // it may not have begun yet
		t.Errorf("%s", first.raw)
	}
	close(gate)
	h := f.all()
	for _, doc := range first.get("data", "data").([]any) {
		h.urls[doc.(map[string]any)["metadata"].(map[string]any)["sourceURL"].(string)]++
	}
	if len(h.urls) != 3 || h.urls["lamp.example/gated/1"] != 1 || h.last.text("data", "status") != "completed" || h.last.get("data", "completed") != 3.0 || h.types[len(h.types)-1] != "done" {
		t.Errorf("%+v", h)
	}
}

func TestStream_ofAJobThatHasEnded(t *testing.T) {
	s := newService(t)
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","sitemap":"skip","ignoreRobotsTxt":true}`).text("id")
	s.ended(id)
	h := s.mustFollow("/v2/crawl/"+id, redSecret).all()
	if fmt.Sprint(h.types) != "[catchup done]" || len(h.urls) != 3 || h.last.text("data", "status") != "completed" || len(h.last.get("data", "data").([]any)) != 3 {
		t.Errorf("%+v", h)
	}
	var many []string
	for i := range 130 {
		many = append(many, fmt.Sprintf(`"lamp.example/a?%d"`, i))
	}
	id = s.must(200, "POST", "/v2/batch/scrape", `{"urls":[`+strings.Join(many, ",")+`]}`).text("id")
	s.ended(id)
	h = s.mustFollow("/v2/batch/scrape/"+id, redSecret).all()
	if len(h.urls) != 130 || len(h.types) != 132 || h.types[0] != "document" || h.types[130] != "catchup" || h.types[131] != "done" || len(h.last.get("data", "data").([]any)) != 0 {
		t.Errorf("%d documents, %v", len(h.urls), h.types)
	}
}

func TestStream_reportsThatAJobWasCancelledOrFailed(t *testing.T) {
	s := newService(t)
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example/slow","sitemap":"skip","ignoreRobotsTxt":true}`).text("id")
	f := s.mustFollow("/v2/crawl/"+id, redSecret)
	f.next()
	s.must(200, "DELETE", "/v2/crawl/"+id, "")
	if h := f.all(); fmt.Sprint(h.types) != "[catchup done]" || h.last.text("data", "status") != "cancelled" {
		t.Errorf("%+v", h)
	}
	id = s.must(200, "POST", "/v2/crawl", `{"url":"nobody.example","sitemap":"skip","ignoreRobotsTxt":true}`).text("id")
	s.ended(id)
	f = s.mustFollow("/v2/crawl/"+id, redSecret)
	f.next()
	if a := f.next(); a.text("type") != "error" || a.text("code") != "SCRAPE_DNS_RESOLUTION_ERROR" || a.text("error") == "" {
		t.Errorf("%s", a.raw)
	}
	if h := f.all(); len(h.types) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestStream_refusals(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Limits.Streams = 1 })
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example/slow","sitemap":"skip","ignoreRobotsTxt":true}`).text("id")
	s.mustFollow("/v2/crawl/"+id, redSecret)
	bearer := func(h http.Header) { h.Set("Authorization", "Bearer "+redSecret) }
	for name, c := range map[string]struct {
		path, secret string
		change       func(http.Header)
		want         int
	}{
		"one too many":         {"/v2/crawl/" + id, redSecret, nil, 429},
		"by a header":          {"/v2/crawl/" + id, "", bearer, 429},
		"no key":               {"/v2/crawl/" + id, "", nil, 401},
		"a wrong key":          {"/v2/crawl/" + id, "wrong-secret-0123456789", nil, 401},
		"another team":         {"/v2/crawl/" + id, blueSecret, nil, 403},
		"another kind":         {"/v2/batch/scrape/" + id, redSecret, nil, 404},
		"unknown":              {"/v2/crawl/0190b8a0-0000-7000-8000-000000000000", redSecret, nil, 404},
		"no id":                {"/v2/crawl/x", redSecret, nil, 400},
		"a route without one":  {"/v2/team/activity", redSecret, nil, 200},
		"a key in the address": {"/v2/crawl/" + id + "?key=" + redSecret, "", nil, 401},
	} {
		change := c.change
		if change == nil {
			change = func(http.Header) {}
		}
		_, resp, err := s.follow(c.path, c.secret, change)
		if err == nil || resp == nil || resp.StatusCode != c.want {
			t.Errorf("%s: %v, want %d", name, err, c.want)
		}
	}
	for name, value := range map[string]string{"Sec-WebSocket-Version": "8", "Sec-WebSocket-Key": "short"} {
		a := s.red("GET", "/v2/crawl/"+id, "", func(r *http.Request) {
			for n, v := range map[string]string{"Connection": "keep-alive, Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg=="} {
				r.Header.Set(n, v)
			}
			r.Header.Set(name, value)
		})
		if a.status != 400 {
			t.Errorf("%s %s: %d %s", name, value, a.status, a.raw)
		}
	}
}

func TestStream_anonymousPagesOfOtherOriginsAreRefused(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.Anonymous, o.Keys, o.BaseURL = true, nil, "" })
	id := s.as("", "POST", "/v2/crawl", `{"url":"lamp.example/slow","sitemap":"skip","ignoreRobotsTxt":true}`, func(r *http.Request) { r.Host = "localhost" }).text("id")
	if _, resp, err := s.follow("/v2/crawl/"+id, "", func(h http.Header) { h.Set("Origin", "https://other.example") }); err == nil || resp.StatusCode != 403 {
		t.Errorf("another origin: %v", err)
	}
	f, _, err := s.follow("/v2/crawl/"+id, "")
	if err != nil {
		t.Fatal(err)
	}
	if a := f.next(); a.text("type") != "catchup" {
		t.Errorf("%s", a.raw)
	}
}

// A client that takes nothing is cut off, and the room that it had is free again. The log has no error of it.
func TestStream_aClientThatIsSlowOrGone(t *testing.T) {
	log := &lockedBuffer{}
	s := newService(t, func(eo *engine.Options, o *Options) {
		o.Logger = log.logger()
		o.Limits.Streams, o.WriteTimeout = 1, 2*time.Second // which bounds the refusals too
		eo.Hosts["lamp.example"].(*http.ServeMux).HandleFunc("/big/", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(bytes.Repeat([]byte(r.URL.Path), 3<<20/len(r.URL.Path)))
		})
	})
	id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/big/1","lamp.example/big/2"],"formats":["rawBase64"]}`).text("id")
	s.ended(id)
	s.mustFollow("/v2/batch/scrape/"+id, redSecret) // reads nothing
	deadline := time.Now().Add(patience)
	for {
		f, resp, err := s.follow("/v2/batch/scrape/"+id, redSecret)
		if err == nil {
			_ = f.conn.CloseNow()
			break
		}
		if resp == nil || resp.StatusCode != 429 || time.Now().After(deadline) {
			t.Fatalf("the stream's place isn't free: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if text := log.String(); strings.Contains(text, "ERROR") {
		t.Errorf("%s", text)
	}
}

func TestStream_endsWithItsEngine(t *testing.T) {
	s := newService(t)
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example/slow","sitemap":"skip","ignoreRobotsTxt":true}`).text("id")
	f := s.mustFollow("/v2/crawl/"+id, redSecret)
	f.next()
	if err := s.engine.Close(); err != nil {
		t.Fatal(err)
	}
	var last error
	for last == nil {
		_, _, last = f.conn.Read(t.Context())
	}
	if e, ok := errors.AsType[websocket.CloseError](last); ok && e.Code == websocket.StatusNormalClosure {
		t.Errorf("%v", last)
	}
}
