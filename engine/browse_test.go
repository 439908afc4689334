package engine

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
	"github.com/winnow-go/winnow/formats"
)

// renderingEngine may contact local addresses and renders where needed.
func renderingEngine(t testing.TB, change ...func(*Options)) *Engine {
	t.Helper()
	needBrowser(t)
	var o Options
	o.Policy.AllowPrivate = true
	for _, c := range change {
		c(&o)
	}
	if reflect.ValueOf(o.Browser).IsZero() {
		o.Browser.Shared = commonBrowser(t)
	} else {
		o.Browser.System = true
	}
	return newTestEngine(t, o)
}

// ownBrowser is for tests that count the processes or tabs of their engine's browser, or end it.
func ownBrowser(o *Options) { o.Browser.System = true }

func serve(t testing.TB, pages map[string]string) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv
}

// fresh, as a MaxAge, keeps the cache out of a scrape.
var fresh = new(time.Duration(0))

var shot = formats.Format{Type: formats.Screenshot}

func TestScrape_autoRendersWhatScriptsPutIn(t *testing.T) {
	site, e := fetchtest.New(t), sharedEngine(t)
	for _, path := range []string{"/js", "/spa"} {
		plain, err := e.Scrape(t.Context(), site.URL(path), ScrapeOptions{Render: RenderNever})
		if err != nil || strings.Contains(plain.Markdown, fetchtest.JSText) {
			t.Fatalf("plain %+v, %v", plain, err)
		}
		doc, err := e.Scrape(t.Context(), site.URL(path), ScrapeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Metadata.RenderedBy != "browser" || !strings.HasPrefix(doc.Metadata.RenderReason, "dynamic") || doc.Metadata.ReadyReason == "" {
			t.Errorf("%s: %+v", path, doc.Metadata.Acquisition)
		}
		if !strings.Contains(doc.Markdown, fetchtest.JSText) {
			t.Errorf("%s: rendered %q", path, doc.Markdown)
		}
	}
}

func TestScrape_autoLeavesStaticPagesToHTTP(t *testing.T) {
	site, e := fetchtest.New(t), renderingEngine(t, ownBrowser)
	for _, path := range []string{"/article", "/table", "/text", "/json"} {
		doc, err := e.Scrape(t.Context(), site.URL(path), ScrapeOptions{})
		if err != nil || doc.Metadata.RenderedBy != "http" {
			t.Errorf("%s: %v, %+v", path, err, doc)
		}
	}
	if v := e.pool.Version(); v != "" {
		t.Errorf("a browser (%s) was started for static pages", v)
	}
}

func TestScrape_aStaticPageIsTheSameEitherWay(t *testing.T) {
	site, e := fetchtest.New(t), sharedEngine(t)
	for _, path := range []string{"/article", "/table"} {
		var markdown [2]string
		for i, r := range []Render{RenderNever, RenderAlways} {
			doc, err := e.Scrape(t.Context(), site.URL(path), ScrapeOptions{Render: r})
			if err != nil {
				t.Fatal(err)
			}
			markdown[i] = doc.Markdown
		}
		if markdown[0] != markdown[1] {
			t.Errorf("%s: HTTP gives %q, the browser %q", path, markdown[0], markdown[1])
		}
	}
}

func TestScrape_screenshotIsADataURI(t *testing.T) {
	site, e := fetchtest.New(t), sharedEngine(t)
	f := shot
	f.Viewport = &formats.Viewport{Width: 640, Height: 480}
	doc, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{Formats: []formats.Format{f}})
	if err != nil {
		t.Fatal(err)
	}
	data, ok := strings.CutPrefix(doc.Screenshot, "data:image/png;base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil {
		t.Fatalf("got %.60q, %v", doc.Screenshot, err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil || img.Bounds().Dx() != 640 || img.Bounds().Dy() != 480 {
		t.Errorf("got %v, %v", img.Bounds(), err)
	}
	if doc.Markdown != "" || !strings.Contains(doc.Metadata.RenderReason, "screenshot") {
		t.Errorf("markdown %q, reason %q", doc.Markdown, doc.Metadata.RenderReason)
	}
}

func TestScrape_screenshotIsAFileWhereThereIsAFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shots")
	site, e := fetchtest.New(t), renderingEngine(t, func(o *Options) { o.AssetDir = dir })
	f := shot
	f.Quality, f.FullPage = 50, true
	doc, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{Formats: []formats.Format{f}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(doc.Screenshot)
	if err != nil || filepath.Dir(doc.Screenshot) != dir || filepath.Ext(doc.Screenshot) != ".jpg" || !bytes.HasPrefix(data, []byte("\xff\xd8")) {
		t.Errorf("%s: %.10q, %v", doc.Screenshot, data, err)
	}
}

func TestScrape_waitForIsWaited(t *testing.T) {
	srv := serve(t, map[string]string{"/": `<p>first</p><script>let n=0;setInterval(()=>n++,50);setTimeout(()=>document.body.append("late text"),2500)</script>`})
	e := sharedEngine(t)
	doc, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{WaitFor: 3 * time.Second})
	if err != nil || !strings.Contains(doc.Markdown, "late text") {
		t.Errorf("got %+v, %v", doc, err)
	}
}

const device = `<pre id=o></pre><script>
const d = Intl.DateTimeFormat().resolvedOptions();
fetch("/echo").then(r=>r.text()).then(h => { o.textContent = [navigator.language, navigator.languages.join(","), d.timeZone, navigator.maxTouchPoints > 0, innerWidth, /Mobile/.test(navigator.userAgent), h].join("\n") });
</script>`

func deviceSite(t *testing.T) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/echo" {
			fmt.Fprintf(w, "accept=%s\nua-mobile=%t", r.Header.Get("Accept-Language"), strings.Contains(r.UserAgent(), "Mobile"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!DOCTYPE html><meta name=viewport content="width=device-width">`+device)
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestScrape_locationIsConsistent(t *testing.T) {
	srv, e := deviceSite(t), sharedEngine(t)
	doc, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{Location: &Location{Country: "de", Languages: []string{"de", "en"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"de-DE\n", "de-DE,de,en\n", "Europe/Berlin", "accept=de-DE,de;q=0.9,en;q=0.8"} {
		if !strings.Contains(doc.Markdown, want) {
			t.Errorf("%q is not in %q", want, doc.Markdown)
		}
	}
	if doc.Metadata.Timezone != "Europe/Berlin" {
		t.Errorf("metadata.timezone %q", doc.Metadata.Timezone)
	}
}

func TestScrape_locationIsWhereAPageIsToldToBe(t *testing.T) {
	e, host := sharedSite(t, htmlPage(`<p id=p>…</p><script>
		navigator.geolocation.getCurrentPosition(g => p.textContent = "at " + g.coords.latitude + ", " + g.coords.longitude, e => p.textContent = "refused")</script>`))
	for want, o := range map[string]ScrapeOptions{
		"at 52.5, 13.37": {Location: &Location{Country: "DE"}},
		"refused":        {Render: RenderAlways},
	} {
		doc, err := e.Scrape(t.Context(), "https://"+host+"/", o)
		if err != nil || strings.TrimSpace(doc.Markdown) != want {
			t.Errorf("%+v, %v; want %q", doc, err, want)
		}
	}
}

func TestScrape_mobileIsAPhone(t *testing.T) {
	srv, e := deviceSite(t), sharedEngine(t)
	doc, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{Mobile: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(doc.Markdown, "true\n412\ntrue") || !strings.Contains(doc.Markdown, "ua-mobile=true") {
		t.Errorf("got %q", doc.Markdown)
	}
}

func TestScrape_browserFailuresHaveTheSameCodes(t *testing.T) {
	t.Parallel()
	site := fetchtest.New(t)
	strict := ScrapeOptions{SkipTLSVerification: new(false)}
	small := renderingEngine(t, func(o *Options) { o.Resolver, o.MaxBytes = names{}, 1<<20 })
	public := renderingEngine(t, func(o *Options) { o.Policy = fetch.Policy{} })
	for _, c := range []struct {
		name, url string
		engine    *Engine
		o         ScrapeOptions
		want      Code
	}{
		{"unknown host", "http://nowhere.example/", small, ScrapeOptions{}, CodeDNS},
		{"unknown host, https", "https://nowhere.example/", small, ScrapeOptions{}, CodeDNS},
		{"refused connection", "http://" + fetchtest.ClosedPort(t) + "/", small, ScrapeOptions{}, CodeSite},
		{"bad certificate", site.TLSURL("/article"), small, strict, CodeSSL},
		{"private address", site.URL("/article"), public, ScrapeOptions{}, CodeBlocked},
		{"private address, https", site.TLSURL("/article"), public, ScrapeOptions{}, CodeBlocked},
		{"redirect loop", site.URL("/loop"), small, ScrapeOptions{}, CodeSite},
		{"timeout before the headers", site.URL("/slow?ms=30000"), small, ScrapeOptions{Timeout: 2 * time.Second}, CodeTimeout},
		{"huge body", site.URL("/huge?bytes=4000000"), small, ScrapeOptions{}, CodeUnsupportedFile},
		{"bytes of no known type", site.URL("/octet"), small, ScrapeOptions{}, CodeUnsupportedFile},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Render = RenderAlways
			if doc, err := c.engine.Scrape(t.Context(), c.url, c.o); CodeOf(err) != c.want {
				t.Errorf("got %+v, %v; want %s", doc, err, c.want)
			}
		})
	}
}

// A page may not lead the browser where the policy doesn't let the engine go.
func TestScrape_theBrowserObeysThePolicy(t *testing.T) {
	t.Parallel()
	secret := serve(t, map[string]string{"/": "<p>the secret of the intranet</p>"})
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, secret.URL, http.StatusFound)
		case "/script":
			fmt.Fprintf(w, `<p>a page</p><script>location.href=%q</script>`, secret.URL)
		case "/frame":
			fmt.Fprintf(w, `<p>a page</p><iframe src=%q></iframe><script>fetch(%q).then(r=>r.text()).then(t=>document.body.append(t))</script>`, secret.URL, secret.URL)
		}
	}))
	t.Cleanup(pages.Close)
	e := renderingEngine(t, func(o *Options) {
		o.Policy = fetch.Policy{AllowHosts: []string{strings.TrimPrefix(pages.URL, "http://")}}
	})
	for _, path := range []string{"/redirect", "/script", "/frame"} {
		doc, err := e.Scrape(t.Context(), pages.URL+path, ScrapeOptions{Render: RenderAlways, Formats: []formats.Format{{Type: formats.RawHTML}}})
		if err == nil && strings.Contains(doc.RawHTML, "the secret of the intranet") {
			t.Errorf("%s: the page reached what the policy refuses", path)
		}
		if path == "/redirect" && CodeOf(err) != CodeBlocked {
			t.Errorf("%s: %v, want %s", path, err, CodeBlocked)
		}
	}
}

func TestScrape_anEndlessScriptEndsWithTheTimeout(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p>x</p><script>while(true){}</script>`, "/ok": "<p>fine</p>"})
	e := renderingEngine(t)
	if err := e.pool.Prepare(t.Context()); err != nil { // the browser's start isn't timed
		t.Fatal(err)
	}
	if _, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{Render: RenderAlways, Timeout: 6 * time.Second}); CodeOf(err) != CodeTimeout {
		t.Errorf("got %v", err)
	}
	if _, err := e.Scrape(t.Context(), srv.URL+"/ok", ScrapeOptions{Render: RenderAlways}); err != nil {
		t.Error("the next page:", err)
	}
}

