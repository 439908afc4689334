package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// page is a handler of one HTML body.
func htmlPage(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	})
}

// noNetwork fails the test on any dial or look-up: virtual hosts need neither.
func noNetwork(t testing.TB) func(*Options) {
	return func(o *Options) {
		o.Policy = fetch.Policy{}
		o.Resolver = names{}
		o.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
			t.Errorf("dialled %s", addr)
			return nil, fmt.Errorf("no network here")
		}
	}
}

func TestHosts_areServedToHTTPAndBrowserAlike(t *testing.T) {
	t.Parallel()
	e := renderingEngine(t, noNetwork(t), func(o *Options) {
		o.Hosts = map[string]http.Handler{
			"shop.example": htmlPage(`<main><h1>The shop</h1><p id=p>plain</p></main><script>p.textContent = "scripted on " + location.protocol</script>`),
		}
	})
	for _, scheme := range []string{"http", "https"} {
		for render, want := range map[Render]string{RenderNever: "plain", RenderAlways: "scripted on " + scheme + ":"} {
			for _, verify := range []bool{true, false} {
				doc, err := e.Scrape(t.Context(), scheme+"://shop.example/", ScrapeOptions{Render: render, SkipTLSVerification: new(!verify), MaxAge: fresh})
				if err != nil || !strings.Contains(doc.Markdown, want) {
					t.Errorf("%s, %s, verify %t: %+v, %v", scheme, render, verify, doc, err)
				}
			}
		}
	}
}

func TestHosts_redirectAmongThemselves(t *testing.T) {
	t.Parallel()
	e := renderingEngine(t, noNetwork(t), func(o *Options) {
		o.Hosts = map[string]http.Handler{
			"a.example": http.RedirectHandler("https://b.example/there", http.StatusFound),
			"b.example": htmlPage("<p>arrived</p>"),
		}
	})
	for _, render := range []Render{RenderNever, RenderAlways} {
		doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: render})
		if err != nil || doc.Metadata.URL != "https://b.example/there" || !strings.Contains(doc.Markdown, "arrived") {
			t.Errorf("%s: %+v, %v", render, doc, err)
		}
	}
}

// What is virtual belongs to the author of the handler, as an intranet does: a
// page from outside must not get at it.
func TestHosts_canNotBeReachedFromOutside(t *testing.T) {
	t.Parallel()
	var reached sync.Map
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Store(r.URL.Path, true)
		w.Header().Set("Access-Control-Allow-Origin", "*")
	})
	outside := serve(t, map[string]string{
		"/page": `<p>a page</p><iframe src="http://inner.example/frame"></iframe><img src="https://inner.example/img"><script>
			for (const scheme of ["http", "https"]) fetch(scheme + "://inner.example/fetch").catch(() => {})</script>`,
		"/script": `<p>x</p><script>location.href = "https://inner.example/script"</script>`,
		"/meta":   `<meta http-equiv=refresh content="0;url=http://inner.example/meta">`,
	})
	redirect := serveHandler(t, http.RedirectHandler("http://inner.example/redirect", http.StatusFound))
	e := renderingEngine(t, func(o *Options) {
		o.Hosts = map[string]http.Handler{"inner.example": inner}
		o.Resolver = names{}
	})
	for _, url := range []string{outside.URL + "/page", outside.URL + "/script", outside.URL + "/meta", redirect.URL} {
		for _, render := range []Render{RenderNever, RenderAlways} {
			_, err := e.Scrape(t.Context(), url, ScrapeOptions{Render: render})
			if url == redirect.URL && CodeOf(err) != CodeBlocked {
				t.Errorf("redirect by %s: %v, want %s", render, err, CodeBlocked)
			}
		}
	}
	reached.Range(func(path, _ any) bool {
		t.Errorf("%v was reached", path)
		return true
	})
}

func serveHandler(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv
}

// refusedTargets are forms of addresses that no public page has any business with.
var refusedTargets = []string{
	"http://127.0.0.1", "http://[::1]", "http://[::ffff:127.0.0.1]", "http://[64:ff9b::7f00:1]", "http://2130706433", "http://0x7f.1",
	"http://0", "http://localhost", "http://localhost.", "http://LOCALHOST.", "https://shop.localhost.", "http://private.example", "http://rebinding.example", "http://169.254.169.254", "http://10.0.0.1",
	"http://192.168.0.1", "http://100.64.0.1", "http://[fe80::1]", "http://[fd00::1]", "https://127.0.0.1", "https://private.example",
}

// rebinding answers with a public address first and a private one ever after.
type rebinding struct {
	names
	asked atomic.Int64
}

func (r *rebinding) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if host != "rebinding.example" {
		return r.names.LookupNetIP(ctx, network, host)
	}
	if r.asked.Add(1) == 1 {
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// guardedEngine has the default policy, and fails the test when anything but the
// one public address is dialled.
func guardedEngine(t *testing.T, host http.Handler) *Engine {
	return renderingEngine(t, func(o *Options) {
		o.Policy = fetch.Policy{}
		o.Hosts = map[string]http.Handler{"page.example": host}
		o.Resolver = &rebinding{names: names{"private.example": "127.0.0.1"}}
		o.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
			if !strings.HasPrefix(addr, "93.184.216.34:") {
				t.Errorf("dialled %s", addr)
			}
			return nil, errors.New("no network here")
		}
	})
}

func TestPolicy_refusesEveryFormOfAddress(t *testing.T) {
	t.Parallel()
	e := guardedEngine(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	}))
	_, _ = e.Scrape(t.Context(), "http://rebinding.example", ScrapeOptions{Render: RenderNever, Timeout: 20 * time.Second}) // the public answer
	for i, target := range refusedTargets {
		for _, url := range []string{target, "http://page.example/?to=" + target} {
			for _, render := range []Render{RenderNever, RenderAlways} {
				if raced && render == RenderAlways && i%5 != 0 {
					continue // what the browser is led to is judged as it is for HTTP
				}
				if _, err := e.Scrape(t.Context(), url, ScrapeOptions{Render: render}); CodeOf(err) != CodeBlocked {
					t.Errorf("%s by %s: %v, want %s", url, render, err, CodeBlocked)
				}
			}
		}
	}
}

func TestPolicy_holdsForAllThatAPageTries(t *testing.T) {
	t.Parallel()
	var tries strings.Builder
	for _, target := range refusedTargets {
		fmt.Fprintf(&tries, `<img src="%[1]s/img"><iframe src="%[1]s/frame"></iframe><link rel=stylesheet href="%[1]s/css"><script>
			fetch("%[1]s/fetch").catch(() => {}); try { new WebSocket("%[2]s/socket") } catch {}</script>`, target, strings.Replace(target, "http", "ws", 1))
	}
	e := guardedEngine(t, htmlPage("<p>the page stands</p>"+tries.String()))
	shot := []formats.Format{{Type: formats.Markdown}, {Type: formats.Screenshot}} // so that images are loaded
	doc, err := e.Scrape(t.Context(), "http://page.example/", ScrapeOptions{Formats: shot})
	if err != nil || !strings.Contains(doc.Markdown, "the page stands") {
		t.Errorf("%+v, %v", doc, err)
	}
}
