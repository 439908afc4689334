package browser

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// needsSandbox skips a test where there is no sandbox; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func needsSandbox(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: needs a browser")
	}
	err := sandbox.Available(t.Context())
	if missing, ok := errors.AsType[*sandbox.UnavailableError](err); ok && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("needs bubblewrap and user namespaces: ", missing)
	} else if err != nil {
		t.Fatal(err)
	}
}

// egressTo is the socket of a proxy, here of one that listens on a port. It ends with the test.
func egressTo(t testing.TB, address string) string {
	t.Helper()
	path, end := openEgress(t, address)
	t.Cleanup(end)
	return path
}

func openEgress(t testing.TB, address string) (path string, end func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "egress")
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "egress.sock")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		carry(ln, address)
	}()
	return path, func() {
		ln.Close()
		<-done
		os.RemoveAll(dir)
	}
}

func newSession(t testing.TB, o SessionOptions) *Session {
	t.Helper()
	needsSandbox(t)
	s, err := StartSession(sessionContext(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return s
}

// sessionContext bounds what a test waits for.
func sessionContext(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func pageOf(t testing.TB, s *Session) *Page {
	t.Helper()
	p, err := s.Page(sessionContext(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// common is the session of the tests that don't end theirs, made by the first that asks for it. Its egress lets through to allowed alone.
var common struct {
	session *Session
	gate    *httptest.Server
	egress  string
	close   func()
	allowed atomic.Pointer[string] // host and port
	refused atomic.Int64
}

// commonSession makes a site, the only one that the common session can reach, and a blank page, alone, in a fresh context.
func commonSession(t *testing.T, extra ...map[string]http.HandlerFunc) (*Session, *site) {
	t.Helper()
	needsSandbox(t)
	site := newSite(t, "", extra...)
	common.allowed.Store(new(strings.TrimPrefix(site.URL, "http://")))
	if common.session == nil {
		startCommon(t)
	}
	s := common.session
	_ = pageOf(t, s).tab.Page.Context().Close()
	pageOf(t, s)
	return s, site
}

func startCommon(t *testing.T) {
	t.Helper()
	inner := &testProxy{}
	common.gate = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != *common.allowed.Load() {
			common.refused.Add(1)
			http.Error(w, "refused", http.StatusForbidden)
			return
		}
		inner.serve(w, r)
	}))
	common.egress, common.close = openEgress(t, common.gate.Listener.Addr().String())
	look := PageOptions{Viewport: Viewport{Width: 700, Height: 500}, Locale: "de-DE", Timezone: "Asia/Tokyo"}
	s, err := StartSession(sessionContext(t), SessionOptions{Egress: common.egress, Page: look})
	if err != nil {
		t.Fatal(err)
	}
	common.session = s
}

// closeCommon ends the common session, after the last test.
func closeCommon() {
	if common.session != nil {
		_ = common.session.Close() // the check for leftovers reports it
	}
	if common.gate != nil {
		common.close()
		common.gate.Close()
	}
}

func TestSession_pageStaysWhatHappensToItsTab(t *testing.T) {
	s, site := commonSession(t)
	p := pageOf(t, s)
	looksAsAsked(t, p, site)
	if p.gen.Folder.Dir == "" || s.Version() == "" || !s.Sandboxed() || s.Err() != nil {
		t.Errorf("version %q, sandboxed %v, %v", s.Version(), s.Sandboxed(), s.Err())
	}
	visit(t, p, site.URL+"/setcookie")
	for _, c := range []struct {
		name    string
		happens func()
		cookie  bool
	}{
		{"closed", func() { _ = p.tab.Page.Close() }, true},
		{"crashed", func() {
			tab.Start(p.tab, func() (any, error) { return p.tab.CDP.Send("Page.crash", nil) })
			eventually(t, "the crash is known", p.tab.Crashed)
		}, true},
		{"a call that outlived its ctx", func() {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, _ = p.Goto(ctx, site.URL+"/silent")
		}, true},
		{"closed by its caller", func() { _ = p.Close() }, true},
		{"its context closed", func() { _ = p.tab.Page.Context().Close() }, false},
	} {
		c.happens()
		next := pageOf(t, s)
		if next == p || pageOf(t, s) != next {
			t.Errorf("%s: want a new page, and then the same", c.name)
		}
		p = next
		visit(t, p, site.URL+"/state")
		if nav, err := p.Shown(sessionContext(t)); err != nil || nav.Status != 200 || nav.Header.Get("Content-Type") == "" {
			t.Errorf("%s: shows %+v, %v", c.name, nav, err)
		}
		if has := strings.Contains(contentOf(t, p), "visited=yes"); has != c.cookie {
			t.Errorf("%s: cookie %v, want %v", c.name, has, c.cookie)
		}
	}
	looksAsAsked(t, p, site)
}

func looksAsAsked(t *testing.T, p *Page, site *site) {
	t.Helper()
	visit(t, p, site.URL+"/who")
	html := contentOf(t, p)
	for _, part := range []string{`"language":"de-DE"`, `"zone":"Asia/Tokyo"`, `"inner":[700,500]`} {
		contains(t, "identity", html, part)
	}
}

func TestSession_popupsAreKnownAndFolded(t *testing.T) {
	s, site := commonSession(t, hostileRoutes)
	p := pageOf(t, s)
	visit(t, p, site.URL+"/popups")
	eventually(t, "the popups are there", func() bool { return len(s.Tabs()) == 6 })
	if tabs := s.Tabs(); !tabs[0].Page || tabs[5].Page {
		t.Errorf("got %v, want the first to be the page", tabs)
	}
	if pageOf(t, s) != p {
		t.Error("a popup became the page unasked")
	}
	eventually(t, "the popups have their addresses", func() bool {
		return !slices.ContainsFunc(s.Tabs()[1:], func(tab Tab) bool { return !strings.Contains(tab.URL, "popup=") })
	})
	newest := s.Tabs()[5].URL
	folded, err := s.Fold(sessionContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if folded == p || pageOf(t, s) != folded || folded.URL() != newest {
		t.Errorf("got %s, want the newest", folded.URL())
	}
	eventually(t, "the others are closed", func() bool { return len(s.Tabs()) == 1 })
	if again, err := s.Fold(sessionContext(t)); err != nil || again != folded {
		t.Errorf("folding one tab: %v", err)
	}
	folded.Alone(true)
	visit(t, folded, site.URL+"/popups")
	eventually(t, "popups are closed", func() bool { return folded.popups.seen.Load() && len(s.Tabs()) == 1 })
	folded.Alone(false)
	visit(t, folded, site.URL+"/popupstorm")
	eventually(t, "the storm has come", func() bool { return len(s.Tabs()) > 3 })
	if n := len(s.Tabs()); n > 2*maxTabs {
		t.Errorf("%d tabs", n)
	}
	eventually(t, "the storm is over", func() bool {
		if _, err := s.Fold(sessionContext(t)); err != nil {
			t.Fatal("folding a storm: ", err)
		}
		return len(s.Tabs()) == 1
	})
}

// The driver doesn't know a tab any more that has closed between the list of tabs and its use.
func TestSession_aTabThatHasClosedIsPassedOver(t *testing.T) {
	s, site := commonSession(t)
	p := pageOf(t, s)
	visit(t, p, site.URL+"/text")
	c := p.tab.Context()
	closed, err := c.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	looks := 0
	tabs := func() []playwright.Page {
		if looks++; looks == 1 {
			return append(openTabs(c), closed)
		}
		return openTabs(c)
	}
	if err := s.showNewest(sessionContext(t), tabs); err != nil || pageOf(t, s) != p || looks < 2 {
		t.Errorf("got %v after %d looks, want the tab that is open", err, looks)
	}
	if err := s.show(sessionContext(t), closed); err == nil || slices.Contains(openTabs(c), closed) {
		t.Errorf("got %v, want a tab that can't be shown, or this test shows nothing", err)
	}
}

func TestSession_stateComesBackWithItsTab(t *testing.T) {
	routes := map[string]http.HandlerFunc{
		"/keep": func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "c1", Path: "/"})
			page(`<script>localStorage.a = "l1"; sessionStorage.a = "s1"; sessionStorage["b c"] = "2 <&> 3"</script>`)(w, r)
		},
		"/kept":  page(`<p id=a></p><script>a.textContent = [document.cookie, localStorage.a, sessionStorage.a, sessionStorage["b c"]].join("|")</script>`),
		"/clear": page(`<script>sessionStorage.clear()</script>`),
	}
	s, site := commonSession(t, routes)
	visit(t, pageOf(t, s), site.URL+"/keep")
	state, err := s.State(sessionContext(t))
	if err != nil {
		t.Fatal(err)
	}
	s.opts.Page.State = state
	defer func() { s.opts.Page.State = nil }()
	_ = pageOf(t, s).tab.Page.Context().Close()
	p := pageOf(t, s) // in a fresh context
	visit(t, p, site.URL+"/kept")
	contains(t, "the state", contentOf(t, p), "sid=c1|l1|s1|2 &lt;&amp;&gt; 3")
	visit(t, p, site.URL+"/clear")
	visit(t, p, site.URL+"/kept")
	contains(t, "what the site cleared", contentOf(t, p), "sid=c1|l1||")
}

func TestSession_socketOfTheBrowserSpeaksDevTools(t *testing.T) {
	s, site := commonSession(t)
	visit(t, pageOf(t, s), site.URL+"/text")
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", s.CDP())
	}}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Get("http://127.0.0.1/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	list, _ := io.ReadAll(resp.Body)
	contains(t, "targets", string(list), site.URL+"/text")
	for _, socket := range []string{s.CDP(), s.Endpoint()} {
		if info, err := os.Lstat(socket); err != nil || info.Mode() != os.ModeSocket|0o600 {
			t.Errorf("%s: %v, %v", socket, info.Mode(), err)
		}
	}
}

