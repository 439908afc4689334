package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/winnow-go/winnow/fetch"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// echoSite answers with what it was sent, over HTTP/2 or 1.1.
func echoSite(t *testing.T, version int) (site *httptest.Server, seen func() int) {
	var mu sync.Mutex
	n := 0
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		mu.Unlock()
		if strings.Contains(r.URL.Path, "/ads/") {
			t.Errorf("the site got %s", r.URL)
		}
		w.Header().Set("X-Long", r.Header.Get("X-Long"))
		w.Header().Set("X-Proto", r.Proto)
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	}))
	s.EnableHTTP2, s.Config.ErrorLog = version == 2, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, func() int { mu.Lock(); defer mu.Unlock(); return n }
}

// judgingLease is one whose guard refuses what has "/ads/" in its path.
func judgingLease(t *testing.T, site *httptest.Server, o LeaseOptions) (*Lease, *http.Client) {
	o.Judge = func(r Request) bool { return strings.Contains(r.URL, "/ads/") && r.Type == "Script" }
	l, _ := recordingLease(t, nil, site, o)
	c := through(t, l)
	c.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	return l, c
}

func ask(c *http.Client, address string, body []byte) (*http.Response, []byte, error) {
	r, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Sec-Fetch-Dest", "script")
	r.Header.Set("X-Long", strings.Repeat("long.", 5_600)) // more than a frame
	resp, err := c.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return resp, got, err
}

// What is refused never comes to the site; all else does as it is, over the version of HTTP that the site has.
func TestJudge_refusesRequestsInsideTunnels(t *testing.T) {
	for _, version := range []int{1, 2} {
		site, seen := echoSite(t, version)
		l, c := judgingLease(t, site, LeaseOptions{SkipTLSVerify: true})
		big := bytes.Repeat([]byte("0123456789"), 30_000)
		var wg sync.WaitGroup
		for i := range 20 {
			path, wanted := fmt.Sprintf("/some/%d.js", i), i%4 != 1
			if !wanted {
				path = "/ads" + path
			}
			one := func() {
				resp, got, err := ask(c, site.URL+path, big)
				switch {
				case wanted && (err != nil || !bytes.Equal(got, big) || resp.ProtoMajor != version || len(resp.Header.Get("X-Long")) != 28_000):
					t.Errorf("HTTP/%d, %s: %v, %d bytes", version, path, err, len(got))
				case !wanted && err == nil && (resp.StatusCode != http.StatusForbidden || resp.Header.Get(Header) != "ad"):
					t.Errorf("HTTP/%d, %s: %v, want a refusal", version, path, resp)
				}
			}
			if i < 8 {
				one()
			} else {
				wg.Go(one)
			}
		}
		wg.Wait()
		if l.Blocked() != 5 || seen() != 15 {
			t.Errorf("HTTP/%d: %d refused, %d seen; want 5 and 15", version, l.Blocked(), seen())
		}
	}
}

// A certificate that isn't valid is the lease's failure, as without a Judge it is the browser's.
func TestJudge_verifiesCertificates(t *testing.T) {
	site, seen := echoSite(t, 2)
	l, c := judgingLease(t, nil, LeaseOptions{})
	resp, _, err := ask(c, site.URL, nil)
	if err != nil || resp.StatusCode != http.StatusBadGateway || seen() != 0 {
		t.Errorf("%v, %v", resp, err)
	}
	if _, ok := errors.AsType[*fetch.TLSError](l.Failure(strings.TrimPrefix(site.URL, "https://"))); !ok {
		t.Errorf("failure %v, want a *fetch.TLSError", l.Failure(strings.TrimPrefix(site.URL, "https://")))
	}
}

func TestJudge_needsAnInterceptor(t *testing.T) {
	if _, err := newGuard(t).Lease(LeaseOptions{Judge: func(Request) bool { return true }}); err == nil {
		t.Error("no error")
	}
}

