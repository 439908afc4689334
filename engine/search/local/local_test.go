package local

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/searchtest"
)

func TestIndex_passesTheSuite(t *testing.T) {
	for name, folder := range map[string]bool{"in memory": false, "in a folder": true} {
		t.Run(name, func(t *testing.T) {
			searchtest.Run(t, func(t *testing.T, docs []searchtest.Doc) search.Provider {
				s := newFakeCache()
				for _, d := range docs {
					s.put(search.Page{URL: d.URL, Title: d.Title, Text: d.Text, Stored: time.Now(), Published: d.Date, Language: "de"})
				}
				dir := ""
				if folder {
					dir = t.TempDir()
				}
				x := on(t, s, dir)
				x.setup.Now = time.Now
				return x
			})
		})
	}
}

// library has pages in several scripts.
func library() *fakeCache {
	s := newFakeCache()
	for _, p := range []search.Page{
		{URL: "https://granary.example/barley", Title: "Barley", Headings: []string{"Growing", "Harvest"}, Text: "Four sacks of barley are stored in the dry barn. Farmers were storing them for years.", Language: "en"},
		{URL: "https://blog.granary.example/oats", Title: "Oats and more", Text: "Oats grow beside the barley field. The café serves porridge.", Language: "en-GB"},
		{URL: "https://mill.example/mehl", Title: "Mehl", Text: "Die Mühlen mahlen das Getreide der Häuser.", Language: "de"},
		{URL: "https://mill.example/ja", Title: "大麦の収穫", Text: "北の畑で大麦を収穫する。麦は袋に入れる。", Language: "ja"},
		{URL: "https://mill.example/th", Title: "ข้าวบาร์เลย์", Text: "ชาวนาเก็บเกี่ยวข้าวบาร์เลย์ในทุ่งนา", Language: "th"},
		{URL: "https://mill.example/ru", Title: "Ячмень", Text: "Мешки с ячменём стоят в амбаре.", Language: "ru"},
		{URL: "https://mill.example/el", Title: "Κριθάρι", Text: "Το κριθάρι αποθηκεύεται στην αποθήκη.", Language: "el"},
		{URL: "https://mill.example/ar", Title: "شعير", Text: "يخزن الشعير في المخزن.", Language: "ar"},
		{URL: "https://github.com/granary/thresher", Title: "thresher: a tool", Text: "A command for sorting grain.", Language: "en"},
		{URL: "https://papers.example/yield.pdf", Title: "Yield", Text: "A study of grain.", MediaType: "application/pdf", Language: "en"},
		{URL: "https://papers.example/q?id=7", Title: "Kernel", Text: "A second study of grain.", MediaType: "application/pdf"},
	} {
		s.put(p)
	}
	return s
}

