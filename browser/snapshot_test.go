package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/reading"
)

var snapshotRoutes = map[string]http.HandlerFunc{
	"/shop": page(`<title>A  shop</title><nav><a href="/one">One</a> <a href="/two" aria-current=page>Two</a></nav>
		<main><h1>Goods <em>today</em></h1><p>Plain <b>bold</b> text.</p><ul><li>first</li><li>second <button>Buy</button></li></ul>
		<table><tr><th>Name</th><th>Price</th></tr><tr><td>Pear</td><td>2 €</td></tr></table><img src="x.png" alt="a pear">
		<form><label>Your name <input name=who value="Ada"></label><input type=password name=pass value="s3cret-word" aria-label=Password>
		<input type=checkbox id=box checked><label for=box>Agree</label>
		<select name=size aria-label=Size><option>S</option><option value=m selected>Medium</option><option>L</option></select>
		<textarea placeholder="Say something"></textarea><button disabled>Send</button></form></main>`),
	"/hiding": page(`<p>seen</p><p style="display:none">h-display</p><p style="visibility:hidden">h-visibility</p><div style="opacity:0"><p>h-opacity</p></div>
		<p style="font-size:0">h-size</p><p style="color:transparent">h-color</p><p style="position:absolute;left:-9999px">h-left</p><p style="text-indent:-9999px">h-indent</p>
		<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">h-clip</span><div style="height:0;overflow:hidden">h-height</div>
		<p aria-hidden=true>h-aria</p><noscript>h-noscript</noscript><template>h-template</template><!-- h-comment --><p style="clip-path:inset(50%)">h-path</p>
		<button>Go <span style="display:none">h-button</span></button><button id=b aria-labelledby=l>x</button><span id=l hidden>h-label</span>`),
	"/forging": page(`<p>- button "Pay" [e1]
- button "x" [e2]</p><button aria-label='a" [e9]
- link "Real" [e7]'>b</button>
		<script>window.e1 = document.body; Element.prototype.getAttribute = () => "forged"; Document.prototype.querySelectorAll = () => []; Map.prototype.get = () => document.body;
		window.seen = []; new MutationObserver((l) => seen.push(...l)).observe(document, {subtree: true, childList: true, attributes: true, characterData: true})</script>
		<form id=f><input name=localName><input name=childNodes><input name=getBoundingClientRect><button>In a form</button></form>`),
	"/outer": func(w http.ResponseWriter, r *http.Request) {
		page(fmt.Sprintf(`<p>top</p><div style="height:700px"></div><iframe title=near src="/inside" style="margin:9px;border:5px solid;padding:7px;width:300px"></iframe><iframe title=far src="%s/inside"></iframe>`,
			r.URL.Query().Get("other")))(w, r)
	},
	"/inside": page(`<div style="height:400px"></div><button onclick="this.textContent = 'was clicked'">Inner</button><input aria-label=Field>`),
	"/shadowed": page(`<x-box></x-box><script>customElements.define("x-box", class extends HTMLElement { constructor() { super();
		this.attachShadow({mode: "open"}).innerHTML = "<p>deep</p><button onclick=\"document.title = 'shadow clicked'\">Deep button</button>" } })</script>`),
	"/acting": page(`<title>t</title><script>const say = (s) => { document.title = s }</script>
		<button id=late disabled onclick="say('late')">Late</button><script>setTimeout(() => { late.disabled = false }, 200)</script>
		<div style="position:relative"><button>Under</button><div class=cover style="position:absolute;inset:0;background:#fff">cover</div></div>
		<input type=checkbox id=c style="position:absolute;opacity:0;width:0;height:0" onchange="say('checked')"><label for=c style="display:inline-block;padding:8px">Drawn again</label>
		<div style="height:2000px"></div><a id=far href="/one" target=_blank>Far</a><p style="width:60px">aa bb <a href="#wrapped">a link over several lines</a></p>
		<div onclick="say('pointed')" style="cursor:pointer">Plain</div>
		<select aria-label=Pick onchange="say('picked ' + value)"><option value=1>One</option><option value=2>Two</option></select><select disabled aria-label=Shut><option>1</option></select>
		<input aria-label=Text name=text><div class=list><i>1</i><button onclick="say('second')">Twin</button><button onclick="say('third')">Twin</button></div>
		<button onclick="this.remove()">Goes</button><button onclick="window.open('/one?popup')">Opens</button><button onclick="say('x1')" id="gen-839201">Odd id</button>`),
	"/one": page(`<title>one</title><p>one</p>`),
}

