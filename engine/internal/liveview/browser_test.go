package liveview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	_ "image/png" // screenshots
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser"
)

// shown is a session on a site, and the server that shows it.
type shown struct {
	t       testing.TB
	site    string
	proxy   string
	session *browser.Session
	server  *Server
	base    string
	urls    URLs
}

const form = `<!doctype html><title>A <img src=x onerror=alert(1)> form</title><style>* { margin: 0; position: absolute }</style>
<body style="background: rgb(250, 240, 200)"><div style="left: 0; top: 0; width: 200px; height: 200px; background: rgb(200, 30, 40)"></div>
<div style="left: 440px; top: 200px; width: 200px; height: 200px; background: rgb(20, 60, 200)"></div>
<button style="left: 300px; top: 20px; width: 100px; height: 40px" onclick="this.textContent = 'clicked ' + event.detail">press</button>
<input id=i style="left: 300px; top: 100px; width: 100px; height: 40px"><div style="top: 3000px">end</div>`

// showSession starts a browser with a page of its own and a server that shows it.
func showSession(t testing.TB, body string) *shown {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: needs a browser")
	}
	s := &shown{t: t, proxy: openProxy(t)}
	s.site = mounted(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/second" {
			_, _ = io.WriteString(w, "<title>second</title><p>second page")
			return
		}
		_, _ = io.WriteString(w, body)
	}))
	var err error
	s.session, err = browser.StartSession(t.Context(), browser.SessionOptions{
		Unsandboxed: true, Egress: s.proxy, Page: browser.PageOptions{Viewport: browser.Viewport{Width: 640, Height: 400}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.session.Close() })
	if _, err := s.page().Goto(t.Context(), s.site+"/"); err != nil {
		t.Fatal(err)
	}
	s.server, s.base = newServer(t, Options{Path: "/live/"})
	s.urls = add(t, s.server, "a", sessionScreen{s.session})
	return s
}

