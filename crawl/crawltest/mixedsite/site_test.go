package mixedsite

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// small has all templates and few pages of each.
func small() *Site { return New(Options{Seed: 1, Pages: minPages}) }

// answer requests something of a site; the status is 0 where the connection is cut.
func answer(s *Site, path string) (status int, body string) {
	w := httptest.NewRecorder()
	defer func() {
		if recover() != nil { // http.ErrAbortHandler
			status, body = 0, ""
		}
	}()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://"+Host+path, nil))
	return w.Code, w.Body.String()
}

var (
	unseen = regexp.MustCompile(`(?s)<(script|style|template|title)\b.*?</(script|style|template|title)>|<noscript.*?</noscript>`)
	tags   = regexp.MustCompile(`(?s)<[^>]*>`)
	hrefs  = regexp.MustCompile(`<a [^>]*href="(/[^"#]*)"`)
	digits = regexp.MustCompile(`\d+`)
	loads  = regexp.MustCompile(`(?:src|href|data-src|hx-get)="?(/[^" >]+)`)
)

// textOf is what a reader sees of a page without scripts.
func textOf(body string) string {
	return tags.ReplaceAllString(unseen.ReplaceAllString(body, " "), " ")
}

func TestSite_isTheSameForASeed(t *testing.T) {
	a, b, other := small(), small(), New(Options{Seed: 2, Pages: minPages})
	differs := false
	for i, p := range a.pages {
		x, _ := a.html(p)
		y, _ := b.html(b.pages[i])
		if string(x) != string(y) || p.fails != b.pages[i].fails {
			t.Fatalf("%s differs from the same page", p.path)
		}
		z, _ := other.html(other.pages[i])
		differs = differs || string(x) != string(z)
	}
	if !differs {
		t.Error("another seed makes the same site")
	}
}

func TestSite_shares(t *testing.T) {
	for _, pages := range []int{minPages, 1000, 2000} {
		s := New(Options{Seed: 1, Pages: pages})
		total, templates, kinds := map[Kind]int{}, map[string]int{}, map[Kind]int{}
		for p := range s.Pages() {
			total[s.paths[p.Path].of.kind]++
			kinds[p.Kind]++
			templates[p.Template]++
		}
		if len(s.paths) != pages || total[Static] != pages*7/10 || total[Scripted] != pages/5 || total[Shell] != pages/10 {
			t.Errorf("%d pages: %v by template", pages, total)
		}
		if share := float64(kinds[Static]) / float64(pages); share < 0.65 || share > 0.75 {
			t.Errorf("%d pages: %v by page", pages, kinds)
		}
		for name, n := range templates {
			if n < 4 && name != "index" {
				t.Errorf("%d pages: %s has %d", pages, name, n)
			}
		}
	}
}

func TestFamilies(t *testing.T) {
	kinds, changes := map[Kind]int{}, 0
	list := families()
	for _, f := range list {
		kinds[f.kind]++
		if f.changes() {
			changes++
		}
	}
	if kinds[Static] < 30 || kinds[Scripted]+kinds[Shell] < 20 || changes != (len(list)+5)/10 {
		t.Errorf("%v, %d of %d change", kinds, changes, len(list))
	}
}

