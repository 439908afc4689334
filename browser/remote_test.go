package browser

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
)

// diary is a page that writes down what happens to it, for each thing one word.
var diary = map[string]http.HandlerFunc{
	"/diary": page(`<title>diary</title><style>* { position: absolute; margin: 0; width: 100px; height: 40px }</style>
		<button style="left: 0; top: 0" id=b>b</button><input style="left: 0; top: 100px" id=i>
		<textarea style="left: 200px; top: 100px" id=t></textarea>
		<p style="left: 0; top: 200px" id=from draggable=true>from</p><p style="left: 300px; top: 200px" id=to>to</p>
		<div style="left: 0; top: 300px; overflow: scroll" id=high><p style="height: 2000px">high</p></div>
		<a style="left: 200px; top: 0" href="/">elsewhere</a>
		<script>
		const words = window.words = [];
		const note = (...all) => words.push(all.join(":"));
		b.onclick = (e) => note("click", e.isTrusted, e.detail, e.shiftKey);
		b.onauxclick = (e) => note("aux", e.button);
		b.oncontextmenu = (e) => { e.preventDefault(); note("menu"); };
		b.ondblclick = () => note("double");
		b.onmousemove = (e) => note("over", e.clientX, e.clientY);
		document.onkeydown = (e) => note("down", e.key, e.code, e.keyCode, e.location, e.repeat, e.ctrlKey);
		document.onkeyup = (e) => note("up", e.key);
		from.ondragstart = (e) => { e.dataTransfer.setData("text/plain", "cargo"); note("drag"); };
		to.ondragover = (e) => e.preventDefault();
		to.ondrop = (e) => note("drop", e.dataTransfer.getData("text/plain"));
		t.onpaste = () => note("paste"); t.oninput = (e) => note("input", e.inputType);
		</script>`),
}

// person does things to a page.
type person struct {
	t *testing.T
	p *Page
}

func (u person) does(inputs ...Input) {
	u.t.Helper()
	for _, in := range inputs {
		if err := u.p.Remote().Input(testContext(u.t), in); err != nil {
			u.t.Fatalf("%+v: %v", in, err)
		}
	}
}

func (u person) clicks(x, y float64) {
	u.t.Helper()
	u.does(Input{Kind: MouseDown, X: x, Y: y, Buttons: 1}, Input{Kind: MouseUp, X: x, Y: y})
}

func (u person) presses(in Input) {
	u.t.Helper()
	in.Kind = KeyDown
	u.does(in)
	in.Kind, in.Text = KeyUp, ""
	u.does(in)
}

// says returns the value of an expression in the page.
func (u person) says(expression string) string {
	u.t.Helper()
	r, err := u.p.Evaluate(testContext(u.t), expression)
	if err != nil {
		u.t.Fatal(err)
	}
	var text string
	if json.Unmarshal(r.Value, &text) != nil {
		return string(r.Value)
	}
	return text
}

// noted takes what the page has written down.
func (u person) noted() string {
	u.t.Helper()
	return u.says("words.splice(0).join(' ')")
}

func atDiary(t *testing.T) person {
	t.Helper()
	needsBrowser(t)
	proxy := newProxy(t)
	site := newSite(t, proxy.URL, diary)
	p := open(t, PageOptions{Proxy: proxy.URL})
	visit(t, p, site.URL+"/diary")
	return person{t, p}
}