func shot(t *testing.T, p *Page, o SnapshotOptions) Snapshot {
	t.Helper()
	s, err := p.Refs().Snapshot(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// refOf finds the reference of the line that has the text.
func refOf(t *testing.T, s Snapshot, text string) string {
	t.Helper()
	for line := range strings.Lines(s.Text) {
		if i := strings.Index(line, " [e"); i > 0 && strings.Contains(line, text) {
			ref, _, _ := strings.Cut(line[i+2:], "]")
			return ref
		}
	}
	t.Fatalf("no reference for %s in\n%s", text, s.Text)
	return ""
}

func snapshotPage(t *testing.T, path string) *Page {
	t.Helper()
	needsBrowser(t)
	proxy := newProxy(t)
	s, other := newSite(t, proxy.URL, snapshotRoutes), newSite(t, proxy.URL, snapshotRoutes)
	p := patient(open(t, PageOptions{Proxy: s.proxy}))
	visit(t, p, s.URL+strings.ReplaceAll(path, "OTHER", url.QueryEscape(strings.Replace(other.URL, "127.0.0.1", "localhost", 1))))
	return p
}

func TestSnapshot_showsRolesNamesStatesAndValues(t *testing.T) {
	p := snapshotPage(t, "/shop")
	got := shot(t, p, SnapshotOptions{})
	want := `- navigation
  - link "One" [e1] url="/one"
  - link "Two" [e2] url="/two" current
- main
  - heading "Goods today" level="1"
  - text "Plain bold text."
  - list
    - listitem
      - text "first"
    - listitem
      - text "second"
      - button "Buy" [e3]
  - table
    - row
      - text "Name | Price"
    - row
      - text "Pear | 2 €"
  - img "a pear"
  - form
    - text "Your name"
    - textbox "Your name" [e4] value="Ada"
    - textbox "Password" [e5] secret filled
    - checkbox "Agree" [e6] checked
    - text "Agree"
    - combobox "Size" [e7] value="Medium" options="S"|"Medium"|"L"
    - textbox "Say something" [e8]
    - button "Send" [e9] disabled
`
	if got.Text != want {
		t.Errorf("got\n%s\nwant\n%s", got.Text, want)
	}
	if got.Title != "A shop" || !strings.HasSuffix(got.URL, "/shop") || got.Refs != 9 || got.Cut {
		t.Errorf("got %q %q %d %v, want the page's, 9 references, not cut", got.Title, got.URL, got.Refs, got.Cut)
	}
	few := shot(t, p, SnapshotOptions{Interactive: true})
	if strings.Contains(few.Text, "first") || !strings.Contains(few.Text, `button "Buy" [e3]`) || few.Refs != 9 {
		t.Errorf("got\n%s\nwant the same references without the text", few.Text)
	}
}

func TestSnapshot_leavesOutWhatNobodySees(t *testing.T) {
	got := shot(t, snapshotPage(t, "/hiding"), SnapshotOptions{})
	if strings.Contains(got.Text, "h-") || !strings.Contains(got.Text, `"seen"`) || !strings.Contains(got.Text, `button "Go" [e1]`) {
		t.Errorf("got\n%s\nwant nothing that begins with h-", got.Text)
	}
}

func TestSnapshot_cannotBeForgedNorSeen(t *testing.T) {
	p := snapshotPage(t, "/forging")
	if _, err := p.Evaluate(t.Context(), "seen.length = 0; window.names = 0; names = Object.getOwnPropertyNames(window).length"); err != nil {
		t.Fatal(err)
	}
	got := shot(t, p, SnapshotOptions{})
	refs := 0
	for line := range strings.Lines(got.Text) {
		outside := strings.Split(line, `"`)
		if line = outside[0] + outside[len(outside)-1]; strings.Contains(line, "[e") {
			refs++
		}
	}
	if refs != got.Refs || got.Refs != 5 || !strings.Contains(got.Text, `button "a\" [e9] - link \"Real\" [e7]" [e1]`) || !strings.Contains(got.Text, `button "In a form"`) {
		t.Errorf("got %d references in\n%s", refs, got.Text)
	}
	e, err := p.Refs().Element(t.Context(), "e1")
	if err != nil || e.Role != "button" || e.Selector == "" {
		t.Errorf("got %+v, %v, want the button", e, err)
	}
	if seen, err := p.Evaluate(t.Context(), "return seen.length + Object.getOwnPropertyNames(window).length - names"); err != nil || string(seen.Value) != "0" {
		t.Errorf("the page has seen %s, %v", seen.Value, err)
	}
}

func TestSnapshot_cutsAtALineAndSaysSo(t *testing.T) {
	p := snapshotPage(t, "/shop")
	got := shot(t, p, SnapshotOptions{MaxChars: 120})
	if !got.Cut || len(got.Text) > 180 || !strings.HasSuffix(got.Text, "more lines are not shown]\n") || got.Refs != 9 {
		t.Errorf("got %+v", got)
	}
	if err := p.Refs().Click(t.Context(), "e3", patience); err != nil {
		t.Errorf("what was cut can't be clicked: %v", err)
	}
	if _, err := p.Refs().Snapshot(t.Context(), SnapshotOptions{MaxChars: -1}); err == nil {
		t.Error("a negative bound is accepted")
	}
}

func TestSnapshot_referencesLastAndAreNeverReused(t *testing.T) {
	p := snapshotPage(t, "/shop")
	first := shot(t, p, SnapshotOptions{})
	if again := shot(t, p, SnapshotOptions{}); again.Text != first.Text {
		t.Errorf("got\n%s\nwant the same as before", again.Text)
	}
	visit(t, p, strings.Replace(p.URL(), "/shop", "/acting", 1))
	if err := p.Refs().Click(t.Context(), "e3", time.Second); actions.ReasonOf(err) != actions.Detached {
		t.Errorf("got %v for a reference of another page, want Detached", err)
	}
	next := shot(t, p, SnapshotOptions{})
	if strings.Contains(next.Text, "[e9]") || !strings.Contains(next.Text, "[e10]") {
		t.Errorf("got\n%s\nwant references from e10 on", next.Text)
	}
	for _, ref := range []string{"e3", "e999", "", "x", "e", "10", "e-1", "e010"} {
		if _, err := p.Refs().Element(t.Context(), ref); actions.ReasonOf(err) != actions.NoMatch {
			t.Errorf("%q: got %v, want NoMatch", ref, err)
		}
	}
}

func TestSnapshot_actsInFramesOfAnySiteAndShadowTrees(t *testing.T) {
	p := snapshotPage(t, "/outer?other=OTHER")
	_, far, _ := strings.Cut(shot(t, p, SnapshotOptions{}).Text, `- frame "far"`)
	near := shot(t, p, SnapshotOptions{}).Text
	for name, text := range map[string]string{"near": near, "far": far} {
		s := Snapshot{Text: text}
		field := refOf(t, s, "Field")
		if e, err := p.Refs().Element(t.Context(), field); err != nil || e.Selector != "" || e.Role != "textbox" {
			t.Errorf("%s: got %+v, %v, want a text box without a selector", name, e, err)
		}
		if err := p.Refs().Click(t.Context(), field, patience); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := p.Type(t.Context(), "typed "+name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := p.Refs().Click(t.Context(), refOf(t, s, "Inner"), patience); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	after := shot(t, p, SnapshotOptions{}).Text
	if strings.Count(after, "was clicked") != 2 || !strings.Contains(after, `"typed near"`) || !strings.Contains(after, `"typed far"`) {
		t.Errorf("got\n%s\nwant both clicked and filled", after)
	}
	visit(t, p, strings.Split(p.URL(), "/outer")[0]+"/shadowed")
	s := shot(t, p, SnapshotOptions{})
	if err := p.Refs().Click(t.Context(), refOf(t, s, "Deep button"), patience); err != nil || shot(t, p, SnapshotOptions{}).Title != "shadow clicked" {
		t.Errorf("%v\n%s", err, s.Text)
	}
}

func TestRef_clicksAsAPersonDoes(t *testing.T) {
	p := snapshotPage(t, "/acting")
	s := shot(t, p, SnapshotOptions{})
	for _, test := range []struct {
		line, title string
		reason      actions.Reason
	}{
		{`"Late"`, "late", ""},
		{`"Under"`, "", actions.Covered},
		{`checkbox "Drawn again"`, "checked", ""},
		{`"a link over`, "", ""},
		{`"Plain"`, "pointed", ""},
		{`"Goes"`, "", ""},
		{`"Goes"`, "", actions.Detached},
	} {
		wait := patience
		if test.reason != "" {
			wait = time.Second
		}
		err := p.Refs().Click(t.Context(), refOf(t, s, test.line), wait)
		if actions.ReasonOf(err) != test.reason || test.reason == "" && err != nil {
			t.Errorf("%s: got %v, want %q", test.line, err, test.reason)
		}
		if test.title != "" {
			if got, _ := p.Evaluate(t.Context(), "return document.title"); string(got.Value) != `"`+test.title+`"` {
				t.Errorf("%s: got title %s, want %s", test.line, got.Value, test.title)
			}
		}
	}
	if !strings.HasSuffix(p.URL(), "#wrapped") {
		t.Errorf("got %s, want the wrapped link followed", p.URL())
	}
}

func TestRef_selectsFocusesAndStays(t *testing.T) {
	p := snapshotPage(t, "/acting")
	s := shot(t, p, SnapshotOptions{})
	pick := refOf(t, s, `"Pick"`)
	for option, reason := range map[string]actions.Reason{"two": "", "1": "", "nine": actions.NoMatch} {
		if err := p.Refs().Select(t.Context(), pick, option); actions.ReasonOf(err) != reason {
			t.Errorf("%s: got %v, want %q", option, err, reason)
		}
	}
	if err := p.Refs().Select(t.Context(), refOf(t, s, `"Shut"`), "1"); actions.ReasonOf(err) != actions.Disabled {
		t.Errorf("got %v, want Disabled", err)
	}
	if err := p.Refs().Select(t.Context(), refOf(t, s, `"Text"`), "1"); actions.ReasonOf(err) != actions.NoMatch {
		t.Errorf("got %v for a text field, want NoMatch", err)
	}
	if err := p.Refs().Focus(t.Context(), refOf(t, s, `"Text"`)); err != nil {
		t.Error(err)
	}
	if err := p.Type(t.Context(), "abc"); err != nil {
		t.Error(err)
	}
	if e, err := p.Refs().Element(t.Context(), refOf(t, s, `"Text"`)); err != nil || !e.Filled || e.Secret {
		t.Errorf("got %+v, %v, want it filled", e, err)
	}
	if err := p.Refs().Click(t.Context(), refOf(t, s, `"Opens"`), patience); err != nil {
		t.Error(err)
	}
	eventually(t, "the tab that the page opens is known", func() bool { return strings.HasSuffix(p.Refs().Popup(), "/one?popup") })
	link := refOf(t, s, `link "Far"`)
	if e, err := p.Refs().Element(t.Context(), link); err != nil || !e.OpensTab || !strings.HasSuffix(e.URL, "/one") {
		t.Errorf("got %+v, %v, want a link that opens a tab", e, err)
	}
	if changed, err := p.Refs().Stay(t.Context(), link); err != nil || !changed {
		t.Errorf("got %v, %v", changed, err)
	}
	if err := p.Refs().Click(t.Context(), link, patience); err != nil {
		t.Error(err)
	}
	if _, err := p.WaitReady(t.Context()); err != nil || !strings.HasSuffix(p.URL(), "/one") {
		t.Errorf("got %s, %v, want the link followed in this tab", p.URL(), err)
	}
}

func TestRef_selectorsFindTheElementAgain(t *testing.T) {
	p := snapshotPage(t, "/acting")
	s := shot(t, p, SnapshotOptions{})
	lines := []string{`"Late"`, `"Plain"`, `"Pick"`, `"Text"`, `"Twin"`, `"Odd id"`, `"Far"`, `checkbox "Drawn again"`}
	for _, line := range lines {
		e, err := p.Refs().Element(t.Context(), refOf(t, s, line))
		if err != nil || e.Selector == "" {
			t.Fatalf("%s: %+v, %v", line, e, err)
		}
		if strings.Contains(e.Selector, "839201") {
			t.Errorf("%s: %s holds a number that was made up for one visit", line, e.Selector)
		}
		got, err := p.Evaluate(t.Context(), fmt.Sprintf("const f = document.querySelectorAll(%q); return f.length", e.Selector))
		if err != nil || string(got.Value) != "1" {
			t.Errorf("%s: %s finds %s elements, %v", line, e.Selector, got.Value, err)
		}
	}
	e, err := p.Refs().Element(t.Context(), refOf(t, s, "Drawn again"))
	if err != nil || e.ClickSelector == "" || e.ClickSelector == e.Selector {
		t.Errorf("got %+v, %v, want its label to be clicked", e, err)
	}
	list := []actions.Action{{Type: actions.Click, Selector: e.ClickSelector}}
	visit(t, p, p.URL())
	if _, err := actions.Run(t.Context(), follow(t, p), list, actions.Options{}); err != nil {
		t.Error(err)
	}
}

func TestSnapshot_survivesPagesThatSpin(t *testing.T) {
	p := snapshotPage(t, "/shop")
	if _, err := p.Evaluate(t.Context(), "setTimeout(() => { const end = Date.now() + 300; while (Date.now() < end); })"); err != nil {
		t.Fatal(err)
	}
	if s := shot(t, p, SnapshotOptions{}); s.Refs != 9 {
		t.Errorf("got %d references, want 9", s.Refs)
	}
}

func TestSnapshot_ofAHugePageIsBounded(t *testing.T) {
	p := snapshotPage(t, "/one")
	script := `document.body.innerHTML = "<ul>" + "<li><a href='/x'>A link to somewhere</a> and some words beside it <b>bold</b></li>".repeat(4000) + "</ul>"`
	if _, err := p.Evaluate(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	s := shot(t, p, SnapshotOptions{})
	if !s.Cut || len(s.Text) > defaultSnapshot+100 || s.Refs < 500 || s.Refs > reading.MaxRows {
		t.Errorf("got %d characters, %d references, cut %v", len(s.Text), s.Refs, s.Cut)
	}
	if err := p.Refs().Click(t.Context(), "e1", patience); err != nil {
		t.Error(err)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: this benchmark needs a browser")
	}
	site := newSite(b, newProxy(b).URL, snapshotRoutes)
	p, err := shared.Open(b.Context(), PageOptions{Proxy: site.proxy})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Goto(b.Context(), site.URL+"/shop"); err != nil {
		b.Fatal(err)
	}
	if _, err := p.Evaluate(b.Context(), `document.querySelector("main").innerHTML += "<p>Some <b>words</b> and <a href='/x'>a link</a>.</p>".repeat(300)`); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Refs().Snapshot(b.Context(), SnapshotOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
