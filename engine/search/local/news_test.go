package local

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

func news(q *search.Query) { q.Source = search.News }

func span(t *testing.T, tbs string) func(*search.Query) {
	t.Helper()
	s, err := search.ParseSpan(tbs)
	if err != nil {
		t.Fatal(err)
	}
	return func(q *search.Query) { q.Span = s }
}

// story puts an article whose words are as many as any other story's.
func (s *fakeCache) story(name, text string, age time.Duration) {
	s.put(search.Page{
		URL: "https://news.example/" + name, Title: "Story", Text: text, Language: "en", Article: true, Published: today.Add(-age),
		Image: "https://news.example/" + name + ".png",
	})
}

const oneDay = 24 * time.Hour

func TestIndex_newsAreArticlesWithADate(t *testing.T) {
	s := newFakeCache()
	s.story("a", "The barley is in.", 3*oneDay)
	s.put(search.Page{URL: "https://news.example/undated", Text: "The barley is in.", Article: true})
	s.put(search.Page{URL: "https://news.example/list", Text: "The barley is in.", Published: today})
	s.story("tomorrow", "The barley is in.", -20*time.Hour) // of a clock east of here
	s.story("nextyear", "The barley is in.", -365*oneDay)
	for name, folder := range map[string]string{"in memory": "", "in a folder": t.TempDir()} {
		x := on(t, s, folder)
		list := find(t, x, "barley", news)
		if got := urls(list); got != "news.example/tomorrow news.example/a" {
			t.Fatalf("%s: got %s", name, got)
		}
		r := list[1]
		r.Matches = nil
		want := search.Result{
			URL: "https://news.example/a", Title: "Story", Description: "The barley is in.", Date: today.Add(-3 * oneDay),
			ImageURL: "https://news.example/a.png",
		}
		if fmt.Sprint(r) != fmt.Sprint(want) {
			t.Errorf("%s: got %+v", name, r)
		}
		if !list[0].Date.Equal(today) {
			t.Errorf("%s: a story of the future is of %s", name, list[0].Date)
		}
		if got := len(find(t, x, "barley")); got != 5 {
			t.Errorf("%s: the web has %d", name, got)
		}
	}
}

func TestIndex_newsAreNewestFirstAmongEquallyGoodOnes(t *testing.T) {
	s := newFakeCache()
	filler := strings.Repeat("Nothing else of note has happened at the mill. ", 40)
	s.story("old", "The barley is in. The barley is dry.", 30*oneDay)
	s.story("middle", "The barley is in, the barley is dry!", 20*oneDay)
	s.story("new", "The barley is in; the barley is dry?", 10*oneDay)
	s.story("aside", "The barley is not the matter. "+filler, oneDay)
	x := on(t, s, "")
	names := func(list []search.Result) string { return strings.ReplaceAll(urls(list), "news.example/", "") }
	if got := names(find(t, x, "barley", news)); got != "new middle old aside" {
		t.Errorf("got %s", got)
	}
	if got := names(find(t, x, "barley", news, span(t, "sbd:1"))); got != "aside new middle old" {
		t.Errorf("by date: %s", got)
	}
}

func TestIndex_newsOfAPeriod(t *testing.T) {
	s := newFakeCache()
	for name, age := range map[string]time.Duration{
		"hour": time.Hour / 2, "day": 20 * time.Hour, "week": 6 * oneDay, "year": 300 * oneDay, "ever": 3000 * oneDay,
	} {
		s.story(name, "The barley is in.", age)
	}
	x := on(t, s, "")
	for tbs, want := range map[string]string{
		"qdr:h": "hour", "qdr:d": "hour day", "qdr:w": "hour day week", "qdr:m": "hour day week",
		"qdr:y": "hour day week year", "": "hour day week year ever",
		"cdr:1,cd_min:11/16/2026,cd_max:11/17/2026": "week",
	} {
		got := strings.ReplaceAll(urls(find(t, x, "barley", news, span(t, tbs))), "news.example/", "")
		if got != want {
			t.Errorf("%q: got %q, want %q", tbs, got, want)
		}
	}
}

func TestIndex_newsAreNarrowed(t *testing.T) {
	s := newFakeCache()
	s.story("a", "The barley is in.", oneDay)
	s.put(search.Page{
		URL: "https://github.com/a", Text: "Barley 2.0 is out.", Language: "de", Article: true, Published: today.Add(-2 * oneDay),
	})
	x := on(t, s, "")
	for name, c := range map[string]struct {
		text   string
		change func(*search.Query)
		want   string
	}{
		"site":     {"barley site:github.com", news, "github.com/a"},
		"domain":   {"barley", func(q *search.Query) { q.ExcludeDomains = []string{"github.com"} }, "news.example/a"},
		"language": {"barley", func(q *search.Query) { q.Language = "de" }, "github.com/a"},
		"category": {"barley", func(q *search.Query) { q.Categories = []search.Category{search.GitHub} }, "github.com/a"},
		"all":      {"site:news.example", news, "news.example/a"},
		"without":  {"barley -in", news, "github.com/a"},
		"none":     {"zymurgy", news, ""},
	} {
		if got := urls(find(t, x, c.text, news, c.change)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	found, err := x.Search(t.Context(), search.Query{Text: "barley zymurgy", Source: search.News})
	if err != nil || len(found.List) != 2 || found.Warning != "No article has all words of the query; these have some." {
		t.Errorf("some words: %+v, %v", found, err)
	}
}

// A story that is changed or gone is no longer news.
func TestIndex_newsFollowTheCache(t *testing.T) {
	s := newFakeCache()
	x := on(t, s, t.TempDir())
	for i := range 3 {
		s.story(fmt.Sprint(i), "The barley is in.", time.Duration(i)*oneDay)
	}
	if got := len(find(t, x, "barley", news)); got != 3 {
		t.Errorf("got %d", got)
	}
	s.put(search.Page{URL: "https://news.example/1", Text: "All about barley."})
	s.remove("https://news.example/2")
	if got := urls(find(t, x, "barley", news)); got != "news.example/0" {
		t.Errorf("got %s", got)
	}
}
