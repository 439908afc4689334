package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

const bannerStyle = `style="position:fixed;bottom:0;left:0;right:0;height:200px;background:#fff;z-index:9999"`

var consentRoutes = map[string]http.HandlerFunc{
	"/onetrust": page(`<p>article</p><div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" ` + bannerStyle + `>We use cookies <button>Accept</button>
		<button id="onetrust-reject-all-handler" onclick="document.cookie='choice=no';document.querySelector('#onetrust-consent-sdk').remove()">Reject</button></div></div>`),
	"/bytext": page(`<p>article</p><div ` + bannerStyle + `>Wir verwenden Cookies <button>Alle akzeptieren</button>
		<button onclick="document.cookie='choice=no';this.parentNode.remove()"> Alle ablehnen </button></div>`),
	"/selfhiding": page(`<p>article</p><div id="klaro" ` + bannerStyle + `>We use cookies <button onclick="klaro.style.display='none';document.cookie='choice=no'">I decline</button></div>`),
	"/inshadow": page(`<p>article</p><div id="usercentrics-root"></div><script>
		const host = document.querySelector("#usercentrics-root"), root = host.attachShadow({mode: "open"});
		root.innerHTML = '<div style="position:fixed;top:0;width:500px;height:300px">cookies <button data-testid="uc-deny-all-button">No</button></div>';
		root.querySelector("button").onclick = () => { document.cookie = "choice=no"; host.remove() }</script>`),
	"/onlyaccept": page(`<style>body{overflow:hidden}</style><p>article</p><div id=curtain style="position:fixed;inset:0;background:#0008;z-index:9"></div>
		<div id=wall ` + bannerStyle + `>This site uses cookies. <button>I agree</button></div>`),
	"/stubborn": page(`<p>article</p><div class="cky-consent-container" ` + bannerStyle + `>Cookies! <button class="cky-btn-reject" onclick="document.cookie='choice=no'">Reject All</button></div>`),
	"/none": page(`<header style="position:fixed;top:0;left:0;right:0;height:60px"><a href=/>home</a> <a href=/cookies>Cookie recipes</a></header>
		<div style="position:fixed;bottom:0;right:0;width:300px;height:200px">Chat with us <button>No thanks</button></div><p>article about cookies</p>`),
}

// handled is what was done about a page's banners, with whether one may be left.
func handled(p *Page) string {
	done, unseen := p.Handled()
	if unseen {
		done = append(done, "unseen")
	}
	return strings.Join(done, "|")
}

func TestConsent_bannersAreRejectedElseHidden(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, consentRoutes)
	for path, test := range map[string]struct{ handled, cookie, gone string }{
		"/onetrust":   {"OneTrust: rejected", "choice=no", "We use cookies"},
		"/bytext":     {"cookie banner: rejected", "choice=no", "Wir verwenden"},
		"/inshadow":   {"Usercentrics: rejected", "choice=no", `id="usercentrics-root"`},
		"/selfhiding": {"Klaro: rejected", "choice=no", "We use cookies"},
		"/onlyaccept": {"cookie banner: hidden", "", "This site uses"},
		"/stubborn":   {"CookieYes: rejected|CookieYes: hidden", "choice=no", "Cookies!"},
		"/none":       {"", "", "never there"},
	} {
		t.Run(path, func(t *testing.T) {
			p := open(t, PageOptions{Proxy: s.proxy, Consent: true})
			p.banners.rules = func() string { return "" }
			visit(t, p, s.URL+path)
			if reason, err := p.WaitReady(testContext(t)); err != nil || reason != "quiet" {
				t.Errorf("got %q %v", reason, err)
			}
			html := contentOf(t, p)
			if got := handled(p); got != test.handled || strings.Contains(html, test.gone) {
				t.Errorf("handled %q, want %q; %s", got, test.handled, html)
			}
			contains(t, "content", html, "article")
			cookie, err := p.Evaluate(testContext(t), "document.cookie")
			if err != nil || string(cookie.Value) != `"`+test.cookie+`"` {
				t.Errorf("got cookies %s, %v, want %q", cookie.Value, err, test.cookie)
			}
		})
	}
}

// A click on a button of a banner that is gone or hidden is done already, and so is a wait for it. Those on what the page itself hides
// aren't.
func TestConsent_clicksOnWhatWasDealtWithAreDone(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, consentRoutes)
	for _, test := range []struct {
		path, selector string
		want           actions.Reason
	}{
		{"/onetrust", "#onetrust-banner-sdk > button", ""},
		{"/bytext", "body > div button:first-child", ""},
		{"/onlyaccept", "#wall button", ""},
		{"/stubborn", ".cky-btn-reject", ""},
		{"/onetrust", "#elsewhere", actions.NoMatch},
		{"/none", "button[hidden]", actions.NoMatch},
	} {
		t.Run(test.path+test.selector, func(t *testing.T) {
			p := open(t, PageOptions{Proxy: s.proxy, Consent: true})
			p.banners.rules = func() string { return "" }
			visit(t, p, s.URL+test.path)
			if _, err := p.WaitReady(testContext(t)); err != nil {
				t.Fatal(err)
			}
			done, err := p.Click(testContext(t), test.selector, actions.ClickOptions{Timeout: time.Second})
			noted := len(done.Notes) == 1 && strings.Contains(done.Notes[0], "cookie banner")
			if actions.ReasonOf(err) != test.want || noted != (err == nil) || done.Count != 0 {
				t.Errorf("got %+v, %v, want reason %q", done, err, test.want)
			}
			done, err = p.Click(testContext(t), test.selector, actions.ClickOptions{All: true, Timeout: time.Second})
			if noted := len(done.Notes) == 1 && strings.Contains(done.Notes[0], "cookie banner"); err != nil || noted != (test.want == "") {
				t.Errorf("all: got %+v, %v, want a note of the banner: %t", done, err, test.want == "")
			}
			notes, err := p.WaitSelector(testContext(t), test.selector, time.Second)
			if waits := test.want != ""; waits != (actions.ReasonOf(err) == actions.TimedOut) || waits != (len(notes) == 0) {
				t.Errorf("the wait: got %q, %v, want a note or reason %q", notes, err, test.want)
			}
		})
	}
}

