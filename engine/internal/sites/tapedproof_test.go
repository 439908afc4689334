package sites

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/winnow-go/winnow/crawl/crawltest/mixedsite"
	"github.com/winnow-go/winnow/engine"

	"github.com/winnow-go/winnow/examples/server/demo"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/formats"
)

// proofSite is a page that is recorded and replayed. One that moves shows the time or something random, so that only its replays are equal.
type proofSite struct {
	url     string
	handler http.Handler
	moves   bool
}

// movingPages show the time, and what is random, in words and pixels.
var movingPages = map[string]string{
	"ticking": `<main><h1>Now</h1><p id=a></p><p id=b></p></main><script>
		const show = () => { a.textContent = new Date().toLocaleString("en", { timeZone: "UTC" }); b.textContent = "Posted " + Math.round((Date.now() - Date.UTC(2026, 0, 1)) / 60000) + " minutes ago"; };
		show(); setInterval(show, 1000);</script>`,
	"shuffled": `<main><h1>Offers</h1><ul id=a></ul></main><script>
		const all = Array.from({ length: 40 }, (_, i) => "Offer number " + i).sort(() => Math.random() - 0.5);
		a.innerHTML = all.slice(0, 12).map(t => "<li>" + t).join("");</script>`,
	"painted": `<main><h1>Art</h1><canvas id=a width=800 height=500></canvas></main><script>
		const c = a.getContext("2d");
		for (let i = 0; i < 400; i++) { c.fillStyle = "hsl(" + Math.random() * 360 + " 80% 50%)"; c.fillRect(Math.random() * 800, Math.random() * 500, 40, 40); }</script>`,
	"named": `<main><h1>Ids</h1><p id=a></p><p id=b></p></main><script>
		a.textContent = crypto.randomUUID();
		const w = new Worker(URL.createObjectURL(new Blob(["postMessage(Date.now() + ' ' + Math.random())"])));
		w.onmessage = e => { b.textContent = e.data; };</script>`,
	"animated": `<main><h1>Grows</h1><p id=a></p><div id=b style="height:40px;width:0;background:teal"></div></main><script>
		const began = Date.now();
		const grow = () => { const part = Math.min(1, (Date.now() - began) / 400); b.style.width = 600 * part + "px"; part < 1 ? requestAnimationFrame(grow) : a.textContent = "grown"; };
		grow();</script>`,
	"counting": `<main><h1>Sale ends in</h1><p id=a></p></main><script>
		const end = Math.ceil(Date.now() / 864e5) * 864e5;
		const show = () => { a.textContent = Math.floor((end - Date.now()) / 1000) + " seconds"; setTimeout(show, 1000); };
		show();</script>`,
}

// proofSites are 40 sites: carried ones, cases of rendering, pages of a generated site, and those that move.
func proofSites(t *testing.T) (sites []proofSite) {
	t.Helper()
	carried := demo.Hosts()
	for _, home := range demo.Homes() {
		sites = append(sites, proofSite{home, carried[hostIn(home)], false})
	}
	sites = append(sites, proofSite{"https://album.example/", http.HandlerFunc(album), false})
	for _, name := range slices.Sorted(maps.Keys(movingPages)) {
		sites = append(sites, proofSite{"https://" + name + ".example/", htmlPage("<!doctype html><title>" + name + "</title>" + movingPages[name]), true})
	}
	mixed := mixedsite.New(mixedsite.Options{Seed: 1, Pages: 400})
	for _, p := range mixed.OneOfEach() {
		if p.Needs && len(sites) < 18 {
			sites = append(sites, proofSite{"https://mixed.example" + p.Path, mixed, false})
		}
	}
	return append(sites, renderCases(t, 40-len(sites))...)
}

// album is a page of the weight of a usual one, in pictures above all.
func album(w http.ResponseWriter, r *http.Request) {
	const pictures, side = 12, 200
	if r.URL.Path == "/" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><title>Album</title><main><h1>Album</h1>")
		for i := range pictures {
			_, _ = fmt.Fprintf(w, "<p>Picture number %[1]d <img src=/%[1]d width=100 height=100 alt=%[1]d>", i)
		}
		return
	}
	n, err := strconv.ParseUint(r.URL.Path[1:], 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	noise := image.NewNRGBA(image.Rect(0, 0, side, side))
	random := rand.New(rand.NewPCG(n, 0))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32()) | byte(i%4/3*255)
	}
	w.Header().Set("Content-Type", "image/png")
	_ = png.Encode(w, noise)
}

func hostIn(address string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "https://"), "/")
	return host
}

// renderCases are the first cases of rendering, each on a host of its own.
func renderCases(t *testing.T, n int) (sites []proofSite) {
	t.Helper()
	resources := map[string]struct{ Body, Type string }{}
	text, err := os.ReadFile("../judge/testdata/resources.json")
	if err == nil {
		err = json.Unmarshal(text, &resources)
	}
	if err != nil {
		t.Fatal(err)
	}
	pages, err := os.ReadFile("../judge/testdata/pages.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(pages))
	for lines.Buffer(nil, 1<<20); lines.Scan() && len(sites) < n; {
		var p struct{ HTML string }
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		sites = append(sites, proofSite{"https://case" + string(rune('a'+len(sites))) + ".example/page", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/page" {
				htmlPage(p.HTML).ServeHTTP(w, r)
			} else if with, ok := resources[r.URL.Path]; ok {
				w.Header().Set("Content-Type", cmp.Or(with.Type, "text/html"))
				_, _ = io.WriteString(w, with.Body)
			} else {
				http.NotFound(w, r)
			}
		}), false})
	}
	return sites
}