func TestSession_optionsThatCannotBeHonoured(t *testing.T) {
	dir := t.TempDir()
	for name, o := range map[string]SessionOptions{
		"no egress":        {},
		"no socket":        {Egress: dir},
		"not there":        {Egress: filepath.Join(dir, "no.sock")},
		"address":          {Egress: "http://127.0.0.1:1"},
		"unsandboxed path": {Egress: filepath.Join(dir, "no.sock"), Unsandboxed: true},
		"proxy":            {Page: PageOptions{Proxy: "http://127.0.0.1:1"}},
		"headers":          {Page: PageOptions{Headers: map[string]string{"A": "b"}}},
		"limits":           {Limits: sandbox.Limits{Memory: -1}},
	} {
		var bad *OptionError
		if s, err := StartSession(sessionContext(t), o); !errors.As(err, &bad) {
			t.Errorf("%s: got %v", name, err)
			if s != nil {
				s.Close()
			}
		}
	}
	o := SessionOptions{Egress: egressTo(t, "127.0.0.1:1"), Args: []string{"--no-sandbox"}}
	var refused *ArgError
	if _, err := StartSession(sessionContext(t), o); !errors.As(err, &refused) {
		t.Errorf("got %v, want a refused switch", err)
	}
}

func TestSession_withoutASandboxIsATypedError(t *testing.T) {
	o := SessionOptions{Egress: egressTo(t, "127.0.0.1:1")}
	t.Setenv("PATH", t.TempDir())
	var missing *sandbox.UnavailableError
	if _, err := StartSession(sessionContext(t), o); !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
}

