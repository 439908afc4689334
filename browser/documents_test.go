package browser

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// refusingProxy serves a site under any http name; it leads to no https site, and refuses a name as the guard does.
func refusingProxy(t testing.TB, s *site) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodConnect:
			w.WriteHeader(http.StatusBadGateway)
		case r.URL.Host == "refused.example":
			w.Header().Set("X-Refused", "yes")
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusForbidden)
		default:
			s.serve(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// A load that fails is answered before the browser shows its error page. What came after it used to hang until its timeout, or to be
// taken for that page.
func TestGoto_doesNotDependOnTheLoadBefore(t *testing.T) {
	needsBrowser(t)
	p := open(t, PageOptions{Proxy: refusingProxy(t, newSite(t, ""))})
	for range inFull(4, 15) {
		for _, address := range []string{"https://dead.example/", "https://none.example/"} {
			var failed *NavigationError
			if _, err := p.Goto(testContext(t), address); !errors.As(err, &failed) || failed.Net != "ERR_TUNNEL_CONNECTION_FAILED" {
				t.Errorf("%s: %v", address, err)
			}
		}
		if nav := visit(t, p, "http://refused.example/"); nav.URL != "http://refused.example/" || nav.Status != 403 || nav.Header.Get("X-Refused") == "" {
			t.Errorf("got %+v", nav)
		}
		if nav := visit(t, p, "http://good.example/"); nav.URL != "http://good.example/" || nav.Status != 200 {
			t.Errorf("got %+v", nav)
		}
	}
}

// However a page sends the browser on, what is shown then has its own address, status and headers.
func TestShown_isTheLastDocument(t *testing.T) {
	needsBrowser(t)
	late := func(script string) http.HandlerFunc {
		return page(`<p>first</p><form action="/missing"></form><script>addEventListener("load", () => setTimeout(() => { ` + script + ` }, 30))</script>`)
	}
	s := newSite(t, "", map[string]http.HandlerFunc{
		"/replaced":  late(`location.replace("/missing")`),
		"/submitted": late(`document.forms[0].submit()`),
		"/pushed":    late(`history.pushState(1, "", "/missing")`),
		"/reloaded": func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Cookie"), "passed") {
				w.WriteHeader(503)
				late(`document.cookie = "passed=1"; location.reload()`)(w, r)
				return
			}
			page("<p>behind the wall</p>")(w, r)
		},
		"/tojson":    late(`location.href = "/json"`),
		"/torefused": late(`location.href = "http://refused.example/"`),
		"/todead":    late(`location.href = "https://dead.example/"`),
		"/todeadnow": page(`<script>location.href = "https://dead.example/"</script>`),
		"/tonothing": late(`location.href = "/nothing"`),
		"/tofile":    late(`location.href = "/download"`),
	})
	proxy := refusingProxy(t, s)
	for _, test := range []struct {
		path, url string
		status    int
		media     string
		failed    string
	}{
		{"/metato", "/missing", 404, "text/html", ""},
		{"/replaced", "/missing", 404, "text/html", ""},
		{"/submitted", "/missing?", 404, "text/html", ""},
		{"/pushed", "/missing", 200, "text/html", ""},
		{"/reloaded", "/reloaded", 200, "text/html", ""},
		{"/tojson", "/json", 200, "application/json", ""},
		{"/torefused", "http://refused.example/", 403, "text/plain", ""},
		{"/tonothing", "/tonothing", 200, "text/html", ""},
		{"/tofile", "/tofile", 200, "text/html", ""},
		{"/todead", "", 0, "", "https://dead.example/"},
		{"/todeadnow", "", 0, "", "https://dead.example/"},
	} {
		t.Run(test.path, func(t *testing.T) {
			p := open(t, PageOptions{Proxy: proxy})
			nav, err := p.Goto(testContext(t), "http://a.example"+test.path)
			if err == nil {
				_, _ = p.WaitReady(testContext(t))
				nav, err = p.Shown(testContext(t))
			}
			var failed *NavigationError
			if test.failed != "" {
				if !errors.As(err, &failed) || failed.URL != test.failed || failed.Net != "ERR_TUNNEL_CONNECTION_FAILED" {
					t.Errorf("got %+v, %v", nav, err)
				}
				if html, err := p.Content(testContext(t)); !errors.As(err, &failed) {
					t.Errorf("the error page is content: %q, %v", html, err)
				}
				return
			}
			want := test.url
			if !strings.HasPrefix(want, "http:") {
				want = "http://a.example" + want
			}
			if err != nil || nav.URL != want || nav.Status != test.status || nav.MediaType != test.media || nav.Document != p.Document() {
				t.Errorf("got %+v, %v, want %s %d %s", nav, err, want, test.status, test.media)
			}
		})
	}
}

// A frame that could not be loaded gives nothing; what stands beside it does.
func TestContent_failedFramesAreEmpty(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, "", map[string]http.HandlerFunc{
		"/frames": page(`<iframe src="https://dead.example/"></iframe><iframe src="http://refused.example/"></iframe><iframe src="/inner"></iframe>`),
	})
	p := open(t, PageOptions{Proxy: refusingProxy(t, s)})
	visit(t, p, "http://a.example/frames")
	html := contentOf(t, p)
	contains(t, "content", html, `data-src="https://dead.example/"></div>`)
	contains(t, "content", html, `data-src="http://refused.example/"></div>`)
	contains(t, "content", html, "<p>inner</p>")
}

// failing is a request that has failed.
type failing struct {
	playwright.Request
	address string
}

func (f failing) URL() string    { return f.address }
func (f failing) Failure() error { return errors.New("net::ERR_NAME_NOT_RESOLVED") }

// A failure, its error page and that page's load event may be reported in any order that keeps the page before its load. Where the
// failure came last, the navigation never ended: the next one waited for ten seconds, after which the tab was closed.
func TestDocuments_aFailureMayBeReportedLate(t *testing.T) {
	t.Parallel()
	const address = "https://none.invalid/"
	for _, late := range []int{0, 1, 2} {
		var d documents
		r := failing{address: address}
		d.requested(r)
		events := slices.Insert([]func(){func() { d.navigated(errorPage + "//chromewebdata/") }, d.loaded}, late, func() { d.failed(r) })
		for i, event := range events {
			if c, _ := d.moving(); c == nil {
				t.Errorf("failure as event %d: at rest before event %d", late, i)
			}
			event()
		}
		if c, _ := d.moving(); c != nil {
			t.Errorf("failure as event %d: still under way: %+v", late, *c)
		}
		if got := d.now(); got.address != address || got.failed != "net::ERR_NAME_NOT_RESOLVED" || got.number != 1 {
			t.Errorf("failure as event %d: %+v", late, got)
		}
	}
}

// A page may go on while the error page of its last try is still to come: that one isn't taken for the next try's.
func TestDocuments_anErrorPageIsThatOfItsOwnNavigation(t *testing.T) {
	t.Parallel()
	var d documents
	first, second := failing{address: "https://one.invalid/"}, failing{address: "https://two.invalid/"}
	d.requested(first)
	d.failed(first)
	d.requested(second)
	d.navigated(errorPage + "//chromewebdata/")
	d.loaded()
	d.failed(second)
	if c, _ := d.moving(); c == nil {
		t.Error("at rest before the second error page")
	}
	d.navigated(errorPage + "//chromewebdata/")
	d.loaded()
	if c, _ := d.moving(); c != nil || d.now().address != second.address {
		t.Errorf("got %+v, %+v", c, d.now())
	}
}