func TestIndex_findsInAllScripts(t *testing.T) {
	x := on(t, library(), "")
	for text, want := range map[string]string{
		"barley":                       "granary.example/barley blog.granary.example/oats", // the title counts more
		"BARLEY sack":                  "granary.example/barley",                           // another form of the word
		"store":                        "granary.example/barley",
		"cafe":                         "blog.granary.example/oats", // without its accent
		"ｃａｆé":                         "blog.granary.example/oats", // full width
		"mühle":                        "mill.example/mehl",
		"MUHLEN":                       "mill.example/mehl",
		"haus":                         "mill.example/mehl", // a plural with another vowel
		"大麦":                           "mill.example/ja",
		"麦":                            "mill.example/ja",
		"大麦 収穫":                        "mill.example/ja",
		"畑大":                           "",
		"บาร์เลย์":                     "mill.example/th",
		"ячмень":                       "mill.example/ru",
		"мешок":                        "",
		"мешков":                       "mill.example/ru",
		"κριθαρι":                      "mill.example/el",
		"الشعير":                       "mill.example/ar",
		"thresher":                     "github.com/granary/thresher", // in the URL too
		`"oats grow"`:                  "blog.granary.example/oats",
		`"grow oats"`:                  "",
		"barley -oats":                 "granary.example/barley",
		"barley site:granary.example":  "granary.example/barley blog.granary.example/oats",
		"-site:granary.example barley": "",
		"barley site:https://blog.granary.example/x": "blog.granary.example/oats",
		"grain filetype:pdf":                         "papers.example/q?id=7 papers.example/yield.pdf",
		"porridge OR mehl":                           "blog.granary.example/oats mill.example/mehl",
		"harvest":                                    "granary.example/barley",
		"!!! ???":                                    "",
		"site:github.com":                            "github.com/granary/thresher",
	} {
		list := find(t, x, text)
		got := urls(list)
		if strings.Contains(text, "filetype") || strings.Contains(text, "OR") {
			got = sorted(list)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestIndex_somethingIsBetterThanNothing(t *testing.T) {
	x := on(t, library(), "")
	found, err := x.Search(t.Context(), search.Query{Text: "porridge thresher zymurgy"})
	if err != nil || sorted(found.List) != "blog.granary.example/oats github.com/granary/thresher" || found.Warning == "" {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestIndex_narrows(t *testing.T) {
	s := library()
	ago := func(d time.Duration) time.Time { return today.Add(-d) }
	s.put(search.Page{URL: "https://news.example/a", Title: "Grain a", Text: "News of grain", Published: ago(30 * time.Minute)})
	s.put(search.Page{URL: "https://news.example/b", Title: "Grain b", Text: "News of grain, grain, grain", Published: ago(72 * time.Hour)})
	s.put(search.Page{URL: "https://news.example/c", Title: "Grain c", Text: "News of grain", Stored: ago(400 * 24 * time.Hour)})
	s.put(search.Page{URL: "https://news.example/d", Title: "Grain d", Text: "News of grain", Stored: ago(48 * time.Hour), Published: today.AddDate(1, 0, 0)}) // says that it is of the future
	x := on(t, s, "")
	span := func(tbs string) func(*search.Query) {
		return func(q *search.Query) {
			var err error
			if q.Span, err = search.ParseSpan(tbs); err != nil {
				t.Fatal(err)
			}
			q.IncludeDomains = []string{"news.example"}
		}
	}
	for name, c := range map[string]struct {
		change func(*search.Query)
		want   string
	}{
		"hour":        {span("qdr:h"), "news.example/a"},
		"week":        {span("qdr:w"), "news.example/a news.example/b news.example/d"},
		"year":        {span("qdr:y"), "news.example/a news.example/b news.example/d"},
		"all":         {span(""), "news.example/a news.example/b news.example/c news.example/d"},
		"range":       {span("cdr:1,cd_min:11/19/2026,cd_max:11/19/2026"), "news.example/b"},
		"open range":  {span("cdr:1,cd_max:12/31/2025"), "news.example/c"},
		"pdf":         {func(q *search.Query) { q.Categories = []search.Category{search.PDF} }, "papers.example/q?id=7 papers.example/yield.pdf"},
		"two":         {func(q *search.Query) { q.Categories = []search.Category{search.PDF, search.GitHub} }, "github.com/granary/thresher papers.example/q?id=7 papers.example/yield.pdf"},
		"language":    {func(q *search.Query) { q.Language = "en-US" }, "github.com/granary/thresher papers.example/yield.pdf"},
		"not domains": {func(q *search.Query) { q.ExcludeDomains = []string{"example", "github.com"} }, ""},
	} {
		if got := sorted(find(t, x, "grain", c.change)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if got := urls(find(t, x, "grain", span("sbd:1"))); got != "news.example/a news.example/d news.example/b news.example/c" {
		t.Errorf("by date: %q", got)
	}
}

func TestIndex_describesByWhatFits(t *testing.T) {
	s := newFakeCache()
	filler := strings.Repeat("Some words about nothing at all. ", 200)
	s.put(search.Page{URL: "https://a.example/", Title: "A", Text: filler + "The granary of Łódź keeps rye\n\nand spelt. " + filler, Language: "en"})
	s.put(search.Page{URL: "https://b.example/", Title: "Only the title has quinoa", Description: "A page about grain.", Text: "Nothing here."})
	s.put(search.Page{URL: "https://c.example/", Title: "C", Text: strings.Repeat("長い文章です。", 100) + "大麦の袋。" + strings.Repeat("長い文章です。", 100)})
	x := on(t, s, "")
	for text, want := range map[string]struct{ holds, marked string }{
		"spelt rye": {"keeps rye and spelt", "rye spelt"},
		"granaries": {"The granary of", "granary"},
		"quinoa":    {"A page about grain.", ""},
		"大麦":        {"大麦の袋", "大麦"},
	} {
		list := find(t, x, text)
		if len(list) != 1 {
			t.Errorf("%s: %d results", text, len(list))
			continue
		}
		r := list[0]
		var marked []string
		for _, m := range r.Matches {
			marked = append(marked, r.Description[m.Start:m.End])
		}
		if !strings.Contains(r.Description, want.holds) || strings.Join(marked, " ") != want.marked || len(r.Description) > passageBytes+2*len(ellipsis) {
			t.Errorf("%s: %q, marked %q", text, r.Description, marked)
		}
	}
}

// A page that is kept in several ways is one result.
func TestIndex_waysOfFetchingAreOnePage(t *testing.T) {
	s := newFakeCache()
	for _, way := range []string{"mobile", "plain", "country=de"} {
		s.put(search.Page{URL: "https://a.example/\x00" + way, Title: "A", Text: "barley"})
	}
	if got := find(t, on(t, s, ""), "barley"); len(got) != 1 {
		t.Errorf("got %d", len(got))
	}
}

func TestIndex_whatWasPutIsFoundAndWhatIsGoneIsNot(t *testing.T) {
	s := newFakeCache()
	x := on(t, s, t.TempDir())
	s.put(search.Page{URL: "https://a.example/", Text: "barley"})
	if s.reads != 0 {
		t.Error("pages are read before the first search")
	}
	if got := urls(find(t, x, "barley")); got != "a.example/" {
		t.Errorf("first: %s", got)
	}
	s.put(search.Page{URL: "https://b.example/", Text: "barley"})
	s.put(search.Page{URL: "https://a.example/", Text: "oats"})
	if got := urls(find(t, x, "barley")); got != "b.example/" {
		t.Errorf("changed: %s", got)
	}
	s.remove("https://b.example/")
	if got := urls(find(t, x, "barley")); got != "" {
		t.Errorf("removed: %s", got)
	}
	s.put(search.Page{URL: "https://c.example/", Text: "barley panic!"})
	s.put(search.Page{URL: "https://d.example/", Text: "barley"})
	if got := urls(find(t, x, "barley")); got != "d.example/" {
		t.Errorf("beside a panic: %s", got)
	}
}

func TestIndex_refusesWhatItIsNotReadyFor(t *testing.T) {
	x := New(Options{})
	if _, err := x.Search(t.Context(), search.Query{Text: "barley"}); !errors.Is(err, search.ErrDetached) {
		t.Errorf("detached: %v", err)
	}
	if err := x.Attach(newFakeCache(), search.Setup{}); err != nil {
		t.Fatal(err)
	}
	if err := x.Attach(newFakeCache(), search.Setup{}); !errors.Is(err, search.ErrAttached) {
		t.Errorf("attached: %v", err)
	}
	for range 2 {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := x.Search(t.Context(), search.Query{Text: "barley"}); !errors.Is(err, search.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// A cache that can't be read fails the search; the next one tries again.
func TestIndex_outlivesAFailureOfTheCache(t *testing.T) {
	s := newFakeCache()
	s.put(search.Page{URL: "https://a.example/", Text: "barley"})
	x := on(t, s, "")
	s.fail = errors.New("the disk is gone")
	if _, err := x.Search(t.Context(), search.Query{Text: "barley"}); !errors.Is(err, s.fail) {
		t.Errorf("got %v", err)
	}
	s.mu.Lock()
	s.fail = nil
	s.mu.Unlock()
	s.put(search.Page{URL: "https://b.example/", Text: "barley"})
	if got := sorted(find(t, x, "barley")); got != "a.example/ b.example/" {
		t.Errorf("got %s", got)
	}
}

// Without patience a search doesn't wait for a long build.
func TestIndex_answersWhileItIsBuilt(t *testing.T) {
	s := newFakeCache()
	s.put(search.Page{URL: "https://a.example/", Text: "barley"})
	slow := &slowCache{fakeCache: s, open: make(chan struct{}), asked: make(chan struct{}, 1)}
	x := New(Options{Patience: time.Millisecond})
	if err := x.Attach(slow, search.Setup{}); err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	go x.Search(context.Background(), search.Query{Text: "barley"})
	<-slow.asked // the worker is at it
	found, err := x.Search(t.Context(), search.Query{Text: "barley"})
	if err != nil || len(found.List) != 0 || found.Warning == "" {
		t.Errorf("got %+v, %v", found, err)
	}
	close(slow.open)
	if err := x.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := urls(find(t, x, "barley")); got != "a.example/" {
		t.Errorf("got %s", got)
	}
}

type slowCache struct {
	*fakeCache
	open, asked chan struct{}
}

func (s *slowCache) Page(ctx context.Context, key string) (*search.Page, error) {
	select {
	case s.asked <- struct{}{}:
	default:
	}
	select {
	case <-s.open:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return s.fakeCache.Page(ctx, key)
}