// Each template has its file in the folder of its kind, and no other file is there.
func TestFamilies_haveFiles(t *testing.T) {
	want := []string{"templates/static/index.html", "templates/static/listing.html"}
	for _, f := range families() {
		want = append(want, fmt.Sprintf("templates/%s/%s.html", f.kind, f.name))
	}
	var got []string
	for _, kind := range []Kind{Static, Scripted, Shell} {
		found, err := filepath.Glob(fmt.Sprintf("templates/%s/*", kind))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, found...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// What a page is said to be is what is served: its words are seen in the HTML, what scripts add is not, and where a page needs a browser
// there is such.
func TestPage_isTrue(t *testing.T) {
	s := small()
	for p := range s.Pages() {
		if p.Fails.Permanent() {
			if p.Needs || p.Words != nil || p.Added != nil {
				t.Errorf("%s is never served: %+v", p.Path, p)
			}
			continue
		}
		if p.Needs != (p.Kind != Static) || p.Needs != (len(p.Added) > 0) || len(p.Words) == 0 != (p.Kind == Shell) {
			t.Errorf("%s is %s: needs a browser: %t, words %v and %v", p.Path, p.Kind, p.Needs, p.Words, p.Added)
		}
		if p.Fails == Busy {
			answer(s, p.Path)
		}
		status, body := answer(s, p.Path)
		if missing := p.Missing(textOf(body)); status != http.StatusOK || !slices.Equal(missing, p.Added) {
			t.Errorf("%s: %d, the HTML lacks %v, want %v", p.Path, status, missing, p.Added)
		}
	}
}

func TestPage_wordsAreItsOwn(t *testing.T) {
	seen := map[string]string{}
	for p := range New(Options{Seed: 3}).Pages() {
		for _, w := range slices.Concat(p.Words, p.Added) {
			if at, twice := seen[w]; twice {
				t.Fatalf("%s stands in %s and %s", w, at, p.Path)
			}
			seen[w] = p.Path
		}
	}
}

func TestPage_missing(t *testing.T) {
	p := Page{Words: []string{"tarovela", "bomurike"}, Added: []string{"nelazubi"}}
	if got := p.Missing("The **Tarovela**,nelazubi2 [x](/bomurikes)"); !slices.Equal(got, []string{"bomurike"}) {
		t.Errorf("got %v", got)
	}
}

// Links of the HTML lead to all pages but hidden ones, to which those lead that scripts add.
func TestSite_everyPageIsLinked(t *testing.T) {
	s := small()
	found, queue := map[string]bool{"/": true}, []string{"/"}
	added := map[string]bool{}
	for len(queue) > 0 {
		p := s.paths[queue[0]]
		queue = queue[1:]
		body, _ := s.html(p)
		for _, m := range hrefs.FindAllStringSubmatch(string(body), -1) {
			if s.paths[m[1]] == nil {
				t.Fatalf("%s links to %s, which is not there", p.path, m[1])
			}
			if !found[m[1]] {
				found[m[1]] = true
				queue = append(queue, m[1])
			}
		}
		if c, _ := s.contentOf(p); c.More != "" && p.fails == Sound {
			added[c.More] = true
		}
	}
	hidden := 0
	for p := range s.Pages() {
		if found[p.Path] == p.Hidden || added[p.Path] != p.Hidden {
			t.Errorf("%s: hidden: %t, linked by HTML: %t, by scripts: %t", p.Path, p.Hidden, found[p.Path], added[p.Path])
		}
		if p.Hidden {
			hidden++
		}
	}
	if hidden == 0 || hidden > len(s.pages)/20 {
		t.Errorf("%d hidden pages", hidden)
	}
}

// A crawl comes to the pages of a template in their order.
func TestSite_listsAreInOrder(t *testing.T) {
	s := small()
	for i, f := range s.listed() {
		body, _ := s.html(s.lists().pages[i])
		at := -1
		for _, p := range f.pages {
			next := strings.Index(string(body), `href="`+p.path+`"`)
			if p.hidden != (next < 0) || !p.hidden && next < at {
				t.Errorf("%s is at %d, after %d", p.path, next, at)
			}
			at = max(at, next)
		}
	}
}

// Whatever pages load of the site is there.
func TestSite_hasWhatPagesLoad(t *testing.T) {
	s := small()
	for _, p := range s.pages {
		body, _ := s.html(p)
		for _, m := range loads.FindAllStringSubmatch(string(body), -1) {
			at, _, _ := strings.Cut(m[1], "?")
			if slices.Contains([]string{"audio", "wp-json"}, strings.Split(at, "/")[1]) || at == "/static/studio/" { // a script completes it
				continue
			}
			if status, _ := answer(s, at); s.paths[at] == nil && status != http.StatusOK {
				t.Errorf("%s loads %s: %d", p.path, at, status)
			}
		}
	}
}

// shapeOf is a page without its texts and numbers.
func shapeOf(s *Site, p *page) string {
	body, _ := s.html(p)
	text := strings.ReplaceAll(string(body), p.path, "PATH")
	list := tags.FindAllString(digits.ReplaceAllString(text, "0"), -1)
	return strings.Join(slices.DeleteFunc(list, func(tag string) bool {
		return strings.HasPrefix(tag, "<a ") || strings.HasPrefix(tag, "<li") || strings.HasPrefix(tag, "</")
	}), "\n")
}

func TestFamilies_changeInSeveralWays(t *testing.T) {
	s := small()
	for _, f := range s.families {
		if !f.changes() {
			continue
		}
		first, last := shapeOf(s, f.pages[0]), shapeOf(s, f.pages[len(f.pages)-1])
		switch f.name {
		case "minutes":
			if first != last {
				t.Errorf("%s: the change shows:\n%s\n%s", f.name, first, last)
			}
		case "episodes":
			if first == last || first != strings.ReplaceAll(last, "player.0f0.js", "player.0c0.js") {
				t.Errorf("%s: more than the script's name changes:\n%s\n%s", f.name, first, last)
			}
		default:
			if first == last {
				t.Errorf("%s: the change does not show", f.name)
			}
		}
	}
}

func TestSite_failures(t *testing.T) {
	s := small()
	want := map[Failure][]int{Broken: {500, 500}, Busy: {503, 200}, Missing: {404, 404}, Cut: {0, 0}}
	seen := map[Failure]int{}
	for p := range s.Pages() {
		if seen[p.Fails]++; p.Fails == Sound {
			continue
		}
		first, _ := answer(s, p.Path)
		second, _ := answer(s, p.Path)
		if got := []int{first, second}; !slices.Equal(got, want[p.Fails]) {
			t.Errorf("%s: %s: got %v", p.Path, p.Fails, got)
		}
		if hits := s.Hits()[p.Path]; hits != 2 {
			t.Errorf("%s: %d hits", p.Path, hits)
		}
	}
	if len(seen) != 5 || len(s.pages)-seen[Sound] != len(s.pages)/50 {
		t.Errorf("%v", seen)
	}
}

func TestSite_counts(t *testing.T) {
	s := small()
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodHead, "/", nil))
	for range 2 {
		answer(s, "/")
		answer(s, "/assets/menu.js")
		answer(s, "/nowhere")
	}
	if hits := s.Hits(); !maps.Equal(hits, map[string]int{"/": 2}) {
		t.Errorf("pages: got %v", hits)
	}
	if files := s.Files(); !maps.Equal(files, map[string]int{"/assets/menu.js": 2}) {
		t.Errorf("files: got %v", files)
	}
	s.Reset()
	if len(s.Hits()) > 0 || len(s.Files()) > 0 {
		t.Error("reset forgets nothing")
	}
}

