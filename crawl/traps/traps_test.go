package traps

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const site = "https://a.example"

// rig is a Guard with the digests that were seen.
type rig struct {
	*Guard
	seen map[uint64]bool
}

func newRig() *rig { return &rig{New(), map[uint64]bool{}} }

// fetch notes a page of a text with links.
func (r *rig) fetch(path, text string, links ...string) { r.fetchFrom("/", path, text, links...) }

func (r *rig) fetchFrom(from, path, text string, links ...string) {
	s := Of(site+path, slices.Values(strings.Split(text, "\n")))
	for i := range links {
		links[i] = site + links[i]
	}
	r.Note(Page{Address: site + path, From: site + from, Sketch: &s, Seen: r.seen[s.Digest], Links: links})
	r.seen[s.Digest] = true
}

// until fetches pages until their addresses are to be left, at most 200.
func (r *rig) until(address func(i int) string, text func(i int) string, links func(i int) []string) int {
	for i := range 200 {
		if r.Judge(site+address(i), site+"/") == Leave {
			return i
		}
		r.fetch(address(i), text(i), links(i)...)
	}
	return 200
}

func none(int) []string { return nil }

func always(text string) func(int) string { return func(int) string { return text } }

// How many pages of a pattern are fetched, by what they hold.
func TestGuard_leavesPatternsThatHoldNothingNew(t *testing.T) {
	const empty = "There is nothing here at all"
	path := func(form string) func(int) string { return func(i int) string { return fmt.Sprintf(form, i) } }
	deep := func(i int) string { return "/x" + strings.Repeat("/a", i+3) }
	month := func(i int) string { return fmt.Sprintf("/cal/%d/%02d", 2026+i/12, i%12+1) }
	for name, c := range map[string]struct {
		address func(int) string
		text    func(int) string
		links   func(int) []string
		min     int
		max     int
	}{
		"one text":               {path("/p/%d"), always(empty), none, 12, 20},
		"texts of their own":     {path("/p/%d"), path("A text with the number %d in it"), none, 200, 200},
		"too little text":        {path("/p/%d"), always("Photo"), none, 200, 200},
		"links of their own":     {path("/p/%d"), always(empty), func(i int) []string { return []string{fmt.Sprintf("/other/%d", i)} }, 200, 200},
		"the same links":         {path("/p/%d"), always(empty), func(int) []string { return []string{"/other/1"} }, 12, 20},
		"links among each other": {path("/p/%d"), always(empty), func(i int) []string { return []string{fmt.Sprintf("/p/%d", i+1)} }, 12, 20},
		"not found, by name":     {path("/p/%d"), path("Page not found\nThere is no /p/%d on this site"), none, 12, 20},
		"deeper with any text":   {deep, path("A text with the number %d in it"), func(i int) []string { return []string{deep(i + 1)} }, 4, 8},
		"deep with texts":        {deep, path("A text with the number %d in it"), none, 200, 200},
		"an empty calendar":      {month, path("No events in this month\n%d"), none, 10, 16},
		"a full calendar":        {month, path("No events in this month\nThe concert no. 1%d0 by the choir"), none, 200, 200},
		"filters of one list":    {path("/l?a=1&b=%d"), func(i int) string { return strings.Repeat("Red mug and a spoon\n", i%3+1) }, none, 8, 14},
		"lists of their own":     {path("/l?a=1&b=%d"), path("Mug number 10%d with a spoon"), none, 200, 200},
		"sessions":               {path("/s?sid=ab%d"), path("Your session is ab%d as it always was"), none, 12, 20},
		"numbers in parameters":  {path("/s?id=ab%d"), path("Your article is ab%d as it always was"), none, 200, 200},
	} {
		if n := newRig().until(c.address, c.text, c.links); n < c.min || n > c.max {
			t.Errorf("%s: %d pages, want %d to %d", name, n, c.min, c.max)
		}
	}
}

// What held something new gets more room, and a sample that does opens a pattern that was left.
func TestGuard_newPagesGiveRoom(t *testing.T) {
	r := newRig()
	for i := range 80 {
		r.fetch(fmt.Sprintf("/p/%d", i), fmt.Sprintf("A text with the number %d", i))
	}
	n := r.until(func(i int) string { return fmt.Sprintf("/p/%d", 100+i) }, always("There is nothing here at all"), none)
	if n < 30 || n > 45 {
		t.Errorf("left after %d pages, want some 16 and a quarter of 80", n)
	}
	sampled := ""
	for i := 300; sampled == ""; i++ {
		if path := fmt.Sprintf("/p/%d", i); r.Judge(site+path, site+"/") == Later {
			sampled = path
		}
	}
	r.fetch(sampled, "A text that was nowhere before")
	if v := r.Judge(site+"/p/9999", site+"/"); v != Fetch {
		t.Errorf("got %d after a new page, want %d", v, Fetch)
	}
}

