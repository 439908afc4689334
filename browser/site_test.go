package browser

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// site is a local server and the proxy through which a page reaches it.
type site struct {
	*httptest.Server
	proxy string
	extra []map[string]http.HandlerFunc

	mu   sync.Mutex
	seen map[string][]http.Header // path → headers of its requests
}

// newSite serves routes and what a test adds; proxy is shared by all sites of a test.
func newSite(t testing.TB, proxy string, extra ...map[string]http.HandlerFunc) *site {
	t.Helper()
	s := &site{proxy: proxy, extra: extra, seen: map[string][]http.Header{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Server.Start()
	t.Cleanup(s.Server.Close)
	return s
}

func (s *site) requests(path string) []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[path]
}

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen[r.URL.Path] = append(s.seen[r.URL.Path], r.Header.Clone())
	s.mu.Unlock()
	for _, known := range append(s.extra, routes) {
		if handler, ok := known[r.URL.Path]; ok {
			handler(w, r)
			return
		}
	}
	http.NotFound(w, r)
}

func page(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><html><body>"+body+"</body></html>")
	}
}

func raw(mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		fmt.Fprint(w, body)
	}
}

var routes = map[string]http.HandlerFunc{
	"/":         page("<h1>hello</h1>"),
	"/late":     page(`<div id=a></div><script>setTimeout(() => { a.innerHTML = "<p>came late</p>" }, 300)</script>`),
	"/fetching": page(`<div id=a></div><script>fetch("/slow").then((r) => r.text()).then((t) => { a.innerHTML = "<p>" + t + "</p>" })</script>`),
	"/slow":     slow,
	"/polling":  page(`<p>here</p><script>setInterval(() => fetch("/"), 100)</script>`),
	"/ticking":  page(`<p id=n>0</p><script>setInterval(() => { n.textContent = +n.textContent + 1 }, 40)</script>`),
	"/spinning": page(`<p>before</p><script>addEventListener("load", () => setTimeout(() => { while (true) {} }, 50))</script>`),
	"/stuck":    page(`<p>before</p><script>while (true) {}</script>`),
	"/endless":  endless,
	"/silent":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"/json":     raw("application/json", `{"a": [1, 2]}`),
	"/text":     raw("text/plain; charset=utf-8", "plain <b>text</b>"),
	"/xml":      raw("application/xml", `<?xml version="1.0"?><r><a>1</a></r>`),
	"/xhtml":    raw("application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>`),
	"/missing":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); fmt.Fprint(w, "<p>nothing here</p>") },
	"/empty500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
	"/nothing":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
	"/401": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(401)
		fmt.Fprint(w, "<p>who are you</p>")
	},
	"/download": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=a.bin")
		raw("application/octet-stream", "bytes")(w, nil)
	},
	"/binary": raw("application/zip", "PK\x03\x04"),
	"/to": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	},
	"/leaving-for": func(w http.ResponseWriter, r *http.Request) {
		page(`<a href="`+r.URL.Query().Get("url")+`">leave</a>`)(w, r)
	},
	"/jsto":    page(`<script>location.href = "/missing"</script>`),
	"/metato":  page(`<meta http-equiv=refresh content="0;url=/missing">`),
	"/dialogs": page(`<div id=a></div><script>a.textContent = [alert("x"), confirm("y"), prompt("z")].join("|") + " done"</script>`),
	"/leaving": page(`<p>x</p><script>addEventListener("beforeunload", (e) => { e.preventDefault(); e.returnValue = "stay" })</script>`),
	"/popups":  page(`<p>opener</p><script>for (let i = 0; i < 5; i++) window.open("/?popup=" + i)</script>`),
	"/closing": page(`<p>x</p><script>setTimeout(() => { window.open("", "_self"); window.close() }, 20)</script>`),
	"/setcookie": func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "visited", Value: "yes", Path: "/"})
		page(`<script>localStorage.setItem("visited", "yes")</script>`)(w, r)
	},
	"/echocookie": func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "visited", Value: "yes", Path: "/"})
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "from-the-site", Path: "/"})
		page("sent:"+r.Header.Get("Cookie"))(w, r)
	},
	"/state": page(`<p id=a></p><script>a.textContent = "cookie:" + document.cookie + " storage:" + localStorage.getItem("visited")</script>`),
	"/who": page(`<meta name=viewport content="width=device-width"><p id=a></p><script>(async () => {
		const h = navigator.userAgentData ? await navigator.userAgentData.getHighEntropyValues(["fullVersionList", "platformVersion", "model", "architecture"]) : null;
		a.textContent = JSON.stringify({agent: navigator.userAgent, language: navigator.language, languages: navigator.languages, platform: navigator.platform,
			zone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: Intl.DateTimeFormat().resolvedOptions().locale, webdriver: navigator.webdriver,
			touch: navigator.maxTouchPoints, ratio: devicePixelRatio, inner: [innerWidth, innerHeight], screen: [screen.width, screen.height], hints: h})
	})()</script>`),
	"/tall":   page(`<div style="height: 40000px; background: linear-gradient(red, blue)"></div>`),
	"/webrtc": gathering,
	"/filereader": page(`<p id=a></p><iframe src="file:///etc/passwd"></iframe><script>
		fetch("file:///etc/passwd").then((r) => r.text()).then((t) => { a.textContent = t }, (e) => { a.textContent = "refused" });
		location.href = "file:///etc/passwd"</script>`),
	"/mixed": mixed,
	"/framing": func(w http.ResponseWriter, r *http.Request) {
		page(`<iframe src="`+r.URL.Query().Get("other")+`/inner"></iframe>`)(w, r)
	},
	"/inner": page(`<p>inner</p><img src="/pixel"><script>fetch("/json?languages=" + navigator.languages + "&agent=" + encodeURIComponent(navigator.userAgent)
		+ "&hints=" + encodeURIComponent(JSON.stringify(navigator.userAgentData || null)))</script>`),
	"/pixel": raw("image/gif", "GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
}