func TestInput_mouse(t *testing.T) {
	u := atDiary(t)
	for _, c := range []struct {
		name   string
		inputs []Input
		want   string
	}{
		{"move", []Input{{Kind: MouseMove, X: 10, Y: 20}}, "over:10:20"},
		{"click", []Input{{Kind: MouseDown, X: 10, Y: 20, Buttons: 1}, {Kind: MouseUp, X: 10, Y: 20, Modifiers: Shift}}, "click:true:1:true"},
		{"double click", []Input{
			{Kind: MouseDown, X: 10, Y: 20, Buttons: 1}, {Kind: MouseUp, X: 10, Y: 20},
			{Kind: MouseDown, X: 10, Y: 20, Buttons: 1, Clicks: 2}, {Kind: MouseUp, X: 10, Y: 20, Clicks: 2},
		}, "click:true:1:false click:true:2:false double"},
		{"middle button", []Input{{Kind: MouseDown, X: 10, Y: 20, Button: "middle", Buttons: 4}, {Kind: MouseUp, X: 10, Y: 20, Button: "middle"}}, "aux:1"},
		{"right button", []Input{{Kind: MouseDown, X: 10, Y: 20, Button: "right", Buttons: 2}, {Kind: MouseUp, X: 10, Y: 20, Button: "right"}}, "menu aux:2"},
		{"drag and drop", []Input{
			{Kind: MouseMove, X: 10, Y: 210}, {Kind: MouseDown, X: 10, Y: 210, Buttons: 1}, {Kind: MouseMove, X: 60, Y: 215, Buttons: 1},
			{Kind: MouseMove, X: 310, Y: 215, Buttons: 1}, {Kind: MouseMove, X: 320, Y: 220, Buttons: 1}, {Kind: MouseUp, X: 320, Y: 220},
		}, "drag drop:cargo"},
	} {
		u.noted()
		u.does(c.inputs...)
		var all string
		eventually(t, c.name, func() bool { all += " " + u.noted(); return strings.Contains(all, c.want) || len(all) > 300 })
		if !strings.Contains(all, c.want) {
			t.Errorf("%s: got %q, want %q in it", c.name, all, c.want)
		}
	}
	u.does(Input{Kind: MouseWheel, X: 20, Y: 320, DeltaY: 150})
	eventually(t, "the wheel has scrolled", func() bool { return u.says("high.scrollTop") == "150" })
}

func TestInput_keys(t *testing.T) {
	u := atDiary(t)
	u.clicks(10, 110)
	u.noted()
	u.presses(Input{Key: "a", Code: "KeyA", Text: "a"})
	if got, want := u.noted(), "down:a:KeyA:65:0:false:false up:a"; got != want {
		t.Errorf("a letter: got %q, want %q", got, want)
	}
	u.presses(Input{Key: "é", Text: "é"})
	u.presses(Input{Key: "😀", Text: "😀"})
	u.presses(Input{Key: "7", Code: "Numpad7", Text: "7"})
	contains(t, "the keypad", u.noted(), "down:7:Numpad7:103:3:false:false")
	if got := u.says("i.value"); got != "aé😀7" {
		t.Errorf("typed: got %q", got)
	}
	u.presses(Input{Key: "Home", Code: "Home"})
	u.presses(Input{Key: "Delete", Code: "Delete"})
	u.presses(Input{Key: "ArrowRight", Code: "ArrowRight"})
	u.presses(Input{Key: "Backspace", Code: "Backspace"})
	if got := u.says("i.value"); got != "😀7" {
		t.Errorf("after editing: got %q", got)
	}
	u.presses(Input{Key: "a", Code: "KeyQ", Modifiers: Control}) // of a French keyboard
	u.does(Input{Kind: KeyDown, Key: "Shift", Code: "ShiftLeft", Modifiers: Shift, Repeat: true}, Input{Kind: KeyUp, Key: "Shift", Code: "ShiftLeft"})
	contains(t, "a key that is held", u.noted(), "down:Shift:ShiftLeft:16:1:true:false")
	u.presses(Input{Key: "x", Code: "KeyX", Text: "x"})
	if got := u.says("i.value"); got != "x" {
		t.Errorf("typed over all that was selected: got %q", got)
	}
	u.presses(Input{Key: "Tab", Code: "Tab"})
	u.does(Input{Kind: InsertText, Text: "pasted\n日本語"})
	u.presses(Input{Key: "Enter", Code: "Enter"})
	if got := u.says("t.value"); got != "pasted\n日本語\n" {
		t.Errorf("inserted: got %q", got)
	}
}

func TestInput_thatMakesNoSense(t *testing.T) {
	for _, in := range []Input{
		{}, {Kind: "jump"}, {Kind: MouseMove, X: math.NaN()}, {Kind: MouseMove, Y: math.Inf(1)}, {Kind: MouseDown, Button: "third"},
		{Kind: MouseDown, Buttons: 32}, {Kind: MouseUp, Clicks: 4}, {Kind: MouseWheel, DeltaX: 1e9}, {Kind: KeyDown}, {Kind: KeyDown, Key: strings.Repeat("a", 65)},
		{Kind: KeyUp, Key: "a", Code: "\xff"}, {Kind: InsertText, Text: strings.Repeat("a", maxInsert+1)}, {Kind: InsertText, Text: "\xff"}, {Kind: MouseMove, Modifiers: 16},
	} {
		var bad *OptionError
		if err := new(Remote).Input(t.Context(), in); !errors.As(err, &bad) {
			t.Errorf("%+v: got %v", in, err)
		}
	}
}