func TestKindsOf(t *testing.T) {
	for name, test := range map[string]struct {
		method string
		header map[string]string
		want   string
	}{
		"a script":                {"GET", map[string]string{"sec-fetch-dest": "script"}, "Script"},
		"a frame":                 {"GET", map[string]string{"sec-fetch-dest": "iframe"}, "Subdocument"},
		"a fetch":                 {"GET", map[string]string{"sec-fetch-dest": "empty"}, "XHR"},
		"a beacon":                {"POST", map[string]string{"sec-fetch-dest": "empty", "priority": "u=4, i"}, "Ping"},
		"a fetch that posts":      {"POST", map[string]string{"sec-fetch-dest": "empty", "priority": "u=1, i"}, "XHR"},
		"either, over HTTP/1.1":   {"POST", map[string]string{"sec-fetch-dest": "empty"}, "XHR Ping"},
		"a link's ping":           {"POST", map[string]string{"sec-fetch-dest": "empty", "ping-to": "https://a.example/"}, "Ping"},
		"a prefetch, as held":     {"GET", map[string]string{"sec-fetch-dest": "empty", "sec-purpose": "prefetch"}, "XHR"},
		"an image, without TLS":   {"GET", map[string]string{"accept": "image/avif,image/webp,*/*;q=0.8"}, "Image"},
		"a style, without TLS":    {"GET", map[string]string{"accept": "text/css,*/*;q=0.1"}, "Stylesheet"},
		"anything, without TLS":   {"GET", map[string]string{"accept": "*/*"}, ""},
		"a websocket":             {"GET", map[string]string{"upgrade": "websocket"}, "WebSocket"},
		"one over HTTP/2":         {"CONNECT", map[string]string{":protocol": "websocket", "sec-fetch-dest": "empty"}, "WebSocket"},
		"what is new in browsers": {"GET", map[string]string{"sec-fetch-dest": "hologram"}, ""},
	} {
		if got := strings.Join(kindsOf(test.method, func(name string) string { return test.header[name] }), " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestPageOf(t *testing.T) {
	for name, test := range map[string]struct {
		header map[string]string
		want   string
	}{
		"a script":                        {map[string]string{"referer": "https://a.example/page", "sec-fetch-site": "cross-site"}, "a.example"},
		"a websocket":                     {map[string]string{"origin": "https://a.example:8443"}, "a.example"},
		"a font that a style wants":       {map[string]string{"origin": "https://a.example", "referer": "https://cdn.example/a.css"}, "a.example"},
		"a picture of a style":            {map[string]string{"referer": "https://own.example/a.css", "sec-fetch-site": "cross-site"}, ""},
		"an own one":                      {map[string]string{"referer": "https://own.example/", "sec-fetch-site": "same-origin"}, "own.example"},
		"an own one of a silent page":     {map[string]string{"sec-fetch-site": "same-origin"}, "own.example"},
		"of a sandboxed frame, unnamed":   {map[string]string{"origin": "null", "sec-fetch-site": "cross-site"}, ""},
		"without TLS, of a silent page":   {nil, ""},
		"a referer that isn't of the web": {map[string]string{"referer": "chrome://a/"}, ""},
	} {
		if got := pageOf("https://own.example/x", func(name string) string { return test.header[name] }); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Websockets are judged as what they are, with TLS and without, and a suspected host isn't contacted for what is refused.
func TestJudge_websocketsAndSuspects(t *testing.T) {
	for _, secure := range []bool{false, true} {
		site := recordedSite(t, secure)
		var mu sync.Mutex
		var judged []Request
		l, _ := recordingLease(t, nil, nil, LeaseOptions{SkipTLSVerify: true, Suspect: func(string) bool { return true }, Judge: func(r Request) bool {
			mu.Lock()
			defer mu.Unlock()
			judged = append(judged, r)
			return strings.Contains(r.URL, "/ads/")
		}})
		base := strings.Replace(site.URL, "http", "ws", 1)
		if _, status := socketFrom(t, l, base+"/ads/socket"); status != http.StatusForbidden || l.Bytes() > 0 || l.Blocked() != 1 {
			t.Errorf("secure %t: status %d, %d bytes of the site, %d refused; want %d, 0, 1", secure, status, l.Bytes(), l.Blocked(), http.StatusForbidden)
		}
		c, status := socketFrom(t, l, base+"/socket")
		if status != http.StatusSwitchingProtocols {
			t.Fatalf("secure %t: status %d", secure, status)
		}
		if err := c.Write(t.Context(), websocket.MessageText, []byte("a")); err != nil {
			t.Fatal(err)
		}
		if _, got, err := c.Read(t.Context()); string(got) != "aa" || err != nil {
			t.Errorf("secure %t: %q, %v", secure, got, err)
		}
		if want := (Request{URL: base + "/socket", Type: "WebSocket", Page: "a.example"}); len(judged) != 2 || judged[1] != want {
			t.Errorf("secure %t: judged %+v, want %+v last", secure, judged, want)
		}
	}
}

// socketFrom opens a websocket of a page of a.example, in a tunnel.
func socketFrom(t *testing.T, l *Lease, address string) (c *websocket.Conn, status int) {
	t.Helper()
	tr := through(t, l).Transport.(*http.Transport)
	if strings.HasPrefix(address, "ws:") {
		tr = &http.Transport{DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return tunnelTo(ctx, l, addr) }}
		t.Cleanup(tr.CloseIdleConnections)
	}
	c, resp, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{HTTPClient: &http.Client{Transport: tr},
		HTTPHeader: http.Header{"Origin": {"https://a.example"}}})
	if resp == nil {
		t.Fatal(err)
	}
	if c != nil {
		t.Cleanup(func() { _ = c.CloseNow() })
	}
	return c, resp.StatusCode
}

// headFrame is the frame of a request.
func headFrame(stream uint32, fields ...string) []byte {
	var block bytes.Buffer
	e := hpack.NewEncoder(&block)
	for i := 0; i < len(fields); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	const flags = http2.FlagHeadersEndHeaders | http2.FlagHeadersEndStream
	return append(appendHead(nil, block.Len(), http2.FrameHeaders, flags, stream), block.Bytes()...)
}

// A websocket that shares a connection of HTTP/2 with other requests is judged like any other.
func TestJudge_websocketsOverHTTP2(t *testing.T) {
	sent := []byte(preface)
	for stream, path := range []string{"/ads/socket", "/socket"} {
		sent = append(sent, headFrame(uint32(2*stream+1), ":method", "CONNECT", ":protocol", "websocket", ":scheme", "https", ":authority", "s.example",
			":path", path, "origin", "https://a.example")...)
	}
	var judged []Request
	l := &Lease{}
	l.turn.Store(newTurn(LeaseOptions{Judge: func(r Request) bool {
		judged = append(judged, r)
		return strings.Contains(r.URL, "/ads/")
	}}))
	u := newUpward(l, bytes.NewReader(sent), &downward{})
	if _, err := io.ReadAll(u); err != nil || !u.denied[1] || u.denied[3] {
		t.Errorf("%v, refused %v; want stream 1 alone", err, u.denied)
	}
	want := []Request{{"wss://s.example/ads/socket", "WebSocket", "a.example"}, {"wss://s.example/socket", "WebSocket", "a.example"}}
	if !slices.Equal(judged, want) {
		t.Errorf("judged %+v, want %+v", judged, want)
	}
}

// Whatever a browser sends, what goes on is HTTP/2 of bounded size, and nothing panics.
func FuzzUpward(f *testing.F) {
	request := headFrame(1, ":method", "GET", ":scheme", "https", ":authority", "a.example", ":path", "/ads/1.js", "sec-fetch-dest", "script")
	f.Add([]byte(preface))
	f.Add(append([]byte(preface), request...))
	f.Add(append(append([]byte(preface), request...), appendHead(nil, 0, http2.FrameData, 0, 1)...))
	f.Add(append(append([]byte(preface), appendHead(nil, 1, http2.FrameHeaders, http2.FlagHeadersPadded|http2.FlagHeadersPriority, 1)...), 9))
	f.Fuzz(func(t *testing.T, sent []byte) {
		l := &Lease{}
		l.turn.Store(newTurn(LeaseOptions{Judge: func(r Request) bool { return strings.Contains(r.URL, "/ads/") }}))
		u := newUpward(l, bytes.NewReader(sent), &downward{})
		got, _ := io.ReadAll(u)
		if len(got) > 8*len(sent)+len(preface) && len(got) > 1<<20 {
			t.Errorf("%d bytes became %d", len(sent), len(got))
		}
		if bytes.Contains(got, []byte("/ads/1.js")) && len(u.denied) > 0 {
			t.Error("a refused request goes on")
		}
	})
}

// Frames are inserted only between those of the site, behind its first one.
func TestDownward_findsThePlacesBetweenFrames(t *testing.T) {
	frames := append(appendHead(nil, 3, http2.FrameHeaders, 0, 1), "abc"...) // more of the head follows
	frames = append(append(frames, appendHead(nil, 2, http2.FrameContinuation, http2.FlagContinuationEndHeaders, 1)...), "de"...)
	for size := 1; size <= len(frames); size++ {
		d := &downward{waiting: []byte("x")}
		var places []int
		for at := 0; at < 2*len(frames); {
			b := append(bytes.Clone(frames), frames...)[at:]
			at += d.part(b[:min(size, len(b))])
			if d.between() {
				places = append(places, at)
			}
		}
		if want := []int{len(frames), 2 * len(frames)}; fmt.Sprint(places) != fmt.Sprint(want) {
			t.Errorf("in pieces of %d: %v, want %v", size, places, want)
		}
	}
}