// mixed is a page with an image, a frame and a fetch at the address in its query, and one at its own.
func mixed(w http.ResponseWriter, r *http.Request) {
	other := r.URL.Query().Get("other")
	page(fmt.Sprintf(`<img src="%[1]s/pixel"><iframe src="%[1]s/"></iframe><img src="/pixel">
		<script>fetch("%[1]s/json", {mode: "no-cors"}); fetch("/json")</script>`, other))(w, r)
}

func slow(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.(http.Flusher).Flush()
	pause(r, 400)
	fmt.Fprint(w, "slow answer")
}

func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	for i := 0; r.Context().Err() == nil; i++ {
		fmt.Fprintf(w, "<p>line %d</p>\n", i)
		w.(http.Flusher).Flush()
		pause(r, 20)
	}
}

// testProxy is an open forward proxy for http and CONNECT.
type testProxy struct{ *httptest.Server }

func newProxy(t testing.TB) *testProxy {
	t.Helper()
	p := &testProxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Server.CloseClientConnections)
	t.Cleanup(p.Server.Close)
	return p
}

func (p *testProxy) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect {
		tunnel(w, r)
		return
	}
	r.RequestURI = ""
	r.Header.Del("Proxy-Connection")
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(flushing{w}, response.Body)
}

// flushing passes each piece of a body on at once.
type flushing struct{ w http.ResponseWriter }

func (f flushing) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	f.w.(http.Flusher).Flush()
	return n, err
}

func tunnel(w http.ResponseWriter, r *http.Request) {
	upstream, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer upstream.Close()
	client, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	_, _ = io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(upstream, client)
		upstream.Close()
	}()
	_, _ = io.Copy(client, upstream)
	client.Close()
	<-done
}

func contains(t *testing.T, what, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("%s: got %.2000q, want it to hold %q", what, got, want)
	}
}
