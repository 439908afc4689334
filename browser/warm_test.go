package browser

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// marksPage leaves something in every place that a page can write to, and says what it found there before.
const marksPage = `<!doctype html><link rel=stylesheet href=/cached.css><body><script>
const dig = async () => {
	const found = [];
	const note = (what, there) => { if (there) found.push(what) };
	note("cookie", document.cookie); document.cookie = "mark=1; max-age=1000";
	for (const [name, store] of [["local", localStorage], ["session", sessionStorage]]) { note(name, store.length); store.mark = 1; }
	note("name", window.name); window.name = "mark";
	note("history", history.length > 2); history.pushState({mark: 1}, "", "#mark"); // about:blank and this page
	note("state", performance.getEntriesByType("navigation")[0].type !== "navigate");
	note("idb", (await indexedDB.databases()).length);
	await new Promise((done) => { const q = indexedDB.open("mark", 1); q.onsuccess = q.onerror = done; });
	note("caches", (await caches.keys()).length); await (await caches.open("mark")).put("/mark", new Response("mark"));
	const folder = await navigator.storage.getDirectory(); let files = 0; for await (const _ of folder.keys()) files++;
	note("files", files); await folder.getFileHandle("mark", {create: true});
	const worker = new SharedWorker("/worker.js");
	note("worker", await new Promise((done) => { worker.port.onmessage = (e) => done(e.data > 1); }));
	const inner = document.createElement("iframe"); inner.src = "/inner"; document.body.append(inner); // writes too, so only now
	await new Promise((done) => { inner.onload = done; });
	return found.join();
};
addEventListener("pagehide", () => { sessionStorage.late = 1; localStorage.late = 1; document.cookie = "late=1"; navigator.sendBeacon("/beacon"); });
dig().then((found) => { document.title = "found:" + found; }, (e) => { document.title = "failed: " + e; });
</script>`

func marksSite(t *testing.T, s *site) {
	t.Helper()
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/marks":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, marksPage)
		case "/inner":
			page(`<script>sessionStorage.inner = 1; localStorage.inner = 1</script>`)(w, r)
		case "/worker.js":
			raw("text/javascript", `let n = 0; onconnect = (e) => e.ports[0].postMessage(++n)`)(w, r)
		case "/cached.css":
			w.Header().Set("Cache-Control", "max-age=1000")
			s.mu.Lock()
			s.seen[r.URL.Path] = append(s.seen[r.URL.Path], r.Header.Clone())
			s.mu.Unlock()
			raw("text/css", "p { color: red }")(w, r)
		case "/beacon":
			http.SetCookie(w, &http.Cookie{Name: "beacon", Value: "1", Path: "/"})
		default:
			http.NotFound(w, r)
		}
	})
}

// marksFound loads the page and says what it found of an earlier visit.
func marksFound(t *testing.T, p *Page, s *site) string {
	t.Helper()
	visit(t, p, s.URL+"/marks")
	title := ""
	eventually(t, "the page has looked everywhere", func() bool {
		value, err := p.tab.Page.Title()
		title = value
		return err == nil && title != ""
	})
	return title
}

func TestWarm_nothingOfOnePageIsVisibleToTheNext(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	marksSite(t, s)
	w := warm(t, shared, PageOptions{Proxy: s.proxy}, "127.0.0.1")
	w.wait = patience
	var first *Page
	for n := range 4 {
		p := nextPage(t, w)
		if first == nil {
			first = p
		} else if p != first {
			t.Error("want the same tab")
		}
		if found := marksFound(t, p, s); found != "found:" {
			t.Errorf("page %d: got %q", n+1, found)
		}
		if asked := len(s.requests("/cached.css")); asked != n+1 {
			t.Errorf("page %d: the style sheet was asked for %d times", n+1, asked)
		}
		if lines := p.Requests(); len(lines) > 6 {
			t.Errorf("page %d: requests of other pages are listed: %v", n+1, lines)
		}
	}
	if found := marksFound(t, first, s); !strings.Contains(found, "cookie") || !strings.Contains(found, "session") || !strings.Contains(found, "idb") {
		t.Errorf("without clearing: got %q, so that this test shows nothing", found)
	}
}

