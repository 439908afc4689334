package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/search"
)

func images(q *search.Query) { q.Source = search.Images }

// pictures are the results' images without their scheme, in order.
func pictures(list []search.Result) string {
	var out []string
	for _, r := range list {
		out = append(out, strings.TrimPrefix(r.ImageURL, "https://a.example/"))
	}
	return strings.Join(out, " ")
}

// gallery is a page with images.
func gallery() search.Page {
	return search.Page{
		URL: "https://a.example/gallery", Title: "The mill", Text: "A page on windows.", Language: "en", Published: today.Add(-3 * oneDay),
		Images: []search.PageImage{
			{URL: "https://a.example/1.png", Alt: "Barley sacks in the barn", Width: 640, Height: 480},
			{URL: "https://a.example/2.png", Title: "Rye, freshly threshed"},
			{URL: "https://a.example/3.png", Caption: "The oldest of the sieves", Heading: "Tools of the trade"},
			{URL: "https://a.example/4.png", Heading: "Smoke over a chimney"},
			{URL: "https://a.example/5.png", Alt: "大麦の収穫"},
			{URL: "https://a.example/img/east-wind.png?w=9", Alt: "Untitled"},
		},
	}
}

func TestIndex_imagesAreFoundByTheirTexts(t *testing.T) {
	s := newFakeCache()
	s.put(gallery())
	for name, folder := range map[string]string{"in memory": "", "in a folder": t.TempDir()} {
		x := on(t, s, folder)
		for text, want := range map[string]string{
			"barley": "1.png", "sack": "1.png", "thresh": "2.png", "sieve": "3.png", "tools": "3.png", "sieves trade": "3.png",
			`"oldest of the"`: "3.png", `"the oldest sieve"`: "", "chimney": "4.png", "収穫": "5.png", "大": "5.png",
			"wind":            "img/east-wind.png?w=9",
			"barley -sacks":   "",
			"mill":            "", // of the page
			"windows":         "",
			"site:a.example":  "1.png 2.png 3.png 4.png 5.png img/east-wind.png?w=9",
			"barley site:b.c": "",
		} {
			if got := pictures(find(t, x, text, images)); got != want {
				t.Errorf("%s: %s: got %q, want %q", name, text, got, want)
			}
		}
		found, err := x.Search(t.Context(), search.Query{Text: "barley chimney", Source: search.Images}) // of two images
		if err != nil || len(found.List) != 2 || found.Warning != "No image has all words of the query; these have some." {
			t.Errorf("%s: some words: %+v, %v", name, found, err)
		}
	}
}

func TestIndex_imagesHaveTheirPage(t *testing.T) {
	s := newFakeCache()
	s.put(gallery())
	r := find(t, on(t, s, ""), "barley", images)[0]
	want := search.Result{
		URL: "https://a.example/gallery", Title: "Barley sacks in the barn", Description: "Barley sacks in the barn",
		Date: today.Add(-3 * oneDay), ImageURL: "https://a.example/1.png", ImageWidth: 640, ImageHeight: 480,
	}
	r.Matches = nil
	if fmt.Sprint(r) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", r, want)
	}
}