// shown is what a scrape of a page gave.
type shown struct {
	text   string
	pixels *image.NRGBA
}

// showAll scrapes each site so many times, two at once.
func showAll(t *testing.T, sites []proofSite, times int, o engine.Options) map[string][]shown {
	t.Helper()
	o.Browser = engine.BrowserOptions{Shared: commonBrowser(t)}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	all, slots := map[string][]shown{}, make(chan struct{}, 2)
	var mu sync.Mutex
	var visits sync.WaitGroup
	for range times {
		for _, s := range sites {
			visits.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				doc, err := e.Scrape(t.Context(), s.url, engine.ScrapeOptions{Timeout: busy, Render: engine.RenderAlways, MaxAge: fresh, OnlyMainContent: new(false),
					Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Screenshot}}})
				if err != nil {
					t.Errorf("%s: %v", s.url, err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				all[s.url] = append(all[s.url], shown{doc.Markdown, pixelsOf(t, doc.Screenshot)})
			})
		}
	}
	visits.Wait()
	return all
}

func pixelsOf(t *testing.T, uri string) *image.NRGBA {
	t.Helper()
	_, text, _ := strings.Cut(uri, ",")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(decoded.Bounds())
	draw.Draw(out, out.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return out
}

// equalPixels is the share of pixels that are equal.
func equalPixels(a, b *image.NRGBA) float64 {
	if a.Rect != b.Rect {
		return 0
	}
	equal := 0
	for i := 0; i < len(a.Pix); i += 4 {
		if bytes.Equal(a.Pix[i:i+4], b.Pix[i:i+4]) {
			equal++
		}
	}
	return float64(equal) / float64(len(a.Pix)/4)
}

// Replays of one recording are equal in text, and to 99 % in pixels, and dial nothing; an archive that has the same recorded twice is
// hardly larger. In full, with WINNOW_SOAK=1, it is 40 sites and 20 replays of each.
func TestReplay_isEqualEachTime(t *testing.T) {
	leftToUnraced(t)
	needBrowser(t)
	t.Parallel()
	sites, replays := proofSites(t), 20
	if len(sites) != 40 {
		t.Fatalf("%d sites, want 40", len(sites))
	}
	if os.Getenv("WINNOW_SOAK") != "1" {
		sites, replays = []proofSite{sites[2], sites[6], sites[12]}, 2
	}
	hosts := map[string]http.Handler{}
	for _, s := range sites {
		hosts[hostIn(s.url)] = s.handler
	}
	dir := t.TempDir()
	once, twice := filepath.Join(dir, "once.wacz"), filepath.Join(dir, "twice.wacz")
	first := showAll(t, sites, 1, engine.Options{Hosts: hosts, Record: &recording.Options{File: once}})
	showAll(t, sites, 2, engine.Options{Hosts: hosts, Record: &recording.Options{File: twice}})
	var dials atomic.Int64
	again := showAll(t, sites, replays, engine.Options{Replay: []string{once}, DialContext: func(context.Context, string, string) (net.Conn, error) {
		dials.Add(1)
		return nil, errors.New("there is no network")
	}})
	equal, unlike := 1.0, 0
	for _, s := range sites {
		low, differing := compareShown(t, s, first[s.url], again[s.url], replays)
		equal, unlike = min(equal, low), unlike+differing
	}
	larger := float64(sizeOf(t, twice)) / float64(sizeOf(t, once))
	t.Logf("%d sites, %d replays of each: %d texts differ, %.4f of the pixels are equal or more, %d dials; %d bytes, recorded twice %.3f times as many",
		len(sites), replays, unlike, equal, dials.Load(), sizeOf(t, once), larger)
	if dials.Load() > 0 || larger > 1.1 {
		t.Errorf("%d dials; recorded twice it is %.3f times as large", dials.Load(), larger)
	}
}

// compareShown compares the replays of a site with the first of them, and with the recording unless the site moves. It returns the smallest
// share of equal pixels and how many texts differ.
func compareShown(t *testing.T, s proofSite, recorded, replayed []shown, want int) (equal float64, differing int) {
	t.Helper()
	if len(recorded) != 1 || len(replayed) != want {
		t.Errorf("%s: %d recordings, %d replays", s.url, len(recorded), len(replayed))
		return 0, want
	}
	text := recorded[0].text
	if s.moves {
		text = replayed[0].text
	}
	equal = 1
	for _, r := range replayed {
		if r.text != text {
			differing++
			t.Errorf("%s: %q, want %q", s.url, r.text, text)
		}
		equal = min(equal, equalPixels(r.pixels, replayed[0].pixels))
	}
	if equal < 0.99 {
		t.Errorf("%s: only %.4f of the pixels are equal", s.url, equal)
	}
	if alike := equalPixels(recorded[0].pixels, replayed[0].pixels); !s.moves && alike < 0.99 {
		t.Errorf("%s: only %.4f of the pixels are those of the recording", s.url, alike)
	}
	return equal, differing
}

// sizeOf is how large a file is, in bytes.
func sizeOf(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
