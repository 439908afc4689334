package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

var contentRoutes = map[string]http.HandlerFunc{
	"/shadow": page(`<x-card><span slot=title>Light &amp; title</span><i>not shown</i></x-card><p>after</p><script>
		class Card extends HTMLElement { constructor() { super(); this.attachShadow({mode: "open"}).innerHTML =
			"<style>b{color:red}</style><b><slot name=title>none</slot></b><x-inner><a href=/deep>in two</a></x-inner><slot name=other>fallback</slot>" } }
		class Inner extends HTMLElement { constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<em>inner <slot></slot></em>" } }
		customElements.define("x-card", Card); customElements.define("x-inner", Inner)</script>`),
	"/frames": func(w http.ResponseWriter, r *http.Request) {
		page(fmt.Sprintf(`<p>top</p><iframe src="/framed?n=3"></iframe><iframe src="%s/framed"></iframe><iframe srcdoc="<a href='rel'>written</a>"></iframe>
			<iframe hidden src="/framed?hidden"></iframe><iframe src="/png"></iframe><p>bottom</p>`, r.URL.Query().Get("other")))(w, r)
	},
	"/framed": func(w http.ResponseWriter, r *http.Request) {
		inside := ""
		if n := r.URL.Query().Get("n"); n != "" && n != "0" {
			inside = fmt.Sprintf(`<iframe src="/framed?n=%c"></iframe>`, n[0]-1)
		}
		page(`<script>var secret</script><a href="link?`+r.URL.RawQuery+`">in a frame</a><img srcset="a.png 1x, /b.png 2x">`+inside)(w, r)
	},
	"/hangingframes": page(`<p>top</p><iframe src="/silent"></iframe><iframe src="/endless"></iframe>`),
	"/broken":        page(`<p>kept</p><script>Element.prototype.querySelectorAll = document.querySelectorAll = null</script>`),
	"/ads":           page(`<p>text</p><div class="ad">buy <b>this</b></div><div class="own" style="display:none">menu</div>`),
	"/set":           raw("text/html", `<!doctype html><frameset cols="50%,50%"><frame src="/framed"><frame src="/"></frameset>`),
}

func TestContent_holdsOpenShadowTrees(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, contentRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/shadow")
	html := contentOf(t, p)
	contains(t, "content", html, `<x-card><b><slot name="title"><span slot="title">Light &amp; title</span></slot></b><x-inner><em>inner <slot><a href="/deep">in two</a></slot></em></x-inner><slot name="other">fallback</slot></x-card><p>after</p>`)
	contains(t, "content", html, "<!DOCTYPE html><html>")
}

func TestContent_holdsVisibleFramesOfAnySite(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s, other := newSite(t, proxy.URL, contentRoutes), newSite(t, proxy.URL, contentRoutes)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	p := patient(open(t, PageOptions{Proxy: s.proxy}))
	visit(t, p, s.URL+"/frames?other="+url.QueryEscape(elsewhere))
	html := contentOf(t, p)
	for _, want := range []string{
		`<div data-original-tag="iframe" data-src="` + s.URL + `/framed?n=3">`,
		`<a href="` + s.URL + `/link?n=0">in a frame</a>`,
		`<div data-original-tag="iframe" data-src="` + elsewhere + `/framed">`,
		`<a href="` + elsewhere + `/link?">in a frame</a>`,
		`srcset="` + elsewhere + `/a.png 1x, ` + elsewhere + `/b.png 2x"`,
		`<a href="` + s.URL + `/rel">written</a>`,
		"<p>top</p>", "<p>bottom</p>", `<iframe hidden="" src="/framed?hidden"></iframe>`,
	} {
		contains(t, "content", html, want)
	}
	if strings.Contains(html, "secret") || strings.Contains(html, "link?hidden") || strings.Contains(html, "<!--_") {
		t.Errorf("got %s", html)
	}
}

func TestContent_framesThatNeverComeAreLeftEmpty(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, contentRoutes)
	p := patient(open(t, PageOptions{Proxy: s.proxy, LoadWait: 500 * time.Millisecond}))
	visit(t, p, s.URL+"/hangingframes")
	eventually(t, "the frame that goes on loading is there", func() bool { return strings.Contains(contentOf(t, p), "<p>line 1</p>") })
	contains(t, "content", contentOf(t, p), `data-src="`+s.URL+`/silent"></div>`)
}

func TestContent_survivesPagesThatBreakScripts(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, contentRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/broken")
	contains(t, "content", contentOf(t, p), "<p>kept</p>")
}

func TestContent_framesetIsReadToo(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, contentRoutes)
	p := patient(open(t, PageOptions{Proxy: s.proxy}))
	visit(t, p, s.URL+"/set")
	contains(t, "content", contentOf(t, p), `<div data-original-tag="frame" data-src="`+s.URL+`/"><h1>hello</h1></div>`)
}

func TestContent_overTheLimitIsAnError(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, contentRoutes)
	p := open(t, PageOptions{Proxy: s.proxy, MaxBody: 100})
	visit(t, p, s.URL+"/dialogs")
	if _, err := p.Content(testContext(t)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
}

func TestContent_leavesOutWhatIsHidden(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, contentRoutes)
	p := open(t, PageOptions{Proxy: s.proxy, Hide: []string{"p[", ".ad", "} body {", ""}})
	visit(t, p, s.URL+"/ads")
	html := contentOf(t, p)
	contains(t, "content", html, `<p>text</p><div class="own" style="display:none">menu</div>`)
	if strings.Contains(html, "this") || strings.Contains(html, p.ready.hiddenName()) {
		t.Errorf("got %s", html)
	}
}

func TestContent_hangingPageEndsWithTheContext(t *testing.T) {
	needsBrowser(t)
	p := open(t, PageOptions{})
	visit(t, p, "data:text/html,<p>x")
	_, _ = p.Evaluate(testContext(t), "setTimeout(() => { while (true) {} })")
	if _, err := p.Content(deadline(t, 500*time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want a deadline", err)
	}
}