func TestIndex_imagesAreNarrowedByTheirPage(t *testing.T) {
	s := newFakeCache()
	s.put(gallery())
	x := on(t, s, "")
	for name, c := range map[string]struct {
		change func(*search.Query)
		want   string
	}{
		"past":     {span(t, "qdr:w"), "1.png"},
		"too old":  {span(t, "qdr:d"), ""},
		"language": {func(q *search.Query) { q.Language = "de" }, ""},
		"domain":   {func(q *search.Query) { q.IncludeDomains = []string{"example"} }, "1.png"},
		"category": {func(q *search.Query) { q.Categories = []search.Category{search.GitHub} }, ""},
		"by date":  {span(t, "sbd:1"), "1.png"},
	} {
		if got := pictures(find(t, x, "barley", images, c.change)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// An image that is on all pages does not take the places of others.
func TestIndex_imagesAreEachFoundOnce(t *testing.T) {
	s := newFakeCache()
	for i := range 500 {
		s.put(search.Page{URL: fmt.Sprintf("https://a.example/p%d", i), Published: today.AddDate(0, 0, -i), Images: []search.PageImage{
			{URL: "https://a.example/logo.png", Alt: "Halm"}, {URL: "https://a.example/logo.png", Alt: "Halm again"},
		}})
	}
	s.put(search.Page{URL: "https://a.example/other", Images: []search.PageImage{
		{URL: "https://a.example/other.png", Alt: "A view of the shop that is called Halm"},
	}})
	x := on(t, s, "")
	list := find(t, x, "halm", images, func(q *search.Query) { q.Limit = 2 })
	if got := pictures(list); got != "logo.png other.png" || list[0].URL != "https://a.example/p0" {
		t.Errorf("got %s, of %s", got, list[0].URL)
	}
}

// Of pages that are equally good and old, as those are that were stored in one millisecond, the one that shows an image largest has it.
func TestIndex_imagesAreOfThePageThatShowsThemLargest(t *testing.T) {
	s := newFakeCache()
	for page, width := range map[string]int{"goods": 240, "goods/fan": 480, "goods/old": 0} {
		s.put(search.Page{URL: "https://a.example/" + page, Published: today, Images: []search.PageImage{
			{URL: "https://a.example/fan.png", Alt: "Winnowing fan", Width: width, Height: width * 3 / 4},
		}})
	}
	list := find(t, on(t, s, ""), "winnowing fan", images)
	if len(list) != 1 || list[0].URL != "https://a.example/goods/fan" || list[0].ImageWidth != 480 {
		t.Errorf("got %+v", list)
	}
}

func TestIndex_leavesOutWhatIsNoPicture(t *testing.T) {
	s := newFakeCache()
	p := search.Page{URL: "https://a.example/", Images: []search.PageImage{
		{URL: "data:image/png;base64,iVBORw0KGgo=", Alt: "barley"},
		{URL: "javascript:barley()", Alt: "barley"},
		{URL: "https://a.example/pixel.gif", Alt: "barley", Width: 1, Height: 1},
		{URL: "https://a.example/flat.gif", Alt: "barley", Width: 600, Height: 1},
		{URL: "https://a.example/barley.png"},
		{URL: "https://a.example/" + strings.Repeat("x", maxShort), Alt: "barley"},
		{Alt: "barley"},
		{URL: "http://a.example/kept.png", Alt: "barley " + strings.Repeat("ä", maxImageText)},
	}}
	s.put(p)
	x := on(t, s, "")
	list := find(t, x, "barley", images)
	if len(list) != 1 || list[0].ImageURL != "http://a.example/kept.png" || len(list[0].Title) > maxImageText {
		t.Errorf("got %+v", list)
	}
	p.Images = nil
	for i := range search.MaxImages + 50 {
		p.Images = append(p.Images, search.PageImage{URL: fmt.Sprintf("https://a.example/%d.png", i), Alt: "barley"})
	}
	s.put(p)
	all := find(t, x, "barley", images, func(q *search.Query) { q.Limit = search.MaxLimit })
	if len(all) != search.MaxLimit || x.store.count() != 1+search.MaxImages {
		t.Errorf("got %d of %d documents", len(all), x.store.count())
	}
}

// The images of a page change and go with it.
func TestIndex_imagesFollowTheCache(t *testing.T) {
	for name, folder := range map[string]string{"in memory": "", "in a folder": t.TempDir()} {
		s := newFakeCache()
		x := on(t, s, folder)
		put := func(key string, alts ...string) {
			p := search.Page{URL: key}
			for i, alt := range alts {
				p.Images = append(p.Images, search.PageImage{URL: fmt.Sprintf("https://a.example/%s%d.png", alt, i), Alt: alt + " picture"})
			}
			s.put(p)
		}
		put("https://a.example/", "barley", "oats", "rye")
		put("https://a.example/b", "spelt")
		if got := len(find(t, x, "picture", images)); got != 4 {
			t.Errorf("%s: got %d", name, got)
		}
		put("https://a.example/", "millet")
		if got := pictures(find(t, x, "picture", images)); got != "millet0.png spelt0.png" {
			t.Errorf("%s: changed: got %s", name, got)
		}
		s.remove("https://a.example/")
		if got := pictures(find(t, x, "picture", images)); got != "spelt0.png" || x.store.count() != 2 {
			t.Errorf("%s: removed: got %s, %d documents", name, got, x.store.count())
		}
		if err := x.Close(); err != nil || folder == "" {
			continue
		}
		s.index = nil
		put("https://a.example/b", "einkorn", "emmer") // while no program runs
		s.reads = 0
		x = on(t, s, folder)
		if got := pictures(find(t, x, "picture", images)); got != "einkorn0.png emmer1.png" || s.reads != 1 {
			t.Errorf("%s: later: got %s, %d read", name, got, s.reads)
		}
	}
}

// Two changes of a page in one batch leave the images of the second.
func TestStore_theLastChangeOfAPageCounts(t *testing.T) {
	s, err := newStore("")
	if err != nil {
		t.Fatal(err)
	}
	defer s.index.Close()
	first, second := gallery(), gallery()
	second.Images = second.Images[:1]
	if err := s.apply([]change{{"k", &first}, {"l", &first}, {"k", &second}}); err != nil {
		t.Fatal(err)
	}
	if got, want := s.count(), 2+len(first.Images)+1; got != want {
		t.Errorf("got %d documents, want %d", got, want)
	}
	if err := s.apply([]change{{key: "l"}, {key: "k"}}); err != nil || s.count() != 0 {
		t.Errorf("%d documents are left, %v", s.count(), err)
	}
}

// How many images pages have changes nothing of what pages score.
func TestIndex_imagesDoNotCountInTheScoresOfPages(t *testing.T) {
	scores := func(with bool) (list []float64) {
		s := library()
		if with {
			p := gallery()
			p.Text = "" // the only difference
			for i := range 150 {
				p.Images = append(p.Images, search.PageImage{URL: fmt.Sprintf("https://a.example/x%d.png", i), Alt: "barley barley barley"})
			}
			barley := s.pages["https://granary.example/barley"]
			barley.Images = p.Images
		}
		x := on(t, s, "")
		find(t, x, "barley")
		q := search.Query{Text: "barley OR grain OR field", Limit: 50}.WithDefaults()
		r, err := lookup{x}.request(t.Context(), q, compile(q, x.store.folded, today).all, 180)
		if err != nil {
			t.Fatal(err)
		}
		hits, err := lookup{x}.search(t.Context(), r)
		if err != nil || len(hits) < 4 {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
		for _, h := range hits {
			list = append(list, h.Score)
		}
		return list
	}
	if got, want := fmt.Sprint(scores(true)), fmt.Sprint(scores(false)); got != want {
		t.Errorf("with images %s, without %s", got, want)
	}
}

// An index of an earlier version has no news and no images: it is rebuilt.
func TestIndex_anEarlierVersionIsRebuilt(t *testing.T) {
	s, dir := newFakeCache(), t.TempDir()
	s.put(gallery())
	x := on(t, s, dir)
	find(t, x, "windows")
	err := errors.Join(x.Close(), os.WriteFile(filepath.Join(dir, schemaName), []byte("winnow index 1\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	s.reads = 0
	if got := pictures(find(t, on(t, s, dir), "barley", images)); got != "1.png" || s.reads != 1 {
		t.Errorf("got %s, %d read", got, s.reads)
	}
}

// What is compacted holds no text of images that are gone.
func TestIndex_compactLeavesNoTextOfImagesThatAreGone(t *testing.T) {
	s, dir := newFakeCache(), t.TempDir()
	x := on(t, s, dir)
	s.put(search.Page{URL: "https://a.example/", Images: []search.PageImage{
		{URL: "https://a.example/quokka.png", Alt: "zebrafish"},
	}})
	if got := len(find(t, x, "zebrafish", images)); got != 1 || !Holds(t, dir, "quokka") || !Holds(t, dir, "zebrafish") {
		t.Errorf("got %d", got)
	}
	s.put(search.Page{URL: "https://a.example/", Text: "barley"})
	if err := errors.Join(x.Compact(t.Context()), x.Close()); err != nil {
		t.Fatal(err)
	}
	if Holds(t, dir, "quokka") || Holds(t, dir, "zebrafish") {
		t.Error("it is still there")
	}
}
