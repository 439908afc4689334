package learnt

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/formats"
)

func TestTemplateOf(t *testing.T) {
	base := Signs{URL: "https://a.example/blog/first-post", Shape: "s", Scripts: []string{"https://a.example/app.js"}, Does: []string{"writes #p1"}}
	is := TemplateOf(base)
	if is.Host != "a.example" || is.Pattern != "/blog/*" || len(is.Digest) != 32 {
		t.Fatalf("got %+v", is)
	}
	change := func(f func(*Signs)) Template {
		s := base
		f(&s)
		return TemplateOf(s)
	}
	for name, same := range map[string]Template{
		"another page":              change(func(s *Signs) { s.URL = "https://a.example/blog/barley" }),
		"a script's query":          change(func(s *Signs) { s.Scripts = []string{"https://a.example/app.js?v=2"} }),
		"another number":            change(func(s *Signs) { s.Does = []string{"writes #p2"} }),
		"a script that comes twice": change(func(s *Signs) { s.Scripts = append(s.Scripts, s.Scripts[0]) }),
	} {
		if same != is {
			t.Errorf("%s: got %+v", name, same)
		}
	}
	for name, other := range map[string]Template{
		"host":    change(func(s *Signs) { s.URL = "https://b.example/blog/first-post" }),
		"path":    change(func(s *Signs) { s.URL = "https://a.example/shop/first-post" }),
		"depth":   change(func(s *Signs) { s.URL = "https://a.example/blog/2026/first-post" }),
		"shape":   change(func(s *Signs) { s.Shape = "other" }),
		"scripts": change(func(s *Signs) { s.Scripts = nil }),
		"does":    change(func(s *Signs) { s.Does = []string{"writes #q1"} }),
		"places":  change(func(s *Signs) { s.Places = []string{"#price"} }),
	} {
		if other == is {
			t.Errorf("another %s is the same template", name)
		}
	}
}

func TestTemplateOf_patterns(t *testing.T) {
	for href, want := range map[string]string{
		"https://a.example/":                   "/",
		"https://a.example/about":              "/*",
		"https://a.example/docs/api/install":   "/docs/*/*",
		"https://a.example/en/docs/install":    "/en/docs/*",
		"https://a.example/2026/11/23/a-title": "/{n}/*/*/*",
		"https://a.example/feed.xml":           "/*.xml",
		"http://127.0.0.1:8080/p/17":           "/p/*",
		"mailto:a@a.example":                   "",
	} {
		if got := TemplateOf(Signs{URL: href}).Pattern; got != want {
			t.Errorf("%s: got %q, want %q", href, got, want)
		}
	}
}

// verdicts of pages whose scripts do nothing, something, and something unknown.
func verdicts() (static, dynamic, unsure judge.Verdict) {
	page := formats.Signals{TextWords: 800, Scripts: 2}
	static = judge.Judge(judge.Evidence{Signals: page, Foreign: 1})
	dynamic = judge.Judge(judge.Evidence{Signals: page, Foreign: 1, Places: []judge.Place{{Name: "#price", Sure: true}}})
	page.TextWords = 20
	unsure = judge.Judge(judge.Evidence{Signals: page, Unread: 1})
	return static, dynamic, unsure
}

func TestCounts_Revise(t *testing.T) {
	static, dynamic, unsure := verdicts()
	now := time.Unix(1e9, 0)
	for name, c := range map[string]struct {
		shown string // e: equal, m: more
		in    judge.Verdict
		want  judge.Choice
	}{
		"nothing known":                       {"", static, judge.Static},
		"nothing known, of a dynamic one":     {"", dynamic, judge.Dynamic},
		"proven":                              {"e", static, judge.Static},
		"unsure, and two were equal":          {"ee", unsure, judge.Static},
		"a place, and one was equal":          {"e", dynamic, judge.Unsure},
		"a place, and two were equal":         {"ee", dynamic, judge.Static},
		"a browser showed more":               {"m", static, judge.Dynamic},
		"proven, and then changed":            {"eem", static, judge.Unsure},
		"changed for good":                    {"eeemm", static, judge.Dynamic},
		"rendered by the server since":        {"mmmmeeeeee", dynamic, judge.Static},
		"some pages have more, some have not": {"mememeem", static, judge.Dynamic},
	} {
		var counts Counts
		for _, r := range c.shown {
			counts = counts.with(r == 'm', 0, now)
		}
		got := counts.Revise(c.in, Template{Pattern: "/blog/*"})
		if got.Choice != c.want || got.Confidence < 0.1 || got.Confidence > 1 {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// After months a comparison is no proof any more.
func TestCounts_decay(t *testing.T) {
	now := time.Unix(1e9, 0)
	c := Counts{}.with(false, 0, now)
	if !c.at(now.Add(halfLife/2)).Proven() || c.at(now.Add(2*halfLife)).Proven() {
		t.Errorf("got %+v and %+v", c.at(now.Add(halfLife/2)), c.at(now.Add(2*halfLife)))
	}
}

func TestMemory(t *testing.T) {
	ctx, now := t.Context(), time.Unix(1e9, 0)
	store := cache.NewMemory(cache.Options{Versions: 1, Now: func() time.Time { return now }})
	defer store.Close()
	m := New(store, slog.New(slog.DiscardHandler), func() time.Time { return now })
	one, other := TemplateOf(Signs{URL: "https://a.example/blog/x"}), TemplateOf(Signs{URL: "https://a.example/shop/x"})
	for range 3 {
		m.Note(ctx, one, false, 0)
	}
	m.Note(ctx, one, false, 0.8)
	m.Note(ctx, one, false, 0.1)
	if c, err := m.Counts(ctx, one); err != nil || c.Equal != 5 || c.More != 0 || c.Risk != 0.8 {
		t.Errorf("got %+v, %v", c, err)
	}
	if c, err := m.Counts(ctx, other); err != nil || c != (Counts{}) {
		t.Errorf("another template: got %+v, %v", c, err)
	}
	m.Note(ctx, Template{}, true, 0)
	if n, err := store.Forget(ctx, "https://a.example/"); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
}

func TestAuditRate(t *testing.T) {
	for want, c := range map[float64]struct {
		equal float64
		site  int
	}{0.05: {1, 0}, 0.025: {2, 0}, 0.01: {50, 0}, 0.0125: {1, 20}} {
		if got := AuditRate(Counts{Equal: c.equal}, c.site); got != want {
			t.Errorf("%v: got %v, want %v", c, got, want)
		}
	}
}

func TestDrawn(t *testing.T) {
	n := 0
	for i := range 10_000 {
		url := fmt.Sprintf("https://a.example/%d", i)
		if Drawn("job", url, 0.05) {
			n++
		}
		again := Drawn("job", url, 0.5)
		if Drawn("job", url, 0) || !Drawn("job", url, 1) || Drawn("job", url, 0.5) != again {
			t.Fatal(url)
		}
	}
	if n < 400 || n > 600 {
		t.Errorf("%d of 10000, want about 500", n)
	}
}