func TestWarm_otherPagesKeepTheirState(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	marksSite(t, s)
	beside := open(t, PageOptions{Proxy: s.proxy})
	marksFound(t, beside, s)
	w := warm(t, shared, PageOptions{Proxy: s.proxy}, "127.0.0.1")
	for range 2 {
		if found := marksFound(t, nextPage(t, w), s); found != "found:" {
			t.Errorf("got %q", found)
		}
	}
	if found := marksFound(t, beside, s); !strings.Contains(found, "cookie") || !strings.Contains(found, "local") {
		t.Errorf("got %q, want its own marks", found)
	}
}

func warm(t *testing.T, pool *Pool, o PageOptions, site string) *Warm {
	t.Helper()
	w, err := pool.Warm(testContext(t), o, site)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func nextPage(t *testing.T, w *Warm) *Page {
	t.Helper()
	p, err := w.Page(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWarm_otherSitesAreRefused(t *testing.T) {
	needsBrowser(t)
	w := warm(t, shared, PageOptions{}, "Example.com")
	p := nextPage(t, w)
	for _, address := range []string{"http://example.org/", "http://notexample.com/", "https://example.com.evil/", "http://example.com@evil/", "data:text/html,x"} {
		if _, err := p.Goto(testContext(t), address); !errors.Is(err, ErrSite) {
			t.Errorf("%s: got %v, want ErrSite", address, err)
		}
	}
	for _, address := range []string{"http://example.com/", "https://WWW.example.com:8443/x", "http://example.com./"} {
		if err := p.loader.onSite(address); err != nil {
			t.Error(err)
		}
	}
	for _, site := range []string{"", "http://x", "x/y", "x:80", "a@b", "a b"} {
		var bad *OptionError
		if _, err := shared.Warm(testContext(t), PageOptions{}, site); !errors.As(err, &bad) {
			t.Errorf("%q: got %v, want an OptionError", site, err)
		}
	}
}

func TestWarm_tabThatCannotBeClearedIsReplaced(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	pool := ownPool(t, Options{Shared: quiet(), MaxPages: 1})
	for path, wait := range map[string]time.Duration{"/spinning": 300 * time.Millisecond, "/popups": 0} {
		w := warm(t, pool, PageOptions{Proxy: s.proxy}, "127.0.0.1")
		p := nextPage(t, w)
		visit(t, p, s.URL+path)
		if err := p.Wait(testContext(t), wait); err != nil {
			t.Fatal(err)
		}
		if path == "/popups" {
			eventually(t, "the popup is known", p.popups.seen.Load)
		}
		next := nextPage(t, w)
		if path == "/popups" && next == p {
			t.Errorf("%s: want another tab", path)
		}
		visit(t, next, s.URL+"/")
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWarm_movesToTheNextBrowser(t *testing.T) {
	t.Parallel()
	pool := ownPool(t, Options{MaxContexts: 2, MaxPages: 1})
	w := warm(t, pool, PageOptions{}, "example.com")
	w.wait = patience
	first := nextPage(t, w)
	if second := nextPage(t, w); second != first {
		t.Error("want the same tab")
	}
	third := nextPage(t, w)
	if third.gen == first.gen {
		t.Error("want a tab on the next browser")
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := w.Page(testContext(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

// What a site can teach the browser for good must not reach the next page.
func TestWarm_whatCannotBeClearedEndsWithTheTab(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hints":
			w.Header().Set("Accept-CH", "Sec-CH-UA-Arch, Device-Memory")
			page(`hints`)(w, r)
		case "/app.js":
			raw("text/javascript", "1")(w, r)
		default:
			page(`<p id=p>`+r.Header.Get("Device-Memory")+`</p><script src=/app.js></script>`)(w, r)
		}
	})
	w := warm(t, shared, PageOptions{Proxy: s.proxy}, "127.0.0.1")
	w.wait = patience
	p := nextPage(t, w)
	visit(t, p, s.URL+"/hints")
	next := nextPage(t, w)
	if next == p {
		t.Error("want another tab")
	}
	visit(t, next, s.URL+"/")
	if html, err := next.Content(testContext(t)); err != nil || !strings.Contains(html, `<p id="p"></p>`) {
		t.Errorf("the next page gave a hint: %v, %v", html, err)
	}
	first := nextPage(t, w)
	for n := range 4 {
		p := first
		if n > 0 {
			p = nextPage(t, w)
		}
		visit(t, p, s.URL+"/")
		if p != first {
			t.Error("want the same tab")
		}
		p.traffic.mu.Lock()
		if asked := p.traffic.requested[s.URL+"/app.js"]; asked != 1 {
			t.Errorf("page %d: the program counts as asked for %d times", n+1, asked)
		}
		p.traffic.mu.Unlock()
	}
}