func TestSession_unsandboxedOnlyWhenAskedFor(t *testing.T) {
	needsBrowser(t)
	if runtime.GOOS == "windows" {
		t.Skip("this system: sessions are not supported on Windows")
	}
	proxy := newProxy(t)
	site := newSite(t, proxy.URL)
	s, err := StartSession(sessionContext(t), SessionOptions{Egress: proxy.URL, Unsandboxed: true})
	if err != nil {
		t.Fatal(err)
	}
	visit(t, pageOf(t, s), site.URL+"/")
	if c, err := net.Dial("unix", s.Endpoint()); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	folder := s.gen.Folder
	if err := s.Close(); err != nil || s.Sandboxed() || !errors.Is(s.Err(), ErrClosed) {
		t.Errorf("close: %v, sandboxed %v, err %v", err, s.Sandboxed(), s.Err())
	}
	if left := processesWith("WINNOW_RUN=" + folder.Marker()); len(left) > 0 || exists(folder.Dir) {
		t.Errorf("left: %v", left)
	}
}

// carry leads connections to an address until the listener is closed.
func carry(ln net.Listener, address string) {
	var work sync.WaitGroup
	defer work.Wait()
	for {
		near, err := ln.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", address)
		if err != nil {
			near.Close()
			continue
		}
		for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
			work.Go(func() {
				_, _ = io.Copy(pair[0], pair[1])
				near.Close()
				far.Close()
			})
		}
	}
}