// Latency ends with the request.
func TestSite_latencyEndsWithTheRequest(t *testing.T) {
	s := New(Options{Pages: minPages, Latency: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
	if len(s.Hits()) > 0 {
		t.Error("a request that was given up was answered")
	}
}

// No file of the site is left over from a template that is gone.
func TestSite_needsItsFiles(t *testing.T) {
	var pages strings.Builder
	s := small()
	for _, p := range s.pages {
		body, _ := s.html(p)
		pages.Write(body)
	}
	byScripts := []string{"view.js", "data.js", "vendor.0a1b.js", "view.9c8d.js", "wp-emoji-release.min.js"}
	err := filepath.WalkDir("files", func(path string, d os.DirEntry, err error) error {
		name := filepath.Base(path)
		if err == nil && !d.IsDir() && !strings.Contains(pages.String(), name) && !slices.Contains(byScripts, name) {
			t.Errorf("nothing loads %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func ExampleSite_Page() {
	site := New(Options{Seed: 1})
	for p := range site.Pages() {
		if p.Template == "offer" {
			q, ok := site.Page(p.Path)
			fmt.Println(q.URL(), q.Kind, q.Needs, len(q.Added), ok)
			break
		}
	}
	// Output: https://mixed.example/shop/o-1001 scripted true 2 true
}

func BenchmarkSite(b *testing.B) {
	s := New(Options{Seed: 1})
	for b.Loop() {
		answer(s, s.pages[len(s.pages)/3].path)
	}
}