// What a person types while a page is busy for some seconds, as many are on slow machines, is not lost: it gets it later.
func TestInput_waitsForABusyPage(t *testing.T) {
	u := atDiary(t)
	u.says("i.focus(); setTimeout(() => { const end = performance.now() + 4000; while (performance.now() < end); }); ''")
	u.presses(Input{Key: "x", Code: "KeyX", Text: "x"})
	if got := u.says("i.value"); got != "x" {
		t.Errorf("the field has %q", got)
	}
}

// A page that is busy loses neither itself nor more than one call to those who operate it.
func TestInput_pageThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	rest, release := context.WithCancel(t.Context())
	defer release()
	s := newSite(t, newProxy(t).URL, map[string]http.HandlerFunc{
		"/works": page(`<title>works</title>`),
		"/rest":  func(http.ResponseWriter, *http.Request) { <-rest.Done() },
	})
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/works")
	if _, err := p.Evaluate(testContext(t), `setTimeout(() => { const r = new XMLHttpRequest(); r.open("GET", "/rest", false); r.send(); document.title = "rests" })`); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page waits for its server and does nothing else", func() bool { return len(s.requests("/rest")) > 0 })
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	click := Input{Kind: MouseDown, X: 1, Y: 1}
	if err := p.Remote().Input(ctx, click); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the end of ctx", err)
	}
	if title, err := p.Remote().Title(testContext(t)); err != nil || title != "works" {
		t.Errorf("a busy page's title: %q, %v", title, err)
	}
	if err := p.Remote().Input(testContext(t), click); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	release()
	eventually(t, "the page takes input again", func() bool { return p.Remote().Input(testContext(t), click) == nil })
	eventually(t, "the page has its new title", func() bool { title, _ := p.Remote().Title(testContext(t)); return title == "rests" })
	_ = p.Close()
	if err := p.Remote().Input(testContext(t), click); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

func TestSteer_addressAndHistory(t *testing.T) {
	needsBrowser(t)
	proxy := newProxy(t)
	site := newSite(t, proxy.URL, diary)
	p := open(t, PageOptions{Proxy: proxy.URL})
	ctx := testContext(t)
	at := func(path string) {
		t.Helper()
		eventually(t, "at "+path, func() bool { return p.URL() == site.URL+path })
		if _, err := p.WaitReady(ctx); err != nil { // a person sees the page before going on
			t.Fatal(err)
		}
	}
	go_ := func(path string) {
		t.Helper()
		if err := p.Remote().Steer(ctx, site.URL+path); err != nil {
			t.Fatal(err)
		}
		at(path)
	}
	travel := func(steps int) {
		t.Helper()
		if err := p.Remote().Travel(ctx, steps); err != nil {
			t.Fatal(err)
		}
	}
	go_("/")
	go_("/text")
	travel(-1)
	at("/")
	travel(-5) // beyond its beginning
	travel(1)
	at("/text")
	before := len(site.requests("/text"))
	travel(0)
	eventually(t, "loaded anew", func() bool { return len(site.requests("/text")) > before })
	if err := p.Remote().Steer(ctx, "file:///etc/passwd"); !errors.Is(err, ErrScheme) {
		t.Errorf("a file: %v", err)
	}
	var failed *NavigationError
	if err := p.Remote().Steer(ctx, "http://127.0.0.1:1/"); !errors.As(err, &failed) && err != nil {
		t.Errorf("nobody there: %v", err)
	}
	steerAway(t, p, site)
}

// steerAway shows that an address which never answers delays no one.
func steerAway(t *testing.T, p *Page, site *site) {
	t.Helper()
	errs := make(chan error, 1)
	go func() { errs <- p.Remote().Steer(testContext(t), site.URL+"/silent") }()
	eventually(t, "it is asked for", func() bool { return len(site.requests("/silent")) > 0 })
	if err := p.Remote().Steer(testContext(t), site.URL+"/xml"); err != nil {
		t.Error(err)
	}
	if err := <-errs; err != nil {
		t.Errorf("a load that another took the place of: %v", err)
	}
}
