package browser

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// pause waits unless the request ends first.
func pause(r *http.Request, milliseconds int) {
	t := time.NewTimer(time.Duration(milliseconds) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}

func TestGoto_answersAreDescribed(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	tests := []struct {
		path   string
		status int
		media  string
		body   string
		url    string
	}{
		{"/", 200, "text/html", "", "/"},
		{"/missing", 404, "text/html", "", "/missing"},
		{"/empty500", 500, "text/html", "", "/empty500"},
		{"/nothing", 204, "text/html", "", "/nothing"},
		{"/401", 401, "text/html", "", "/401"},
		{"/json", 200, "application/json", `{"a": [1, 2]}`, "/json"},
		{"/text", 200, "text/plain", "plain <b>text</b>", "/text"},
		{"/xml", 200, "application/xml", `<?xml version="1.0"?><r><a>1</a></r>`, "/xml"},
		{"/xhtml", 200, "application/xhtml+xml", "", "/xhtml"},
		{"/to?url=/to%3Furl%3D/missing", 404, "text/html", "", "/missing"},
		{"/jsto", 404, "text/html", "", "/missing"},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			p := open(t, PageOptions{Proxy: s.proxy})
			nav := visit(t, p, s.URL+test.path)
			if nav.Status != test.status || nav.MediaType != test.media || string(nav.Body) != test.body || nav.URL != s.URL+test.url || nav.Partial {
				t.Errorf("got %d %s %q %s partial %v, want %d %s %q %s", nav.Status, nav.MediaType, nav.Body, nav.URL, nav.Partial,
					test.status, test.media, test.body, s.URL+test.url)
			}
		})
	}
}

func TestGoto_failuresHaveTheBrowsersCode(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	secure := httptest.NewTLSServer(http.HandlerFunc(routes["/"]))
	defer secure.Close()
	p := open(t, PageOptions{Proxy: s.proxy})
	for address, want := range map[string]string{
		secure.URL:                      "ERR_CERT_AUTHORITY_INVALID",
		"https://no-such-host.invalid/": "ERR_TUNNEL_CONNECTION_FAILED",
	} {
		_, err := p.Goto(testContext(t), address)
		var failed *NavigationError
		if !errors.As(err, &failed) || failed.Net != want {
			t.Errorf("%s: got %v, want %s", address, err, want)
		}
	}
	visit(t, p, s.URL+"/") // the page still works
}

func TestGoto_skipTLSVerifyAcceptsABadCertificate(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	secure := httptest.NewTLSServer(http.HandlerFunc(routes["/"]))
	defer secure.Close()
	p := open(t, PageOptions{Proxy: proxy.URL, SkipTLSVerify: true})
	if nav := visit(t, p, secure.URL); nav.Status != 200 {
		t.Errorf("got %d, want 200", nav.Status)
	}
}

func TestGoto_otherSchemesAreRefused(t *testing.T) {
	p := open(t, PageOptions{})
	for _, address := range []string{"file:///etc/passwd", "chrome://version", "view-source:http://a/", "javascript:1", "ftp://a/", "about:config", "blob:x", "http:", ""} {
		if _, err := p.Goto(testContext(t), address); !errors.Is(err, ErrScheme) {
			t.Errorf("%q: got %v, want ErrScheme", address, err)
		}
	}
	for _, address := range []string{"about:blank", "data:text/html,<p>x"} {
		visit(t, p, address)
	}
}

func TestGoto_downloadIsAnError(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: s.proxy})
	for _, path := range []string{"/download", "/binary"} {
		if _, err := p.Goto(testContext(t), s.URL+path); !errors.Is(err, ErrDownload) {
			t.Errorf("%s: got %v, want ErrDownload", path, err)
		}
	}
	visit(t, p, s.URL+"/")
}

func TestGoto_bodyOverTheLimitIsAnError(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: s.proxy, MaxBody: 5})
	if _, err := p.Goto(testContext(t), s.URL+"/text"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
}

func TestGoto_endlessDocumentIsPartial(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: s.proxy, LoadWait: 5 * time.Second})
	nav := visit(t, p, s.URL+"/endless")
	if !nav.Partial || nav.Status != 200 {
		t.Errorf("got partial %v status %d, want a partial 200", nav.Partial, nav.Status)
	}
	if reason, err := p.WaitReady(testContext(t)); err != nil {
		t.Error(reason, err)
	}
	contains(t, "content", contentOf(t, p), "line 3")
}

