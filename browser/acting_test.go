package browser

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

// follow is a page as actions work on it, ended with the test.
func follow(t *testing.T, p *Page) *Acting {
	t.Helper()
	a, err := p.Follow(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.End)
	return a
}

// tabRoutes open tabs by clicks.
var tabRoutes = map[string]http.HandlerFunc{
	"/tabs": page(`<h1>tabs</h1>
		<a id=link target=_blank href="/one">x</a>
		<a id=opener target=_blank rel=opener href="/one">x</a>
		<button id=script onclick="window.open('/one')">x</button>
		<button id=noopener onclick="window.open('/one', '_blank', 'noopener')">x</button>
		<button id=moved onclick="window.open('/to?url=/one')">x</button>
		<button id=late onclick="setTimeout(() => window.open('/one'), 700)">x</button>
		<button id=asked onclick="fetch('/slow').then(() => window.open('/one'))">x</button>
		<button id=written onclick="const w = window.open(''); w.document.write('<h1>written</h1>')">x</button>
		<form target=_blank action="/one"><input id=field name=q><button id=form>x</button></form>
		<iframe srcdoc="<a id=framed target=_blank href='/one'>x</a>"></iframe>
		<button id=storm onclick="for (let i = 1; i < 8; i++) window.open('/one?' + i)">x</button>
		<a id=ad target=_blank href="/one" onclick="setTimeout(() => window.open('/ad'))">x</a>
		<a id=adfirst target=_blank href="/one" onclick="window.open('/ad')"><b>x</b></a>
		<a id=adlater target=_blank href="/one" onclick="setTimeout(() => window.open('/ad'), 500)">x</a>
		<a id=nothing target=_blank href="/nothing">x</a>
		<a id=file target=_blank href="/attachment">x</a>
		<a id=ownfile target=_blank rel=opener href="/attachment?2">x</a>
		<a id=refused target=_blank href="http://127.0.0.1:1/">x</a>
		<a id=missing target=_blank href="/missing">x</a>
		<a id=selfclosing target=_blank rel=opener href="/selfclosing">x</a>
		<a id=briefly target=_blank rel=opener href="/briefly">x</a>
		<button id=both onclick="window.open('/one'); this.textContent = 'pressed'">x</button>`),
	"/one": page(`<h1>one</h1><a id=next target=_blank rel=opener href="/two">x</a><p id=q></p><script>q.textContent = location.search</script>
		<script>document.body.append(Object.assign(document.createElement("p"), {id: "lang", textContent: navigator.language}))</script>`),
	"/two": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Two", "2")
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, `<h1>two</h1><button id=close onclick="window.close()">x</button><input id=field onkeydown="window.close()">`)
	},
	"/attachment": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		fmt.Fprint(w, "file")
	},
	"/ad":          page(`<h1>ad</h1>`),
	"/selfclosing": page(`<h1>closing</h1><script>setTimeout(() => { opener.document.body.insertAdjacentHTML("beforeend", "<p id=back>back</p>"); close() }, 500)</script>`),
	"/briefly":     page(`<script>close()</script>`),
}

// shows is the heading of the document, its address and what the notes say.
func shows(t *testing.T, a *Acting) (heading, notes string) {
	t.Helper()
	got, err := a.Evaluate(testContext(t), `document.querySelector("h1")?.textContent || ""`)
	if err != nil {
		t.Fatal(err)
	}
	effects, err := a.Effects(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Trim(string(got.Value), `"`), strings.Join(effects.Notes, "|")
}

func press(t *testing.T, a *Acting, selector string) {
	t.Helper()
	if _, err := a.Click(testContext(t), selector, actions.ClickOptions{Timeout: patience}); err != nil {
		t.Fatalf("click %s: %v", selector, err)
	}
}

// settle waits until the page is quiet, also where a busy machine takes longer than a page has.
func settle(t *testing.T, a *Acting) {
	t.Helper()
	ctx := testContext(t)
	for reason := ""; reason != "quiet"; {
		var err error
		if reason, err = a.WaitReady(ctx); err != nil {
			t.Fatal(reason, err)
		}
	}
}

// tabsOf names the paths of the tabs in a page's context.
func tabsOf(p *Page) (paths []string) {
	for _, t := range openTabs(p.tab.Context()) {
		_, path, _ := strings.Cut(t.URL(), "//")
		_, path, _ = strings.Cut(path, "/")
		paths = append(paths, "/"+path)
	}
	return paths
}

func TestActing_aTabThatAClickOpensIsThePage(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, tabRoutes)
	tabs := map[string]string{"#link": "one", "#noopener": "one", "#framed": "one", "#written": "written", "#adfirst b": "one", "#both": "one"}
	if !raced() { // these only differ in how Chromium opens the tab
		maps.Copy(tabs, map[string]string{"#opener": "one", "#script": "one", "#moved": "one", "#form": "one", "#ad": "one", "#missing": ""})
	}
	for selector, want := range tabs {
		t.Run(selector, func(t *testing.T) {
			p := open(t, PageOptions{Proxy: s.proxy, Locale: "de-DE"})
			visit(t, p, s.URL+"/tabs")
			a := follow(t, p)
			press(t, a, selector)
			heading, notes := shows(t, a)
			if heading != want || !strings.Contains(notes, "A tab has opened and is the page now: ") || a.Page() == p {
				t.Errorf("got %q, notes %q, want %q", heading, notes, want)
			}
			eventually(t, "there are the page and the one before it", func() bool {
				_, err := a.Effects(testContext(t))
				return err == nil && len(tabsOf(p)) == 2
			})
		})
	}
}

