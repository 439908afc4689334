package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/reading"
)

var apartRoutes = map[string]http.HandlerFunc{
	"/forging": page(`<p>kept</p><x-card>light</x-card><iframe srcdoc="<p>framed</p>"></iframe><script>
		document.querySelector("x-card").attachShadow({mode: "open"}).innerHTML = "<b>in the shadow</b>";
		const forge = (proto, name) => Object.defineProperty(proto, name, { get: () => "forged", configurable: true });
		for (const name of ["outerHTML", "innerHTML", "shadowRoot", "attributes", "localName"]) forge(Element.prototype, name);
		for (const name of ["childNodes", "nodeType", "data", "baseURI"]) forge(Node.prototype, name);
		forge(Document.prototype, "documentElement");
		Element.prototype.checkVisibility = Element.prototype.getBoundingClientRect = () => "forged";
		String.prototype.replace = () => "forged"; Array.prototype.push = () => { throw "forged" }; JSON.stringify = () => '"forged"';
		globalThis.DOMParser = globalThis.Map = globalThis.Set = function() { throw "forged" };</script>`),
	"/clobbering": page(`<x-card>light</x-card><img name=documentElement><img name=baseURI><img name=doctype><img name=host><form id=f class=c><input name=attributes><input name=childNodes>
		<input name=nodeType><input name=localName><input name=shadowRoot><input name=parentNode><input name=outerHTML><input name=getBoundingClientRect><x-in>in</x-in></form><script>
		for (const name of ["x-card", "x-in"]) document.getElementsByTagName(name)[0].attachShadow({mode: "open"}).innerHTML = "<b>shadow of " + name + "</b>"</script>`),
	"/closed": page(`<x-card>light</x-card><script>document.querySelector("x-card").attachShadow({mode: "closed"}).innerHTML = "<b>closed</b>"</script>`),
	"/unseen": page(`<iframe style="visibility:hidden" srcdoc="<p>one"></iframe><iframe style="opacity:0" srcdoc="<p>two"></iframe><iframe width=1 height=1 srcdoc="<p>three"></iframe>
		<iframe style="display:none" srcdoc="<p>four"></iframe><div hidden><iframe srcdoc="<p>five"></iframe></div><iframe srcdoc="<p>seen"></iframe>`),
	"/many": func(w http.ResponseWriter, r *http.Request) {
		page(strings.Repeat(`<iframe width=20 height=20 srcdoc="<p>one more</p>"></iframe>`, reading.MaxFrames+5))(w, r)
	},
	"/around": func(w http.ResponseWriter, r *http.Request) {
		other, depth := r.URL.Query().Get("other"), r.URL.Query().Get("depth")
		next := fmt.Sprintf("%s/around?depth=%s1&other=%s", other, depth, url.QueryEscape("http://"+r.Host))
		inside := fmt.Sprintf(`<iframe src="%s"></iframe>`, next)
		if len(depth) > reading.MaxFrameDepth {
			inside = ""
		}
		page(fmt.Sprintf(`<p>depth %d</p>%s`, len(depth), inside))(w, r)
	},
	"/shadowframe": page(`<div id=host></div><script>document.getElementById("host").attachShadow({mode: "open"}).innerHTML = '<iframe src="/framed"></iframe>'</script>`),
	"/framed":      page(`<a href="link">in a frame</a>`),
	"/addresses":   page(`<iframe srcdoc='<base href="https://cdn.example/x/"><img data-src="a.png" data-srcset="b.png 1x, /c.png 2x"><i style="color:red;background:url( &amp;quot;d.png&amp;quot; ),url(e.png)"></i><q cite="f">g</q>'></iframe>`),
}

// patient leaves frames that will be read their time, however slow the machine.
func patient(p *Page) *Page {
	p.reader.Options.Slack = 20 * time.Second
	return p
}

func apartPage(t *testing.T, path string) string {
	t.Helper()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, apartRoutes)
	p := patient(open(t, PageOptions{Proxy: s.proxy}))
	visit(t, p, s.URL+path)
	html := contentOf(t, p)
	if again := contentOf(t, p); again != html {
		t.Errorf("%s: read twice: got %s, then %s", path, html, again)
	}
	return html
}

func TestContent_pagesScriptsCantChangeWhatIsRead(t *testing.T) {
	html := apartPage(t, "/forging")
	contains(t, "content", html, `<p>kept</p><x-card><b>in the shadow</b></x-card><div data-original-tag="iframe" data-src=""><p>framed</p></div>`)
	if before, _, _ := strings.Cut(html, "<script>"); strings.Contains(before, "forged") {
		t.Errorf("got %s", html)
	}
}

func TestContent_namedElementsDontHideProperties(t *testing.T) {
	html := apartPage(t, "/clobbering")
	contains(t, "content", html, `<x-card><b>shadow of x-card</b></x-card>`)
	contains(t, "content", html, `<form id="f" class="c"><input name="attributes">`)
	contains(t, "content", html, `<x-in><b>shadow of x-in</b></x-in></form>`)
	contains(t, "content", html, "<!DOCTYPE html>")
}

func TestContent_closedShadowTreesAreNotSeen(t *testing.T) {
	contains(t, "content", apartPage(t, "/closed"), `<x-card>light</x-card>`)
}

func TestContent_hiddenFramesAreLeftOut(t *testing.T) {
	html := apartPage(t, "/unseen")
	if n := strings.Count(html, "data-original-tag"); n != 1 {
		t.Errorf("%d frames are in: %s", n, html)
	}
	contains(t, "content", html, `<div data-original-tag="iframe" data-src=""><p>seen</p></div>`)
}

func TestContent_readsAtMostSoManyFrames(t *testing.T) {
	html := apartPage(t, "/many")
	if n := strings.Count(html, `<p>one more</p></div>`); n != reading.MaxFrames {
		t.Errorf("%d frames are in, want %d", n, reading.MaxFrames)
	}
	if n := strings.Count(html, `<iframe`); n != 5 {
		t.Errorf("%d frames are left, want 5", n)
	}
}

func TestContent_framesInFramesOfTwoSites(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	s, other := newSite(t, proxy.URL, apartRoutes), newSite(t, proxy.URL, apartRoutes)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	p := patient(open(t, PageOptions{Proxy: s.proxy}))
	visit(t, p, s.URL+"/around?other="+url.QueryEscape(elsewhere))
	html := contentOf(t, p)
	for depth := range reading.MaxFrameDepth + 1 {
		contains(t, "content", html, fmt.Sprintf("<p>depth %d</p>", depth))
	}
	if strings.Contains(html, fmt.Sprintf("<p>depth %d</p>", reading.MaxFrameDepth+1)) {
		t.Errorf("got %s", html)
	}
}

func TestContent_framesInShadowTreesAreRead(t *testing.T) {
	html := apartPage(t, "/shadowframe")
	contains(t, "content", html, `<div id="host"><div data-original-tag="iframe"`)
	contains(t, "content", html, `link">in a frame</a></div></div>`)
}

func TestContent_addressesInFramesAreAbsolute(t *testing.T) {
	contains(t, "content", apartPage(t, "/addresses"), `<img data-src="https://cdn.example/x/a.png" data-srcset="https://cdn.example/x/b.png 1x, https://cdn.example/c.png 2x">`+
		`<i style="color:red;background:url(&quot;https://cdn.example/x/d.png&quot;),url(https://cdn.example/x/e.png)"></i><q cite="https://cdn.example/x/f">g</q>`)
}