func TestGoto_silentServerEndsWithTheContext(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: s.proxy})
	ctx, cancel := context.WithTimeout(testContext(t), 300*time.Millisecond)
	defer cancel()
	if _, err := p.Goto(ctx, s.URL+"/silent"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want a deadline", err)
	}
	if _, err := p.Content(testContext(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("afterwards: got %v, want ErrClosed", err)
	}
}

func TestContent_spinningScriptEndsWithTheContext(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/spinning")
	beside := open(t, PageOptions{Proxy: s.proxy})
	reason, err := p.WaitReady(deadline(t, 2*time.Second))
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("wait: got %q %v", reason, err)
	}
	_, err = p.Content(deadline(t, 300*time.Millisecond))
	if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want a deadline", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	visit(t, beside, s.URL+"/") // no one else suffers
}

func deadline(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestWaitReady_waitsForWhatScriptsBring(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	for path, want := range map[string]struct{ reason, text string }{
		"/":         {"quiet", "hello"},
		"/late":     {"quiet", "<p>came late</p>"},
		"/fetching": {"quiet", "<p>slow answer</p>"},
		"/polling":  {"polling quiet", "here"},
		"/ticking":  {"quiet", `<p id="n">`},
		"/metato":   {"quiet", "nothing here"},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			p := open(t, PageOptions{Proxy: s.proxy})
			visit(t, p, s.URL+path)
			reason, err := p.WaitReady(testContext(t))
			if err != nil || !strings.Contains(want.reason, reason) {
				t.Errorf("got %q %v, want %s", reason, err, want.reason)
			}
			contains(t, "content", contentOf(t, p), want.text)
		})
	}
}

func TestPage_dialogsPopupsAndLeavingDontBlock(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/dialogs")
	contains(t, "dialogs", contentOf(t, p), "|false| done")
	visit(t, p, s.URL+"/leaving")
	visit(t, p, s.URL+"/popups")
	contains(t, "opener", contentOf(t, p), "opener")
	for end := time.Now().Add(30 * time.Second); len(p.tab.Page.Context().Pages()) > 1; {
		if time.Now().After(end) {
			t.Fatalf("got %d pages, want popups closed", len(p.tab.Page.Context().Pages()))
		}
		_ = p.Wait(testContext(t), 10*time.Millisecond)
	}
}

func TestPage_seesNothingOfAnother(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	a, b := open(t, PageOptions{Proxy: s.proxy}), open(t, PageOptions{Proxy: s.proxy})
	visit(t, a, s.URL+"/setcookie")
	for name, want := range map[*Page]string{a: "cookie:visited=yes storage:yes", b: "cookie: storage:null"} {
		visit(t, name, s.URL+"/state")
		contains(t, "state", contentOf(t, name), want)
	}
	a.Close()
	c := open(t, PageOptions{Proxy: s.proxy})
	visit(t, c, s.URL+"/state")
	contains(t, "state of the next", contentOf(t, c), "cookie: storage:null")
}