func TestActing_theNewTabIsLikeThePage(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, tabRoutes)
	p := open(t, PageOptions{Proxy: s.proxy, Locale: "de-DE", Headers: map[string]string{"X-Own": "1", "Cookie": "a=b"}, Hide: []string{"#lang"}, Consent: true})
	visit(t, p, s.URL+"/tabs")
	a := follow(t, p)
	press(t, a, "#link")
	if _, notes := shows(t, a); !strings.Contains(notes, "It was loaded again, with the request's headers.") {
		t.Errorf("got notes %q", notes)
	}
	html := contentOf(t, a.Page())
	if strings.Contains(html, `id="lang"`) {
		t.Errorf("what is hidden is there: %s", html)
	}
	if got := s.requests("/one"); len(got) != 2 || got[1].Get("X-Own") != "1" || got[1].Get("Cookie") != "a=b" || !strings.HasPrefix(got[1].Get("Accept-Language"), "de-DE") {
		t.Errorf("got %v, want the caller's headers", got)
	}
	bare := open(t, PageOptions{Proxy: s.proxy, Hide: []string{"#lang"}})
	visit(t, bare, s.URL+"/tabs")
	b := follow(t, bare)
	press(t, b, "#script")
	shows(t, b)
	if html := contentOf(t, b.Page()); strings.Contains(html, `id="lang"`) || !strings.Contains(html, "<h1>one") {
		t.Errorf("what is hidden in a first document is there: %s", html)
	}
	if a.Page().Proxy() != p.Proxy() {
		t.Error("the tab has another proxy")
	}
}

func TestActing_tabsOfTabsAndBack(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, tabRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	before := visit(t, p, s.URL+"/tabs")
	a := follow(t, p)
	press(t, a, "#link")
	press(t, a, "#next")
	if heading, _ := shows(t, a); heading != "two" {
		t.Errorf("got %q, want the tab of the tab", heading)
	}
	nav, err := a.Page().Shown(testContext(t))
	if err != nil || nav.URL != s.URL+"/two" || nav.Status != http.StatusTeapot || nav.Header.Get("X-Two") != "2" || nav.Document == before.Document {
		t.Errorf("got %+v, %v, want the answer of the last tab", nav, err)
	}
	press(t, a, "#close")
	eventually(t, "the tab is closed", func() bool { return len(tabsOf(p)) == 2 })
	heading, notes := shows(t, a)
	if heading != "one" || !strings.Contains(notes, "/two has closed itself: "+s.URL+"/one is the page again.") {
		t.Errorf("got %q, notes %q, want the tab before it", heading, notes)
	}
	if nav, err := a.Page().Shown(testContext(t)); err != nil || nav.URL != s.URL+"/one" || nav.Status != 200 {
		t.Errorf("got %+v, %v, want the answer of the tab before", nav, err)
	}
	press(t, a, "#next")
	press(t, a, "#field")
	if err := a.Press(testContext(t), "x"); err != nil {
		t.Errorf("a key that closes the tab: %v", err)
	}
	eventually(t, "the tab is closed", func() bool { return len(tabsOf(p)) == 2 })
	if heading, _ := shows(t, a); heading != "one" {
		t.Errorf("got %q after a key", heading)
	}
}

// A wait goes on where the page is by then.
func TestActing_waitsFollow(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, tabRoutes)
	tests := []struct{ click, wait, want string }{
		{"#late", "#next", "one"}, {"#selfclosing", "#back", "tabs"}, {"#asked", "#next", "one"}, {"#briefly", "#late", "tabs"},
	}
	if raced() { // the others only differ in when Chromium opens or closes the tab
		tests = tests[:2]
	}
	for _, test := range tests {
		t.Run(test.click, func(t *testing.T) {
			p := open(t, PageOptions{Proxy: s.proxy})
			visit(t, p, s.URL+"/tabs")
			a := follow(t, p)
			press(t, a, test.click)
			if _, err := a.WaitSelector(testContext(t), test.wait, patience); err != nil {
				t.Fatal(err)
			}
			if heading, notes := shows(t, a); heading != test.want {
				t.Errorf("got %q, notes %q, want %q", heading, notes, test.want)
			}
		})
		t.Run(test.click+" at last", func(t *testing.T) {
			p := open(t, PageOptions{Proxy: s.proxy})
			visit(t, p, s.URL+"/tabs")
			a := follow(t, p)
			press(t, a, test.click)
			eventually(t, "the page that is quiet is "+test.want, func() bool { // a busy browser may say late that it has opened a tab
				settle(t, a)
				heading, _ := shows(t, a)
				return heading == test.want
			})
		})
	}
}

