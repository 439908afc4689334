package engine

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
	"github.com/winnow-go/winnow/formats"
)

// plainEngine may contact local addresses and never renders.
func plainEngine(t testing.TB, change ...func(*Options)) *Engine {
	t.Helper()
	o := Options{Render: RenderNever}
	o.Policy.AllowPrivate = true
	for _, c := range change {
		c(&o)
	}
	return newTestEngine(t, o)
}

func TestScrape_givesTheArticleAsMarkdown(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	url := site.URL("/article")
	doc, err := e.Scrape(t.Context(), url, ScrapeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.Markdown, "# ") {
		t.Errorf("markdown %.200q", doc.Markdown)
	}
	m := doc.Metadata
	if m.SourceURL != url || m.URL != url || m.StatusCode != 200 || m.Title == "" || !strings.HasPrefix(m.ContentType, "text/html") || m.Error != "" {
		t.Errorf("metadata %+v", m)
	}
	if m.RenderedBy != "http" || m.RenderReason == "" || len(m.ScrapeID) != 36 || m.ConcurrencyLimited {
		t.Errorf("metadata %+v", m)
	}
	if doc.HTML != "" || doc.RawHTML != "" || doc.Links != nil || doc.Screenshot != "" {
		t.Error("a format that was not asked is there")
	}
}