func TestOpen_badOptionsAreRefused(t *testing.T) {
	needsBrowser(t)
	for field, o := range map[string]PageOptions{
		"Locale":       {Locale: "not a locale"},
		"Viewport":     {Viewport: Viewport{Width: 0, Height: 10}},
		"Proxy":        {Proxy: "direct://"},
		"Headers":      {Headers: map[string]string{"Host": "x"}},
		"HeaderOrigin": {HeaderOrigin: "file:///"},
		"Timezone":     {Timezone: "Nowhere/Land"},
	} {
		_, err := shared.Open(testContext(t), o)
		var bad *OptionError
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
}

func TestScreenshot_sizesAndTypes(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s := newSite(t, proxy.URL)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/tall")
	for name, test := range map[string]struct {
		o             ScreenshotOptions
		kind          string
		width, height int
	}{
		"viewport":  {ScreenshotOptions{}, "png", 1280, 800},
		"full page": {ScreenshotOptions{FullPage: true}, "png", 1280, maxShotHeight},
		"jpeg":      {ScreenshotOptions{Quality: 50, Viewport: Viewport{Width: 640, Height: 480}}, "jpeg", 640, 480},
	} {
		if test.kind == "jpeg" {
			continue
		}
		checkShot(t, p, name, test.o, test.kind, test.width, test.height)
	}
	checkShot(t, p, "jpeg", ScreenshotOptions{Quality: 50, Viewport: Viewport{Width: 640, Height: 480}}, "jpeg", 640, 480)
	if _, _, err := p.Screenshot(testContext(t), ScreenshotOptions{Quality: 101}); err == nil {
		t.Error("quality 101 was taken")
	}
}

// narrow is for pictures of whole pages that are decoded: a wide one takes seconds under the race detector.
var narrow = Viewport{Width: 240, Height: 800}

// What a page loads only for readers who scroll is in the picture of the whole page, which stays where it was.
func TestScreenshot_ofTheWholePageHasLazyImages(t *testing.T) {
	needsBrowser(t)
	const picture = `width=100 height=100 style="display:block"`
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{
		"/lazy": page(`<body style="margin:0"><div style="height:7000px">far above</div><img loading=lazy src=/red.svg ` + picture + `><img id=seen ` + picture + `>
			<script>new IntersectionObserver((list) => { if (list[0].isIntersecting) seen.src = "/red.svg"; }).observe(seen)</script>`),
		"/red.svg": raw("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="red"/></svg>`),
	})
	p := open(t, PageOptions{Proxy: s.proxy, Viewport: narrow})
	visit(t, p, s.URL+"/lazy")
	redAt(t, p, 7050, 7150)
	at, err := p.Evaluate(testContext(t), "scrollY")
	if err != nil || string(at.Value) != "0" {
		t.Errorf("the page is at %s, %v", at.Value, err)
	}
}

// So is what is lazy in frames and shadow trees, and what has neither words nor a picture until it is in view. What only waits for the end
// of the page to add to it stays as it is.
func TestScreenshot_ofTheWholePageHasWhatComesIntoView(t *testing.T) {
	needsBrowser(t)
	leftToUnraced(t)
	const far = `<body style="margin:0"><div style="height:7000px">far above</div>`
	const observe = `<script>new IntersectionObserver((list) => { for (const e of list) if (e.isIntersecting) come(e.target) }).observe(seen)</script>`
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{
		"/frame":   page(far + `<iframe loading=lazy src=/red style="border:0;width:200px;height:200px">`),
		"/red":     page(`<body style="background:red">`),
		"/shadow":  page(far + `<x-a></x-a><script>document.querySelector("x-a").attachShadow({mode: "open"}).innerHTML = "<img loading=lazy style='display:block;width:99px;height:99px' src=/red.svg>"</script>`),
		"/red.svg": raw("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="red"/></svg>`),
		"/place":   page(far + `<div id=seen style="height:100px"></div><footer>end</footer><script>come = (e) => { e.style.background = "red" }</script>` + observe),
		"/reveal":  page(far + `<div id=seen style="height:100px;background:red;opacity:0;transition:opacity .2s">words</div><script>come = (e) => { e.style.opacity = 1 }</script>` + observe),
		"/list":    page(far + `<p>words</p><div id=seen style="height:1px"></div><script>come = (e) => { e.before("more") }</script>` + observe),
	})
	p := open(t, PageOptions{Proxy: s.proxy, Viewport: narrow})
	for _, path := range []string{"/frame", "/shadow", "/place", "/reveal"} {
		visit(t, p, s.URL+path)
		redAt(t, p, 7050)
	}
	visit(t, p, s.URL+"/list")
	if _, _, err := p.Screenshot(testContext(t), ScreenshotOptions{FullPage: true}); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Evaluate(testContext(t), "document.body.childNodes.length"); err != nil || string(got.Value) != "5" {
		t.Errorf("the list has grown: %s nodes, %v", got.Value, err)
	}
}

// redAt checks that the picture of a whole page is red in some places.
func redAt(t *testing.T, p *Page, places ...int) {
	t.Helper()
	data, _, err := p.Screenshot(testContext(t), ScreenshotOptions{FullPage: true})
	if err != nil {
		t.Fatal(err)
	}
	shot, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range places {
		if r, g, b, _ := shot.At(50, y).RGBA(); r != 0xffff || g != 0 || b != 0 {
			t.Errorf("%s: at %d there is %x %x %x, want the red picture", p.URL(), y, r, g, b)
		}
	}
}

func checkShot(t *testing.T, p *Page, name string, o ScreenshotOptions, kind string, width, height int) {
	t.Helper()
	data, media, err := p.Screenshot(testContext(t), o)
	if err != nil {
		t.Fatal(name, err)
	}
	config, got, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || got != kind || media != "image/"+kind || config.Width != width || config.Height != height {
		t.Errorf("%s: got %s %s %dx%d %v, want %s %dx%d", name, got, media, config.Width, config.Height, err, kind, width, height)
	}
}

func TestPage_withoutAProxyReachesNothing(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, "")
	p := open(t, PageOptions{})
	_, err := p.Goto(testContext(t), s.URL)
	var failed *NavigationError
	if !errors.As(err, &failed) || failed.Net != "ERR_PROXY_CONNECTION_FAILED" || len(s.requests("/")) != 0 {
		t.Errorf("got %v and %d requests, want a refused proxy", err, len(s.requests("/")))
	}
}