func TestScrape_oneScrapesCookiesAreNotTheNextOnes(t *testing.T) {
	srv := serve(t, map[string]string{"/": `<p id=p></p><script>p.textContent="had: "+document.cookie+localStorage.length; document.cookie="a=b"; localStorage.x=1</script>`})
	e := sharedEngine(t)
	for range 2 {
		doc, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{Render: RenderAlways, MaxAge: fresh})
		if err != nil || strings.TrimSpace(doc.Markdown) != "had: 0" {
			t.Errorf("got %+v, %v", doc, err)
		}
	}
}

func TestEngine_twoInOneProcessDoNotNoticeEachOther(t *testing.T) {
	t.Parallel()
	site := fetchtest.New(t)
	a, b := renderingEngine(t), renderingEngine(t)
	var both sync.WaitGroup
	for _, e := range []*Engine{a, b} {
		both.Go(func() {
			if _, err := e.Scrape(t.Context(), site.URL("/js"), ScrapeOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := b.Scrape(t.Context(), site.URL("/js"), ScrapeOptions{MaxAge: fresh}); err != nil {
		t.Error("after the other's end:", err)
	}
}

func TestClose_leavesNoProcessGoroutineOrFile(t *testing.T) {
	needBrowser(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	site := fetchtest.New(t)
	before, goroutines := children(t), goleak.IgnoreCurrent()
	e := renderingEngine(t, ownBrowser)
	for range 3 {
		if _, err := e.Scrape(t.Context(), site.URL("/js"), ScrapeOptions{Formats: []formats.Format{shot}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(childrenSince(t, before)) == 0 && runtime.GOOS == "linux" {
		t.Error("no browser process was seen, so this test can't find one that stays")
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if after := childrenSince(t, before); len(after) != 0 {
		t.Errorf("processes stay: %v", after)
	}
	noneStays(t, goroutines)
	left, err := os.ReadDir(temp)
	if err != nil || len(left) != 0 {
		t.Errorf("files stay: %v, %v", left, err)
	}
}

// children are the living descendants of this process, where /proc lists them.
func children(t *testing.T) map[string]bool {
	t.Helper()
	return childrenOf(os.Getpid())
}

// childrenSince are those that weren't there before, nor were started by those: others' browsers may end meanwhile, and start processes.
func childrenSince(t *testing.T, before map[string]bool) map[string]bool {
	t.Helper()
	parent := parents()
	now := childrenIn(parent, os.Getpid())
	maps.DeleteFunc(now, func(pid string, _ bool) bool {
		for ; pid != "" && pid != "0"; pid = parent[pid] {
			if before[pid] {
				return true
			}
		}
		return false
	})
	return now
}

// parents are the living processes' parents, where /proc lists them.
func parents() map[string]string {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	parent := map[string]string{}
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		pid, rest, _ := strings.Cut(string(data), " ")
		fields := strings.Fields(rest[strings.LastIndexByte(rest, ')')+1:])
		if fields[0] != "Z" {
			parent[pid] = fields[1]
		}
	}
	return parent
}

func childrenOf(pid int) map[string]bool { return childrenIn(parents(), pid) }

func childrenIn(parent map[string]string, pid int) map[string]bool {
	found := map[string]bool{}
	self := fmt.Sprint(pid)
	for pid := range parent {
		for p := parent[pid]; p != "" && p != "0"; p = parent[p] {
			if p == self {
				found[pid] = true
				break
			}
		}
	}
	return found
}