func TestScrape_allPlainFormatsFromOneFetch(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	doc, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{Formats: []formats.Format{
		{Type: formats.Markdown}, {Type: formats.HTML}, {Type: formats.RawHTML}, {Type: formats.Links}, {Type: formats.Images},
		{Type: formats.Attributes, Selectors: []formats.Selector{{Selector: "h1", Attribute: "id"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Markdown == "" || doc.HTML == "" || doc.RawHTML == "" || len(doc.Attributes) != 1 {
		t.Errorf("got %+v", doc)
	}
	if n := site.Hits("/article"); n != 1 {
		t.Errorf("fetched %d times", n)
	}
}

func TestScrape_aBadStatusIsADocument(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	for status, text := range map[string]string{"404": "Not Found", "500": "Internal Server Error", "403": "Forbidden"} {
		doc, err := e.Scrape(t.Context(), site.URL("/status/"+status), ScrapeOptions{})
		if err != nil {
			t.Errorf("%s: %v", status, err)
			continue
		}
		if doc.Metadata.Error != text {
			t.Errorf("%s: metadata.error %q, want %q", status, doc.Metadata.Error, text)
		}
	}
}

func TestScrape_eachFailureHasItsCode(t *testing.T) {
	t.Parallel()
	site := fetchtest.New(t)
	small := func(o *Options) { o.MaxBytes = 64 << 10 }
	noNames := func(o *Options) { o.Resolver = names{} }
	strict := ScrapeOptions{SkipTLSVerification: new(false)}
	quick := ScrapeOptions{Timeout: time.Second}
	for _, c := range []struct {
		name, url string
		engine    func(*Options)
		o         ScrapeOptions
		want      Code
		text      string
	}{
		{"invalid URL", "http://", nil, ScrapeOptions{}, CodeBadRequest, "url"},
		{"unknown host", "http://nowhere.example/", noNames, ScrapeOptions{}, CodeDNS, "nowhere.example"},
		{"refused connection", "http://" + fetchtest.ClosedPort(t) + "/", nil, ScrapeOptions{}, CodeSite, "ERR_CONNECTION_REFUSED"},
		{"bad certificate", site.TLSURL("/article"), nil, strict, CodeSSL, ""},
		{"private address", site.URL("/article"), func(o *Options) { o.Policy = fetch.Policy{} }, ScrapeOptions{}, CodeBlocked, "loopback"},
		{"timeout before the headers", site.URL("/slow?ms=30000"), nil, quick, CodeTimeout, "1s"},
		{"timeout in the body", site.URL("/never"), nil, quick, CodeTimeout, "1s"},
		{"endless body", site.URL("/endless"), small, ScrapeOptions{}, CodeUnsupportedFile, "65536"},
		{"huge body", site.URL("/huge?bytes=100000"), small, ScrapeOptions{}, CodeUnsupportedFile, "65536"},
		{"gzip bomb", site.URL("/gzip-bomb"), small, ScrapeOptions{}, CodeUnsupportedFile, "65536"},
		{"broken gzip", site.URL("/broken-gzip"), nil, ScrapeOptions{}, CodeSite, "ERR_CONTENT_DECODING_FAILED"},
		{"redirect loop", site.URL("/loop"), nil, ScrapeOptions{}, CodeSite, "ERR_TOO_MANY_REDIRECTS"},
		{"reset", site.URL("/reset"), nil, ScrapeOptions{}, CodeSite, "ERR_"},
		{"bytes of no known type", site.URL("/octet"), nil, ScrapeOptions{}, CodeUnsupportedFile, "application/octet-stream"},
		{"proxy that isn't there", site.URL("/article"), nil, ScrapeOptions{ProxyURL: "http://" + fetchtest.ClosedPort(t)}, CodeProxy, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := plainEngine(t, func(o *Options) {
				if c.engine != nil {
					c.engine(o)
				}
			})
			doc, err := e.Scrape(t.Context(), c.url, c.o)
			if CodeOf(err) != c.want || !strings.Contains(err.Error(), c.text) {
				t.Fatalf("got %v, %v; want %s with %q", doc, err, c.want, c.text)
			}
			var own *Error
			if !errors.As(err, &own) || own.Op != "scrape" || own.URL != c.url {
				t.Errorf("got %#v", err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err.Error())
			}
		})
	}
}

// names is a resolver of fixed answers.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if ip, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(ip)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func TestScrape_decodesWhatThePageIsWrittenIn(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	for _, path := range []string{"/windows-1251", "/shift_jis", "/gbk", "/utf16", "/gzip", "/br", "/zstd", "/deflate"} {
		doc, err := e.Scrape(t.Context(), site.URL(path), ScrapeOptions{})
		if err != nil || doc.Markdown == "" || strings.ContainsRune(doc.Markdown, '\uFFFD') {
			t.Errorf("%s: %v, %.100v", path, err, doc)
		}
	}
}

func TestScrape_rawBase64IsTheBodyAsReceived(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	doc, err := e.Scrape(t.Context(), site.URL("/png"), ScrapeOptions{Formats: []formats.Format{{Type: formats.RawBase64}}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := base64.StdEncoding.DecodeString(doc.RawBase64)
	if err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("got %.20q, %v", data, err)
	}
}

func TestScrape_textBodiesAreDocuments(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	for path, want := range map[string]string{"/json": "```json", "/text": "", "/xml": ""} {
		doc, err := e.Scrape(t.Context(), site.URL(path), ScrapeOptions{})
		if err != nil || doc.Markdown == "" || !strings.Contains(doc.Markdown, want) {
			t.Errorf("%s: %+v, %v", path, doc, err)
		}
	}
}

func TestScrape_callersHeadersStayWithTheTargetsOrigin(t *testing.T) {
	e := plainEngine(t)
	var got http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r.Header.Clone() }))
	defer other.Close()
	var first http.Header
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first = r.Header.Clone()
		http.Redirect(w, r, other.URL, http.StatusFound)
	}))
	defer target.Close()
	_, err := e.Scrape(t.Context(), target.URL, ScrapeOptions{Headers: map[string]string{"X-Secret": "s", "Cookie": "a=b", "Authorization": "Bearer t"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"X-Secret", "Cookie", "Authorization"} {
		if first.Get(name) == "" || got.Get(name) != "" {
			t.Errorf("%s: target got %q, the other origin %q", name, first.Get(name), got.Get(name))
		}
	}
}

func TestScrape_waitsInLineAndSaysSo(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			close(entered)
			<-release
		}
	}))
	defer srv.Close()
	e := plainEngine(t, func(o *Options) { o.MaxPages = 1 })
	first := make(chan error, 1)
	go func() {
		_, err := e.Scrape(context.Background(), srv.URL+"/held", ScrapeOptions{})
		first <- err
	}()
	<-entered
	_, err := e.Scrape(t.Context(), srv.URL, ScrapeOptions{Timeout: time.Second})
	if CodeOf(err) != CodeTimeout {
		t.Errorf("the wait in line is not counted in the timeout: %v", err)
	}
	second := make(chan *Document, 1)
	go func() {
		doc, err := e.Scrape(context.Background(), srv.URL, ScrapeOptions{OnStep: func(Step) {}})
		if err != nil {
			t.Error(err)
		}
		second <- doc
	}()
	for e.queue.Waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if doc := <-second; doc == nil || !doc.Metadata.ConcurrencyLimited {
		t.Errorf("got %+v", doc)
	}
}