// Two patterns whose pages only lead to each other don't vouch for each other.
func TestGuard_patternsDoNotVouchForEachOther(t *testing.T) {
	r, n := newRig(), 0
	for i := 0; i < 200 && r.Judge(fmt.Sprintf("%s/a?x=%d", site, i), site+"/") != Leave; i++ {
		r.fetch(fmt.Sprintf("/a?x=%d", i), "The text of a is always this", fmt.Sprintf("/b?x=%d", i+1000))
		r.fetch(fmt.Sprintf("/b?x=%d", i), "The text of b is always that", fmt.Sprintf("/a?x=%d", i+1000))
		n++
	}
	if n > 30 {
		t.Errorf("left after %d pages", n)
	}
}

// What is found on pages without a new text is left where it holds none either, whatever the addresses; what is found elsewhere isn't.
func TestGuard_leavesCircles(t *testing.T) {
	for _, circle := range []bool{true, false} {
		r, from := newRig(), "/"
		for i := range 400 {
			r.fetch(fmt.Sprintf("/real/%d", i), fmt.Sprintf("A text with the number %d", i))
		}
		word := func(i int) string { return "/w" + strings.Repeat("x", i%20) + strings.Repeat("y", i/20) }
		n := 0
		for ; n < 200 && r.Judge(site+word(n), site+from) != Leave; n++ {
			r.fetchFrom(from, word(n), "There is nothing here at all", word(n+1))
			if circle {
				from = word(n)
			}
		}
		if circle && (n < 24 || n > 40) || !circle && n != 200 || r.Judge(site+"/new", site+"/") != Fetch {
			t.Errorf("circle %v: left after %d", circle, n)
		}
	}
}

// The months of a calendar without events have texts without end: among the pages of a circle they don't make it one that holds
// something new.
func TestGuard_leavesCirclesWithCalendars(t *testing.T) {
	r, from := newRig(), "/"
	word := func(i int) string { return "/w" + strings.Repeat("x", i%20) + strings.Repeat("y", i/20) }
	n := 0
	for ; n < 200 && r.Judge(site+word(n), site+from) != Leave; n++ {
		r.fetchFrom(from, word(n), "There is nothing here at all", word(n+1))
		from = word(n)
		if n%6 == 5 {
			r.fetchFrom(from, fmt.Sprintf("/cal/%d/1", 2000+n), strings.Repeat("Monday\n", n+1)+"No events in this month")
		}
	}
	if n > 60 {
		t.Errorf("left after %d", n)
	}
}

func TestAddress_patterns(t *testing.T) {
	for href, want := range map[string]string{
		"/":                              "template a.example/",
		"/trap/path/a/a/a":               "repeat a.example/trap/path/(…)",
		"/a/b/a/b/a/b":                   "repeat a.example/(…)",
		"/en/news/en/about/en":           "repeat a.example/(…)",
		"/genesis/1/1/1":                 "template a.example/genesis/{n}/{n}/{n}",
		"/a/a":                           "template a.example/a/a",
		"/cal/2026/11":                   "calendar a.example/cal/{date}",
		"/cal/2026/nov/3/fair":           "calendar a.example/cal/{date}/*",
		"/cal/2026-11-03":                "calendar a.example/cal/{date}",
		"/events?month=11&year=2026&v=1": "calendar a.example/events?{date}&v",
		"/events?page=2":                 "template a.example/events?page",
		"/list?b=1&a=2":                  "query a.example/list?…",
		"/2026/13":                       "template a.example/{n}/{n}",
	} {
		a := readAddress(site + href)
		var all []string
		for _, f := range a.forms {
			all = append(all, string(f.kind)+" "+f.name)
		}
		if got := strings.Join(all, "; "); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s first", href, got, want)
		}
	}
}

// Of a doubtful pattern no more pages are fetched at once than may still hold nothing new.
func TestGuard_boundsWhatIsFetchedAtOnce(t *testing.T) {
	g := New()
	var ends []func()
	for {
		end, fetch, wait := g.Begin(site+"/x"+strings.Repeat("/a", len(ends)+3), site)
		if wait != nil {
			if len(ends) != patience[Repeat] {
				t.Errorf("%d at once, want %d", len(ends), patience[Repeat])
			}
			ends[0]()
			<-wait
			break
		}
		if !fetch || len(ends) > 100 {
			t.Fatalf("%v after %d", fetch, len(ends))
		}
		ends = append(ends, end)
	}
	if _, fetch, wait := g.Begin(site+"/x/a/a/a/a/a/a/a/a/a", site); !fetch || wait != nil {
		t.Errorf("%v, %v after one has ended", fetch, wait)
	}
	if _, fetch, _ := g.Begin(site+"/another", site); !fetch {
		t.Error("another page may not be fetched")
	}
}

