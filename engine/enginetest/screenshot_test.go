package enginetest

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// setFlag sets a flag of this package for a test.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, before) })
}

// restless is a page that looks different each time unless it is held still: the time, movements without end and with one, a
// cursor, pictures and fonts that come late.
const restless = `<style>
@keyframes turn { to { rotate: 360deg } } @keyframes come { to { opacity: 1 } }
#wheel { width: 40px; height: 80px; background: navy; animation: turn 0.7s linear infinite }
#late { opacity: 0; animation: come 5s forwards }
code { font-family: monospace }
</style><h1>Sacks of rye</h1><p id=now></p><div id=wheel></div><p id=late>It comes slowly.</p><input id=who autofocus value="Ann"><code>0 1 2</code>
<img src="/late.svg" width=60 height=60><p id=chance></p><script>
now.textContent = new Date().toISOString(); setInterval(() => now.textContent = new Date().toISOString(), 10);
chance.textContent = Math.random(); who.focus()
</script>`

func restlessSite(page string) map[string]http.Handler {
	return map[string]http.Handler{"app.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/late.svg" {
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="green"/></svg>`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	})}
}

// small is a window with few pixels to compare.
func small(o *engine.ScrapeOptions) {
	o.Formats = []formats.Format{{Type: formats.Screenshot, Viewport: &formats.Viewport{Width: 500, Height: 400}}}
}

// shot opens a page under a clock and compares it.
func shot(t testing.TB, body string, s Screenshot) {
	page := Open(t, New(t, restlessSite(body), Clock(t).Use), "https://app.example/", small)
	s.Match(t, page, "sacks")
}

func TestMatchScreenshot_comparesWithTheGoldenPicture(t *testing.T) {
	needBrowser(t)
	s := Screenshot{Dir: t.TempDir(), Mask: []string{"#chance"}}
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) { shot(t, restless, s) }), "there is no "+filepath.Join(s.Dir, "sacks.png"), "run go test with -update")
	setFlag(t, "update", "true")
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) { shot(t, restless, s) }))
	setFlag(t, "update", "false")
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) { shot(t, restless, s) }))
	changed := regexp.MustCompile("slowly").ReplaceAllString(restless, "quickly")
	failures := (&recorder{TB: t}).run(func(t testing.TB) { shot(t, changed, s) })
	wants(t, failures, "does not look like "+filepath.Join(s.Dir, "sacks.png"), "pixels", "run go test with -update")
	for _, found := range regexp.MustCompile(`(?:picture|difference): +(\S+)`).FindAllStringSubmatch(failures, -1) {
		if picture, err := readPicture(found[1]); err != nil || picture == nil {
			t.Errorf("%s: %v", found[1], err)
		}
		t.Cleanup(func() { os.RemoveAll(filepath.Dir(found[1])) })
	}
	s.Tolerance = 0.05
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) { shot(t, changed, s) }))
}

func TestMatchScreenshot_refusesWhatItCannotDo(t *testing.T) {
	needBrowser(t)
	for want, s := range map[string]Screenshot{
		`Mask: ["#gone" "]["]; want sel`: {Mask: []string{"#gone", "]["}},
		"it looks different each time":   {},
	} {
		wants(t, (&recorder{TB: t}).run(func(t testing.TB) {
			body := `<canvas id=c></canvas><script>
const pen = c.getContext("2d"); let n = 0
const draw = () => {
	for (let i = 0; i < 20; i++) { pen.fillStyle = n >> i & 1 ? "red" : "white"; pen.fillRect(i * 15, 0, 15, 100) }
	n++
	requestAnimationFrame(draw)
}
draw()</script>`
			shot(t, body, s)
		}), want)
	}
	for want, s := range map[string]Screenshot{
		"Tolerance: 2; want 0 to 1": {Tolerance: 2}, "Threshold: 300; want 1 to 255": {Threshold: 300}, "a path below the folder": {},
	} {
		wants(t, (&recorder{TB: t}).run(func(t testing.TB) { s.Match(t, nil, "../x") }), want)
	}
}

// A page whose policy forbids styles, fonts and scripts of others is held still all the same.
func TestMatchScreenshot_underAPolicy(t *testing.T) {
	needBrowser(t)
	s := Screenshot{Dir: t.TempDir(), FullPage: true}
	for _, update := range []string{"true", "false"} {
		setFlag(t, "update", update)
		wants(t, (&recorder{TB: t}).run(func(t testing.TB) {
			page := Open(t, New(t, map[string]http.Handler{"app.example": strict(`<h1>Rye</h1><p style="margin-top: 1000px">below</p>`)}), "https://app.example/", small)
			s.Match(t, page, "strict")
			if got := page.fontsInUse(); got != sansFamily {
				t.Errorf("drawn in %q", got)
			}
		}))
	}
}

// fontsInUse returns the family that the heading has.
func (p *Page) fontsInUse() (family string) {
	_ = p.inspect(`() => getComputedStyle(document.querySelector("h1")).fontFamily.replaceAll('"', "")`, &family)
	return family
}

func TestCompare(t *testing.T) {
	a, b := image.NewRGBA(image.Rect(0, 0, 10, 10)), image.NewRGBA(image.Rect(0, 0, 10, 10))
	if d := compare(a, b, 1); d.pixels != 0 || d.all != 100 {
		t.Errorf("%+v", d)
	}
	b.SetRGBA(3, 4, color.RGBA{G: 24})
	b.SetRGBA(5, 6, color.RGBA{G: 25})
	d := compare(a, b, 24)
	if d.pixels != 1 || d.within != image.Rect(5, 6, 6, 7) || d.String() != "1 of 100 pixels (1.0000 %) differ, within (5,6)-(6,7)" {
		t.Errorf("%v", d)
	}
	if red := differing(a, b, 24); red.RGBAAt(5, 6) != (color.RGBA{R: 255, A: 255}) || red.RGBAAt(3, 4).R == 255 {
		t.Errorf("%v, %v", red.RGBAAt(5, 6), red.RGBAAt(3, 4))
	}
	if d := compare(a, image.NewRGBA(image.Rect(0, 0, 10, 11)), 255); d.share() != 1 || d.String() != "its size is (10,11), in place of (10,10)" {
		t.Errorf("%v", d)
	}
}

// 1,000 pictures of a restless page, one each of an engine of its own, look as the first.
func TestMatchScreenshot_soak(t *testing.T) {
	needBrowser(t)
	if os.Getenv("WINNOW_SOAK") == "" {
		t.Skip("WINNOW_SOAK=1 compares a page a thousand times")
	}
	s := Screenshot{Dir: t.TempDir(), Mask: []string{"#chance"}}
	setFlag(t, "update", "true")
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) { shot(t, restless, s) }))
	setFlag(t, "update", "false")
	flakes := 0
	for i := range 1000 {
		if failures := (&recorder{TB: t}).run(func(t testing.TB) { shot(t, restless, s) }); failures != "" {
			flakes++
			t.Errorf("run %d: %s", i, failures)
		}
		if i%100 == 99 {
			fmt.Fprintf(os.Stderr, "%d pictures, %d flakes\n", i+1, flakes)
		}
	}
}