func TestScrape_endsWithTheCallersContext(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := e.Scrape(ctx, site.URL("/never"), ScrapeOptions{OnStep: func(s Step) {
		if s.Name == "queue" {
			cancel()
		}
	}})
	if CodeOf(err) != CodeCancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestClose_endsRunningScrapesAndRefusesNewOnes(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	begun, ended := make(chan struct{}), make(chan error)
	go func() {
		_, err := e.Scrape(context.Background(), site.URL("/never"), ScrapeOptions{OnStep: func(s Step) {
			if s.Name == "queue" {
				close(begun)
			}
		}})
		ended <- err
	}()
	<-begun
	go e.Close()
	if err := <-ended; CodeOf(err) != CodeCancelled || !errors.Is(err, ErrClosed) {
		t.Errorf("running: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{}); CodeOf(err) != CodeCancelled || !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestScrape_aPanicIsThePagesError(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	_, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{OnStep: func(s Step) {
		if s.Name == "render" {
			panic("from the page")
		}
	}})
	if CodeOf(err) != CodeUnknown || !strings.Contains(err.Error(), "from the page") {
		t.Errorf("got %v", err)
	}
	if _, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{}); err != nil {
		t.Error("the engine did not survive:", err)
	}
}

func TestScrape_stepsAreToldInOrder(t *testing.T) {
	site, e := fetchtest.New(t), plainEngine(t)
	var names []string
	_, err := e.Scrape(t.Context(), site.URL("/article"), ScrapeOptions{OnStep: func(s Step) { names = append(names, s.Name) }})
	if got := strings.Join(names, " "); err != nil || got != "lookup queue fetch store render" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestEngine_thatNeverRendersInstallsNothing(t *testing.T) {
	cache := t.TempDir()
	site, e := fetchtest.New(t), plainEngine(t, func(o *Options) { o.Browser.CacheDir = cache })
	if _, err := e.Scrape(t.Context(), site.URL("/js"), ScrapeOptions{}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 0 {
		t.Errorf("the cache folder holds %v, %v", entries, err)
	}
}

// Where no browser can be had, a page that may be whole is given with a warning; one
// that clearly isn't is an error that says what was tried.
func TestScrape_autoWithoutABrowser(t *testing.T) {
	e := newTestEngine(t, Options{
		Hosts: map[string]http.Handler{
			"thin.example":  htmlPage("<p>" + strings.Repeat("a few words ", 5) + "</p><script src=/x.js></script>"), // it is no script, so it can't be read
			"shell.example": htmlPage(`<div id=root></div><script src=/x.js></script>`),
		},
		Browser: BrowserOptions{Install: browser.InstallNever, CacheDir: t.TempDir(), DriverDir: t.TempDir()},
	})
	doc, err := e.Scrape(t.Context(), "http://thin.example/", ScrapeOptions{})
	if err != nil || !strings.Contains(doc.Markdown, "a few words") || !strings.Contains(doc.Warning, "without a browser") {
		t.Errorf("thin: %+v, %v", doc, err)
	}
	_, err = e.Scrape(t.Context(), "http://shell.example/", ScrapeOptions{})
	var install *browser.InstallError
	if CodeOf(err) != CodeAllEnginesFailed || !errors.As(err, &install) || len(install.Tried) == 0 {
		t.Errorf("shell: %v", err)
	}
}

func BenchmarkScrape_static(b *testing.B) {
	site, e := fetchtest.New(b), plainEngine(b)
	url := site.URL("/article")
	b.ReportAllocs()
	for b.Loop() {
		e.rendered.Forget()
		if _, err := e.Scrape(b.Context(), url, ScrapeOptions{MaxAge: fresh}); err != nil {
			b.Fatal(err)
		}
	}
}