// Memory is bounded, and what was left is remembered longest.
func TestGuard_forgetsWhatWasUsedLeast(t *testing.T) {
	r := newRig()
	r.until(func(i int) string { return fmt.Sprintf("/p/%d", i) }, always("There is nothing here at all"), none)
	for i := range 3 * maxPatterns {
		r.fetch(fmt.Sprintf("/%s/x", strings.Repeat("a", i%97)+fmt.Sprint("b", i)), fmt.Sprintf("A text with the number %d", i))
	}
	if n := len(r.patterns); n > maxPatterns {
		t.Errorf("%d patterns, at most %d", n, maxPatterns)
	}
	left := 0
	for i := range 50 {
		if r.Judge(fmt.Sprintf("%s/p/%d", site, 1000+i), site+"/") == Leave {
			left++
		}
	}
	if left < 40 {
		t.Errorf("%d of 50 are left", left)
	}
}

// A Guard that is restored from its rows decides as the one that they are of.
func TestRows_restoreAGuard(t *testing.T) {
	r, stored := newRig(), map[string][]byte{}
	for i := range 30 {
		path := fmt.Sprintf("/cal/%d/1", 2000+i)
		r.fetch(path, "No events in this month")
		for _, row := range r.Changed(site+path, site+"/") {
			stored[row.Key] = row.Value
		}
	}
	g := New()
	for _, row := range stored {
		g.Restore(row)
	}
	for f, p := range r.patterns {
		got := *g.patterns[f]
		want := *p
		got.used, want.used = 0, 0
		if len(want.blocks) == 0 {
			got.blocks, want.blocks = nil, nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if g.doubts != r.doubts || g.Judge(site+"/cal/2077/1", site) != Leave {
		t.Errorf("%d doubts, want %d; %d", g.doubts, r.doubts, g.Judge(site+"/cal/2077/1", site))
	}
}

// Whatever addresses, texts and rows are, they end, and what is stored can be read.
func FuzzGuard(f *testing.F) {
	f.Add("https://a.example/a/a/a/a?x=1&y=2", "Page not found\nThere is no /a/a", []byte(`{"kind":"query","pattern":"a","run":3,"blocks":[1]}`))
	f.Add("https://a.example/2026/11/3?date=2026-11", "3 November 2026 10:30\nA concert", []byte(`{}`))
	f.Add("http://[::1]:80/%zz?;sid=1", "\x00\xff", []byte{0})
	f.Fuzz(func(t *testing.T, href, text string, row []byte) {
		g := New()
		g.Restore(row)
		Read(row)
		s := Of(href, strings.SplitSeq(text, "\n"))
		if len(s.Blocks) > maxPerPage {
			t.Errorf("%d blocks", len(s.Blocks))
		}
		for range 3 {
			g.Note(Page{Address: href, Sketch: &s, Seen: true, Links: []string{href, href + "/x", text}})
		}
		if end, fetch, wait := g.Begin(href, href); fetch && wait == nil {
			end()
		}
		g.Left(href, href)
		again := New()
		for _, row := range g.Changed(href, href, text) {
			again.Restore(row.Value)
		}
		if got, want := again.Judge(href, href), g.Judge(href, href); got != want && len(row) < 10 {
			t.Errorf("judged as %d, and as %d after its rows were read", want, got)
		}
	})
}

func BenchmarkGuard_judge(b *testing.B) {
	r := newRig()
	for _, doubts := range []bool{false, true} {
		if doubts {
			r.until(func(i int) string { return fmt.Sprintf("/p/%d", i) }, always("There is nothing here at all"), none)
		}
		b.Run(fmt.Sprintf("doubts=%v", doubts), func(b *testing.B) {
			for b.Loop() {
				r.Judge(site+"/section/one/article-about-something-else.html?page=3", site)
			}
		})
	}
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat("A paragraph of some words, as pages have them, with 12 numbers and so on\n", 200)
	for b.Loop() {
		Of(site+"/section/one/article.html", strings.SplitSeq(text, "\n"))
	}
}

// A long archive, each page of which leads to posts of its own and says nothing else, is no trap however long it is.
func TestGuard_aPatternOfManyLinksStays(t *testing.T) {
	r := newRig()
	for i := range 4 * maxBlocks {
		if path := fmt.Sprintf("/archive/%d", i); r.Judge(site+path, site+"/") != Fetch {
			t.Fatalf("page %d is in doubt", i)
		}
		r.fetch(fmt.Sprintf("/archive/%d", i), "Archive of all posts there are", fmt.Sprintf("/post/%d", i))
	}
}