func (s *shown) page() *browser.Page {
	s.t.Helper()
	p, err := s.session.Page(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// spectator is a browser that has a view open.
type spectator struct {
	*shown
	page *browser.Page
}

func (s *shown) open(pool *browser.Pool, path string, o browser.PageOptions) *spectator {
	s.t.Helper()
	u := s.visit(pool, path, o)
	u.sees("state", "Live")
	return u
}

func (s *shown) visit(pool *browser.Pool, path string, o browser.PageOptions) *spectator {
	s.t.Helper()
	o.Proxy = s.proxy
	p, err := pool.Open(s.t.Context(), o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = p.Close() })
	if _, err := p.Goto(s.t.Context(), s.base+path); err != nil {
		s.t.Fatal(err)
	}
	return &spectator{s, p}
}

// asks gives the value of a function in a page.
func asks[T any](t testing.TB, p *browser.Page, script string) (value T) {
	t.Helper()
	answer, err := p.Inspect(t.Context(), "() => "+script)
	if err == nil {
		err = json.Unmarshal(answer, &value)
	}
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return value
}

// text of an element of the view.
func (u *spectator) text(id string) string {
	u.t.Helper()
	return asks[string](u.t, u.page, fmt.Sprintf("document.getElementById(%q).textContent", id))
}

func (u *spectator) sees(id, text string) {
	u.t.Helper()
	eventually(u.t, id+" says "+text, func() bool { return strings.HasPrefix(u.text(id), text) })
}

// box is where the shown page is in the view: left, top, width and height.
type box [4]float64

func (u *spectator) box() box {
	u.t.Helper()
	return asks[box](u.t, u.page, "{ const b = document.getElementById('screen').getBoundingClientRect(); return [b.left, b.top, b.width, b.height] }")
}

// at is where a place of the shown page is in the view.
func (b box) at(x, y float64) (float64, float64) { return b[0] + x*b[2]/640, b[1] + y*b[3]/400 }

func (u *spectator) at(x, y float64) (float64, float64) {
	u.t.Helper()
	return u.box().at(x, y)
}

func (u *spectator) does(inputs ...browser.Input) {
	u.t.Helper()
	for _, in := range inputs {
		if err := u.page.Remote().Input(u.t.Context(), in); err != nil {
			u.t.Fatal(err)
		}
	}
}

// clicks on a place of the shown page.
func (u *spectator) clicks(x, y float64) {
	u.t.Helper()
	x, y = u.at(x, y)
	u.does(browser.Input{Kind: browser.MouseMove, X: x, Y: y}, browser.Input{Kind: browser.MouseDown, X: x, Y: y, Buttons: 1}, browser.Input{Kind: browser.MouseUp, X: x, Y: y})
}

func (u *spectator) presses(key, code, text string) {
	u.t.Helper()
	u.does(browser.Input{Kind: browser.KeyDown, Key: key, Code: code, Text: text}, browser.Input{Kind: browser.KeyUp, Key: key, Code: code})
}

func picture(t testing.TB, p *browser.Page) image.Image {
	t.Helper()
	data, _, err := p.Screenshot(t.Context(), browser.ScreenshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, data)
}

func decoded(t testing.TB, data []byte) image.Image {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// looksLike reports whether the view shows the page: ninety places have the same colours.
func (u *spectator) looksLike(want image.Image, ratio float64) error {
	got, box := picture(u.t, u.page), u.box()
	for i := range 90 { // none near an edge
		x, y := 48+64*(i%9), 12+40*(i/9)
		vx, vy := box.at(float64(x), float64(y))
		r, g, b, _ := want.At(x, y).RGBA()
		r2, g2, b2, _ := got.At(int(vx*ratio), int(vy*ratio)).RGBA()
		if far(r, r2) || far(g, g2) || far(b, b2) {
			return fmt.Errorf("at %d,%d: %v in the page, %v in the view", x, y, want.At(x, y), got.At(int(vx*ratio), int(vy*ratio)))
		}
	}
	return nil
}

func far(a, b uint32) bool { return max(a, b)-min(a, b) > 30<<8 }

func TestView_showsAndOperatesABrowserFromAnother(t *testing.T) {
	t.Parallel()
	s := showSession(t, form)
	pool := spectators()
	u := s.open(pool, s.urls.Control, browser.PageOptions{})
	u.sees("title", "A <img src=x onerror=alert(1)> form")
	u.sees("url", s.site+"/")
	if err := u.looksLike(picture(t, s.page()), 1); err != nil {
		t.Error(err)
	}
	operates(t, u)
	onlyWatches(t, s.open(pool, s.urls.View, browser.PageOptions{}))
	fits(t, s.open(pool, s.urls.Control, browser.PageOptions{Mobile: true, Viewport: browser.Viewport{Width: 360, Height: 740}}))
	steers(t, u)
	comesBack(t, u)
	if err := s.session.Close(); err != nil {
		t.Error(err)
	}
	u.sees("state", "Ended: ")
	s.server.Remove("a", "closed")
	nav, err := u.page.Goto(t.Context(), s.base+s.urls.Control)
	if err != nil || nav.Status != http.StatusNotFound {
		t.Errorf("the address of a session that is gone: %+v, %v", nav, err)
	}
}

// operates clicks, types, pastes and scrolls, and looks for it in the page that is shown.
func operates(t *testing.T, u *spectator) {
	t.Helper()
	value := func() string { return asks[string](t, u.shown.page(), "document.getElementById('i').value") }
	u.clicks(350, 40)
	eventually(t, "the click has come", func() bool {
		return asks[string](t, u.shown.page(), "document.querySelector('button').textContent") == "clicked 1"
	})
	u.clicks(350, 120)
	for _, key := range []string{"h", "é", "y"} {
		u.presses(key, "Key"+strings.ToUpper(key), key)
	}
	u.presses("Backspace", "Backspace", "")
	u.does(browser.Input{Kind: browser.InsertText, Text: "日本"}) // as an input method does
	eventually(t, "the keys have come", func() bool { return value() == "hé日本" })
	asks[any](t, u.page, `{ const clipboardData = new DataTransfer(); clipboardData.setData("text/plain", " <pasted>");
		document.getElementById("keys").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); return null }`)
	eventually(t, "the paste has come", func() bool { return value() == "hé日本 <pasted>" })
	u.does(browser.Input{Kind: browser.KeyDown, Key: "a", Code: "KeyA", Modifiers: browser.Control}, browser.Input{Kind: browser.KeyUp, Key: "a", Code: "KeyA", Modifiers: browser.Control})
	u.presses("Delete", "Delete", "")
	eventually(t, "all is deleted", func() bool { return value() == "" })
	x, y := u.at(100, 300)
	u.does(browser.Input{Kind: browser.MouseWheel, X: x, Y: y, DeltaY: 120})
	eventually(t, "the wheel has come", func() bool { return asks[float64](t, u.shown.page(), "scrollY") == 120 })
	asks[any](t, u.shown.page(), "{ scrollTo(0, 0); return null }")
	eventually(t, "the picture follows", func() bool { return u.looksLike(picture(t, u.shown.page()), 1) == nil })
	u.does(browser.Input{Kind: browser.KeyDown, Key: "Escape", Code: "Escape", Modifiers: browser.Shift})
	if got := asks[string](t, u.page, "document.activeElement.id"); got != "type" {
		t.Errorf("Shift+Escape leaves the keyboard at %q", got)
	}
}

// onlyWatches does the same where it may not.
func onlyWatches(t *testing.T, u *spectator) {
	t.Helper()
	if err := u.looksLike(picture(t, u.shown.page()), 1); err != nil {
		t.Error(err)
	}
	before := asks[string](t, u.shown.page(), "document.body.innerHTML")
	u.clicks(350, 40)
	u.clicks(350, 120)
	u.presses("h", "KeyH", "h")
	if asks[bool](t, u.page, "document.getElementById('steer').checkVisibility() || document.getElementById('tools').checkVisibility()") {
		t.Error("a view for watching offers to operate")
	}
	// A page that sends all the same is shown the door.
	w := dial(t, u.base+u.urls.View)
	w.sends(`{"type":"input","input":{"kind":"down","x":350,"y":40,"buttons":1}}`)
	w.hears("ended")
	if after := asks[string](t, u.shown.page(), "document.body.innerHTML"); after != before || asks[string](t, u.shown.page(), "document.getElementById('i').value") != "" {
		t.Errorf("the page has changed: %s", after)
	}
	u.sees("state", "Live")
}

// phoneRatio is how many pixels of the screen a phone's browser has for one of CSS.
const phoneRatio = 2.625

// fits looks at a phone's view, and taps and drags with a finger.
func fits(t *testing.T, u *spectator) {
	t.Helper()
	eventually(t, "a phone shows the page", func() bool { return u.looksLike(picture(t, u.shown.page()), phoneRatio) == nil })
	if width := asks[float64](t, u.page, "document.documentElement.scrollWidth"); width > 360 {
		t.Errorf("the view is %v pixels wide on a phone of 360", width)
	}
	finger := func(kind string, x, y float64) {
		x, y = u.at(x, y)
		asks[any](t, u.page, fmt.Sprintf(`{ document.getElementById("screen").dispatchEvent(new PointerEvent(%q,
			{ pointerType: "touch", isPrimary: true, clientX: %f, clientY: %f, bubbles: true, cancelable: true })); return null }`, kind, x, y))
	}
	finger("pointerdown", 350, 40)
	finger("pointerup", 350, 40)
	eventually(t, "the tap has come", func() bool {
		return asks[string](t, u.shown.page(), "document.activeElement.localName") == "button"
	})
	finger("pointerdown", 100, 300)
	finger("pointermove", 100, 200)
	finger("pointerup", 100, 200)
	eventually(t, "the drag has scrolled", func() bool { return asks[float64](t, u.shown.page(), "scrollY") > 90 })
	asks[any](t, u.shown.page(), "{ scrollTo(0, 0); return null }")
}

// steers goes to another page and back.
func steers(t *testing.T, u *spectator) {
	t.Helper()
	asks[any](t, u.page, "{ const a = document.getElementById('address'); a.focus(); a.select(); return null }")
	u.does(browser.Input{Kind: browser.InsertText, Text: u.site + "/second"})
	u.presses("Enter", "Enter", "")
	u.sees("title", "second")
	u.sees("url", u.site+"/second")
	asks[any](t, u.page, "{ document.getElementById('back').click(); return null }")
	u.sees("title", "A <img")
	const noted = `{ const at = document.getElementById("notice"); at.dataset.said = "";
		new MutationObserver(() => { at.dataset.said += at.textContent }).observe(at, { childList: true }); return null }`
	asks[any](t, u.page, noted) // what it says is gone after some seconds
	asks[any](t, u.page, "{ const a = document.getElementById('address'); a.focus(); a.select(); return null }")
	u.does(browser.Input{Kind: browser.InsertText, Text: "about:version"})
	u.presses("Enter", "Enter", "")
	eventually(t, "the view says that it can't be", func() bool {
		said := asks[string](t, u.page, "document.getElementById('notice').dataset.said")
		return strings.Contains(said, "load about:version: "+browser.ErrScheme.Error())
	})
}

// comesBack breaks the connections, which views make again. What is done meanwhile is lost, and the view says so.
func comesBack(t *testing.T, u *spectator) {
	t.Helper()
	const hold = `{ const real = fetch, held = new Promise(done => { release = done }); fetch = async (...request) => { await held; return real(...request) } } 0`
	if _, err := u.page.Evaluate(t.Context(), hold); err != nil {
		t.Fatal(err)
	}
	st, broken := u.server.stages["a"], []*viewer{}
	st.mu.Lock()
	for v := range st.viewers {
		broken = append(broken, v)
	}
	st.mu.Unlock()
	for _, v := range broken {
		_ = v.conn.CloseNow()
	}
	u.sees("state", "Connecting")
	eventually(t, "the view says that a click is lost", func() bool { // which it does for some seconds
		u.clicks(350, 40)
		return strings.HasPrefix(u.text("notice"), "There is no connection")
	})
	if _, err := u.page.Evaluate(t.Context(), "release(); 0"); err != nil {
		t.Fatal(err)
	}
	u.sees("state", "Live")
}

// What is done before there is a picture goes nowhere: where on the page would it be?
func TestView_isLiveWhenThereIsAPicture(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: needs a browser")
	}
	s, screen := &shown{t: t, proxy: openProxy(t)}, newFakeScreen()
	s.server, s.base = newServer(t, Options{Path: "/live/"})
	s.urls = add(t, s.server, "a", screen)
	u := s.visit(spectators(), s.urls.Control, browser.PageOptions{})
	const noted = `const draw = createImageBitmap; createImageBitmap = data => { document.body.dataset.draws = "some"; return draw(data) }; 0`
	if _, err := u.page.Evaluate(t.Context(), noted); err != nil {
		t.Fatal(err)
	}
	screen.show <- show1(0) // no picture
	eventually(t, "the picture has come", func() bool { return asks[bool](t, u.page, "!!document.body.dataset.draws") })
	if got := u.text("state"); !strings.HasPrefix(got, "Connecting") {
		t.Errorf("without a picture the view says %q", got)
	}
	var drawn bytes.Buffer
	if err := jpeg.Encode(&drawn, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	screen.show <- Frame{Data: drawn.Bytes(), Width: 8, Height: 8}
	u.sees("state", "Live, you control it")
}

func TestSessionScreen_diesWithItsBrowser(t *testing.T) {
	t.Parallel()
	s := showSession(t, form)
	w := dial(t, s.base+s.urls.View)
	eventually(t, "there is a picture", func() bool { _, frame := w.next(); return frame != nil })
	_ = s.session.Close()
	if reason := w.hears("ended")["reason"]; !strings.Contains(reason.(string), browser.ErrClosed.Error()) {
		t.Errorf("reason %q", reason)
	}
	if !errors.Is(s.session.Err(), browser.ErrClosed) {
		t.Errorf("got %v", s.session.Err())
	}
}
