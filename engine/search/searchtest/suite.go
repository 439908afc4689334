package searchtest

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

// Run runs the tests that every provider must pass. start returns a provider whose web source has
// the docs; it registers its cleanup with t.Cleanup.
func Run(t *testing.T, start func(t *testing.T, docs []Doc) search.Provider) {
	t.Helper()
	docs := Docs(time.Now())
	p := start(t, docs)
	for _, c := range []struct {
		name string
		test func(*testing.T, search.Provider, []Doc)
	}{
		{"finds what has all words", findsAllWords},
		{"returns no more than the limit", respectsTheLimit},
		{"returns each URL once", returnsEachOnce},
		{"refuses what it does not support", refuses},
		{"restricts to domains", restrictsToDomains},
		{"restricts to categories", restrictsToCategories},
		{"restricts to periods", restrictsToPeriods},
		{"finding nothing is no error", findsNothing},
		{"ends with its context", endsWithContext},
		{"is safe for concurrent use", isSafe},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, p, docs) })
	}
}

func ask(t *testing.T, p search.Provider, q search.Query) []search.Result {
	t.Helper()
	found, err := p.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return found.List
}

func findsAllWords(t *testing.T, p search.Provider, docs []Doc) {
	want := map[string]string{}
	for _, d := range docs {
		if strings.Contains(d.Text, "oats") {
			want[d.URL] = d.Title
		}
	}
	list := ask(t, p, search.Query{Text: "barley oats", Limit: 100})
	if len(list) != len(want) {
		t.Errorf("got %d, want %d", len(list), len(want))
	}
	for _, r := range list {
		if want[r.URL] != r.Title || r.Description == "" {
			t.Errorf("got %+v", r)
		}
	}
}

func respectsTheLimit(t *testing.T, p search.Provider, docs []Doc) {
	for _, limit := range []int{0, 1, 7, 25, 200} {
		want := min(len(docs), limit)
		if limit == 0 {
			want = 10
		}
		if got := len(ask(t, p, search.Query{Text: "barley", Limit: limit})); got != want {
			t.Errorf("limit %d: got %d, want %d", limit, got, want)
		}
	}
}

func returnsEachOnce(t *testing.T, p search.Provider, _ []Doc) {
	seen := map[string]bool{}
	for _, r := range ask(t, p, search.Query{Text: "sack", Limit: 200}) {
		if u, err := url.Parse(r.URL); err != nil || u.Host == "" || seen[r.URL] {
			t.Errorf("got %q again, or no address: %v", r.URL, err)
		}
		seen[r.URL] = true
	}
}

// refuses sends every option; one that Can does not promise must be an OptionError that names its field.
func refuses(t *testing.T, p search.Provider, _ []Doc) {
	can := p.Can()
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		field string
		can   bool
		q     search.Query
	}{
		{"query", false, search.Query{}},
		{"query", false, search.Query{Text: strings.Repeat("x", search.MaxText+1)}},
		{"limit", false, search.Query{Limit: -1}},
		{"limit", false, search.Query{Limit: search.MaxLimit + 1}},
		{"excludeDomains", false, search.Query{IncludeDomains: []string{"a.example"}, ExcludeDomains: []string{"b.example"}}},
		{"sources", false, search.Query{Source: "tea"}},
		{"sources", can.Has(search.News), search.Query{Source: search.News}},
		{"sources", can.Has(search.Images), search.Query{Source: search.Images}},
		{"categories", slices.Contains(can.Categories, search.PDF), search.Query{Categories: []search.Category{search.PDF}}},
		{"includeDomains", can.Domains, search.Query{IncludeDomains: []string{"a.example"}}},
		{"excludeDomains", can.Domains, search.Query{ExcludeDomains: []string{"a.example"}}},
		{"tbs", slices.Contains(can.Past, search.Hour), search.Query{Span: search.Span{Past: search.Hour}}},
		{"tbs", slices.Contains(can.Past, search.Week), search.Query{Span: search.Span{Past: search.Week}}},
		{"tbs", can.Range, search.Query{Span: search.Span{From: day, To: day}}},
		{"tbs", can.ByDate, search.Query{Span: search.Span{ByDate: true}}},
		{"filter", can.Filter, search.Query{Filter: "0"}},
		{"lang", can.Language, search.Query{Language: "de"}},
		{"country", can.Country, search.Query{Country: "de"}},
		{"location", can.Location, search.Query{Location: "Berlin, Germany"}},
		{"safe", can.Safe, search.Query{Safe: search.SafeStrict}},
	} {
		if c.field != "query" {
			c.q.Text = "barley"
		}
		_, err := p.Search(t.Context(), c.q)
		opt, refused := errors.AsType[*search.OptionError](err)
		if c.can && err != nil || !c.can && (!refused || opt.Field != c.field || opt.Want == "") {
			t.Errorf("%s (can %v) %+v: %v", c.field, c.can, c.q, err)
		}
	}
}

func restrictsToDomains(t *testing.T, p search.Provider, _ []Doc) {
	if !p.Can().Domains {
		t.Skip("not supported by the provider: its refusal is tested")
	}
	domains := []string{"granary.example", "mill.example"}
	for _, include := range []bool{true, false} {
		q := search.Query{Text: "barley", Limit: 100, ExcludeDomains: domains}
		if include {
			q.IncludeDomains, q.ExcludeDomains = domains, nil
		}
		list := ask(t, p, q)
		for _, r := range list {
			if u, err := url.Parse(r.URL); err != nil || search.UnderAny(u.Hostname(), domains) != include {
				t.Errorf("include %v: got %s", include, r.URL)
			}
		}
		if want := map[bool]int{true: 18, false: 12}[include]; len(list) != want {
			t.Errorf("include %v: got %d, want %d", include, len(list), want)
		}
	}
}

func restrictsToCategories(t *testing.T, p search.Provider, _ []Doc) {
	for _, c := range []search.Category{search.GitHub, search.Research} {
		if !slices.Contains(p.Can().Categories, c) {
			t.Skip("not supported by the provider: its refusal is tested")
		}
		list := ask(t, p, search.Query{Text: "barley", Limit: 100, Categories: []search.Category{c}})
		for _, r := range list {
			if !c.Holds(r.URL) || r.Category != c {
				t.Errorf("%s: got %s in %q", c, r.URL, r.Category)
			}
		}
		if len(list) != 6 {
			t.Errorf("%s: got %d, want 6", c, len(list))
		}
	}
}

func restrictsToPeriods(t *testing.T, p search.Provider, _ []Doc) {
	for _, c := range []struct {
		past search.Period
		want int
	}{{search.Day, 1}, {search.Week, 2}, {search.Year, 30}} {
		if !slices.Contains(p.Can().Past, c.past) {
			t.Skip("not supported by the provider: its refusal is tested")
		}
		if got := ask(t, p, search.Query{Text: "barley", Limit: 100, Span: search.Span{Past: c.past}}); len(got) != c.want {
			t.Errorf("%s: got %d, want %d", c.past, len(got), c.want)
		}
	}
}

func findsNothing(t *testing.T, p search.Provider, _ []Doc) {
	if got := ask(t, p, search.Query{Text: "zymurgy"}); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func endsWithContext(t *testing.T, p search.Provider, _ []Doc) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Search(ctx, search.Query{Text: "barley"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func isSafe(t *testing.T, p search.Provider, _ []Doc) {
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			if found, err := p.Search(t.Context(), search.Query{Text: "barley oats"}); err != nil || len(found.List) != 10 {
				t.Errorf("got %d, %v", len(found.List), err)
			}
		})
	}
	work.Wait()
}