// The page is changed once its script is through, whenever that is: what was done to it is said all the same.
func TestConsent_aSlowButtonIsRejectedToo(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{"/slow-button": page(`<p>article</p><div ` + bannerStyle + `>We use cookies
		<button onclick="for (const end = Date.now() + 4000; Date.now() < end;); this.parentNode.remove()">Reject all</button></div>`)})
	p := open(t, PageOptions{Proxy: s.proxy, Consent: true})
	p.banners.rules = func() string { return "" }
	visit(t, p, s.URL+"/slow-button")
	if p.banners.find(testContext(t), time.Now().Add(patience), p.ready.hiddenName()) == "" {
		t.Fatal("no banner was found")
	}
	p.banners.deal(testContext(t), time.Now().Add(3*time.Second), p.ready.hiddenName()) // less than the button takes
	if html := contentOf(t, p); strings.Contains(html, "We use cookies") {
		t.Error(html)
	}
	eventually(t, "it is known", func() bool { return handled(p) == "cookie banner: rejected" }) // its answer is on the way, as the content was
}

// A banner that there was no time to reject is hidden, however late that is known.
func TestConsent_isHiddenAfterItsTime(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{"/banner": page(`<p>article</p><div ` + bannerStyle + `>We use cookies <button>Reject all</button></div>`)})
	p := open(t, PageOptions{Proxy: s.proxy, Consent: true})
	p.banners.rules = func() string { return "" }
	visit(t, p, s.URL+"/banner")
	p.banners.deal(testContext(t), time.Now().Add(-time.Second), p.ready.hiddenName())
	eventually(t, "it is hidden", func() bool { return handled(p) == "cookie banner: hidden" })
}

// A page whose scripts leave no time may have a banner: that is said, and no longer so once it has answered.
func TestConsent_aBusyPageMayHaveABanner(t *testing.T) {
	needsBrowser(t)
	held, release := make(chan struct{}, 1), make(chan struct{})
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{
		"/busy": page(`<p>article</p><div ` + bannerStyle + `>We use cookies <button>I agree</button></div>`),
		"/held": func(http.ResponseWriter, *http.Request) { held <- struct{}{}; <-release },
	})
	p := open(t, PageOptions{Proxy: s.proxy, Consent: true})
	p.banners.rules = func() string { return "" }
	visit(t, p, s.URL+"/busy")
	if _, err := p.Evaluate(testContext(t), `setTimeout(() => { const r = new XMLHttpRequest(); r.open("GET", "/held", false); r.send() }), 1`); err != nil {
		t.Fatal(err)
	}
	<-held
	p.banners.handleUntil(testContext(t), time.Now().Add(consentStep), p.ready.hiddenName())
	if got := handled(p); got != "unseen" {
		t.Errorf("handled %q", got)
	}
	p.banners.hideNow(testContext(t), p.ready.hiddenName())
	if got := handled(p); got != "unseen" {
		t.Errorf("hidden at once: handled %q", got)
	}
	close(release)
	eventually(t, "hidden late", func() bool { return handled(p) == "cookie banner: hidden" })
}

// A late answer to what came before says nothing of what was not begun any more.
func TestConsent_aLateAnswerIsNotTheLastOne(t *testing.T) {
	b := &banners{}
	first := b.look()
	last := b.look()
	if b.saw(first, nil); !b.left() {
		t.Error("the first look's answer counts for the last")
	}
	if b.saw(last, nil); b.left() {
		t.Error("the last look's answer doesn't count")
	}
}

func TestConsent_withoutTheOptionNothingIsTouched(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, consentRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/onetrust")
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	contains(t, "content", contentOf(t, p), "We use cookies")
	if got := handled(p); got != "" {
		t.Errorf("handled %q", got)
	}
}

func TestConsent_scrollLockAndCurtainGoToo(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, consentRoutes)
	p := open(t, PageOptions{Proxy: s.proxy, Consent: true})
	visit(t, p, s.URL+"/onlyaccept")
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	got, err := p.Evaluate(testContext(t), `[getComputedStyle(document.body).overflowY, curtain.checkVisibility(), wall.checkVisibility()].join()`)
	if err != nil || string(got.Value) != `"auto,false,false"` {
		t.Errorf("got %s, %v", got.Value, err)
	}
}

// The package's own file isn't in the tree: what matters is that one in its place is found, run and believed.
func TestConsent_installedRulesComeFirst(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, consentRoutes)
	p := open(t, PageOptions{Proxy: s.proxy, Consent: true})
	p.banners.rules = func() string {
		return `(() => { const messages = []; window.autoconsentStandalone = {messages, instance: {state: {lifecycle: "started"}}};
			setTimeout(() => { document.querySelector("#onetrust-consent-sdk").remove(); messages.push({type: "optOutResult", cmp: "Ruled", result: true}) }, 100) })();`
	}
	visit(t, p, s.URL+"/onetrust")
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if got := handled(p); got != "Ruled: rejected" {
		t.Errorf("handled %q", got)
	}
}