// Of several tabs the one stays that a person's click opened; the others are closed, and named.
func TestActing_ofAStormOneStays(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, tabRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/tabs")
	a := follow(t, p)
	press(t, a, "#storm")
	got, err := a.Scrape(testContext(t))
	if err != nil || got.URL != s.URL+"/one?1" {
		t.Errorf("got %s, %v, want the one that the click opened", got.URL, err)
	}
	_, notes := shows(t, a)
	if !strings.Contains(notes, "Other tabs that opened are closed: ") || !strings.Contains(notes, "/one?3") || !strings.Contains(notes, "and 1 more") {
		t.Errorf("got notes %q", notes)
	}
	eventually(t, "the others are closed", func() bool {
		_, err := a.Effects(testContext(t))
		return err == nil && slices.Equal(tabsOf(p), []string{"/tabs", "/one?1"})
	})
}

// What opens by itself later is not what the click was for.
func TestActing_aTabThatNobodyCalledIsClosed(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, tabRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/tabs")
	a := follow(t, p)
	press(t, a, "#adlater")
	heading, notes := shows(t, a)
	if heading != "one" {
		t.Errorf("got %q, %q, want the link's tab", heading, notes)
	}
	eventually(t, "the other has come and gone", func() bool {
		got, err := a.Effects(testContext(t))
		notes += strings.Join(got.Notes, "|")
		return err == nil && strings.Contains(notes, "Other tabs that opened are closed: "+s.URL+"/ad") && slices.Equal(tabsOf(p), []string{"/tabs", "/one"})
	})
	if a.Page().URL() != s.URL+"/one" {
		t.Errorf("the page is %s", a.Page().URL())
	}
}

func TestActing_tabsThatComeToNothing(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, tabRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/tabs")
	a := follow(t, p)
	press(t, a, "#nothing")
	eventually(t, "the tab's answer is there", func() bool {
		heading, notes := shows(t, a)
		return heading == "tabs" && strings.Contains(notes, "The tab that opened for "+s.URL+"/nothing has no document.")
	})
	for range 4 { // the tab is there sometimes before, sometimes after it is known that its document is a file
		for _, link := range []string{"#file", "#ownfile"} {
			press(t, a, link)
			if heading, notes := shows(t, a); heading != "tabs" || a.Page() != p {
				t.Errorf("a file in a tab, %s: got %q, %q", link, heading, notes)
			}
		}
	}
	press(t, a, "#refused")
	shows(t, a)
	_, err := a.Page().Shown(testContext(t))
	if nav, ok := errors.AsType[*NavigationError](err); !ok || nav.URL != "http://127.0.0.1:1/" || nav.Net != "ERR_UNSAFE_PORT" {
		t.Errorf("a tab that is refused: got %v, want its error", err)
	}
	hasty := open(t, PageOptions{Proxy: s.proxy, LoadWait: time.Second})
	visit(t, hasty, s.URL+"/tabs")
	a = follow(t, hasty)
	_, err = a.Evaluate(testContext(t), `open("/silent")`)
	if heading, notes := shows(t, a); err != nil || heading != "tabs" || !strings.Contains(notes, "/silent has opened, but had no document after 1s.") {
		t.Errorf("a silent tab: got %q, %q, %v", heading, notes, err)
	}
}

func TestActing_inASession(t *testing.T) {
	s, site := commonSession(t, tabRoutes)
	p := pageOf(t, s)
	visit(t, p, site.URL+"/tabs")
	a, err := p.Follow(sessionContext(t))
	if err != nil {
		t.Fatal(err)
	}
	press(t, a, "#link")
	press(t, a, "#next")
	if heading, notes := shows(t, a); heading != "two" || pageOf(t, s) != a.Page() {
		t.Errorf("got %q, %q, want the last tab as the session's page", heading, notes)
	}
	press(t, a, "#close")
	eventually(t, "the tab is closed", func() bool { return len(s.Tabs()) == 2 })
	if heading, _ := shows(t, a); heading != "one" || pageOf(t, s) != a.Page() {
		t.Errorf("got %q, want the tab before", heading)
	}
	a.End()
	now := pageOf(t, s)
	if nav, err := now.Shown(sessionContext(t)); err != nil || now == p || nav.URL != site.URL+"/one" || nav.Status != 200 {
		t.Errorf("after the actions: got %+v, %v", nav, err)
	}
	if _, err := p.Content(sessionContext(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("the page before: got %v, want it let go", err)
	}
	for _, closing := range s.Tabs() {
		if !closing.Page {
			_ = openTabs(now.tab.Context())[0].Close()
		}
	}
}
