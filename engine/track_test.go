package engine

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
)

func trackWith(f formats.Format) ScrapeOptions {
	f.Type = formats.ChangeTracking
	return ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, f}}
}

func TestChangeTracking_tellsWhatBecameOfAPage(t *testing.T) {
	g, c, dir := newGranary(""), newClock(), t.TempDir()
	open := func() *Engine { return cachingEngine(t, g, func(o *Options) { o.Now, o.Dir = c.now, dir }) }
	e := open()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Error(w, "sorry", code) }
	}
	shows := func(body string) http.HandlerFunc { return htmlPage("<main>" + body + "</main>").ServeHTTP }
	var last time.Time
	for i, step := range []struct {
		site http.HandlerFunc
		want string
	}{
		{shows("<h1>Oats</h1><p>Four sacks.</p><p>All dry.</p>"), "new"},
		{shows("<h1>Oats</h1><p>Four sacks.</p><p>All dry.</p>"), "same"},
		{shows("<h1>Oats</h1>\n\n<p>Four\n   sacks.</p>  <p>All dry.</p>"), "same"},
		{shows("<h1>Oats</h1><p>All dry.</p><p>Four sacks.</p>"), "changed"}, // re-ordered
		{shows(`<h1>Oats</h1><p>All dry.</p><p>Four sacks.</p><a href="/x?utm_source=a&p=1">more</a>`), "changed"},
		{shows(`<h1>Oats</h1><p>All dry.</p><p>Four sacks.</p><a href="/x?p=1&utm_source=b">more</a>`), "same"},
		{status(404), "removed"},
		{status(404), "removed"},
		{shows("<h1>Oats</h1>"), "changed"},
		{status(410), "removed"},
	} {
		g.serves(step.site)
		doc := scrapeOK(t, e, "https://granary.example/", trackWith(formats.Format{}))
		got := doc.ChangeTracking
		if got == nil || got.ChangeStatus != step.want || got.Visibility != "visible" || got.Diff != "" || got.JSON != nil {
			t.Fatalf("step %d: %+v, want %s", i, got, step.want)
		}
		if (got.PreviousScrapeAt == nil) != (i == 0) || i > 0 && !got.PreviousScrapeAt.Equal(last) {
			t.Errorf("step %d: previous %v, want %s", i, got.PreviousScrapeAt, last)
		}
		last = c.now()
		c.pass(time.Hour)
		if i == 4 { // the history outlives the engine
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			e = open()
		}
	}
}

// A page that its site vouches for, or that comes with the same bytes, is not compared by its content, nor kept again.
func TestChangeTracking_unchangedPagesCostNoSecondVersion(t *testing.T) {
	for name, tag := range map[string]string{"vouched for": `"1"`, "the same bytes": ""} {
		g, c := &granary{}, newClock()
		var asked []string
		g.serves(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.Header.Get("If-None-Match"))
			if w.Header().Set("ETag", tag); tag != "" && r.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			htmlPage(barley).ServeHTTP(w, r)
		})
		e := cachingEngine(t, g, func(o *Options) { o.Now = c.now })
		const url = "https://granary.example/"
		tracked := trackWith(formats.Format{})
		first := scrapeOK(t, e, url, tracked)
		for range 2 {
			before := c.now()
			c.pass(time.Hour)
			doc := scrapeOK(t, e, url, tracked)
			if ct := doc.ChangeTracking; ct == nil || ct.ChangeStatus != "same" || !ct.PreviousScrapeAt.Equal(before) || doc.Markdown != first.Markdown {
				t.Errorf("%s: got %+v, want the same as at %s", name, ct, before)
			}
		}
		if want := []string{"", tag, tag}; !slices.Equal(asked, want) {
			t.Errorf("%s: asked with %q, want %q", name, asked, want)
		}
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		versions, err := e.scraper.History.Stats(t.Context())
		if err != nil || versions.Versions != 1 {
			t.Errorf("%s: the history has %+v, %v", name, versions, err)
		}
	}
}

func TestChangeTracking_gitDiff(t *testing.T) {
	g := newGranary("<main><h1>Oats</h1><p>Four sacks.</p></main>")
	e := cachingEngine(t, g)
	o := trackWith(formats.Format{Modes: []string{"git-diff"}})
	scrapeOK(t, e, "https://granary.example/", o)
	if c := scrapeOK(t, e, "https://granary.example/", o).ChangeTracking; c.Diff != "" || c.JSON != nil {
		t.Errorf("same: %+v", c)
	}
	g.shows("<main><h1>Oats</h1><p>Five sacks.</p></main>")
	c := scrapeOK(t, e, "https://granary.example/", o).ChangeTracking
	for _, line := range []string{"--- previous.md\n", "+++ current.md\n", "@@ ", "\n # Oats\n", "\n-Four sacks.\n", "\n+Five sacks.\n"} {
		if !strings.Contains(c.Diff, line) {
			t.Errorf("no %q in\n%s", line, c.Diff)
		}
	}
	var parsed struct {
		Files []struct {
			From, To string
			Chunks   []struct{ Changes []map[string]any }
		}
	}
	if err := json.Unmarshal(c.JSON, &parsed); err != nil || len(parsed.Files) != 1 || parsed.Files[0].From != "previous.md" || parsed.Files[0].To != "current.md" {
		t.Fatalf("json %s, %v", c.JSON, err)
	}
	added := 0
	for _, change := range parsed.Files[0].Chunks[0].Changes {
		if change["type"] == "add" && change["add"] == true && change["content"] == "+Five sacks." {
			added++
		}
	}
	if added != 1 {
		t.Errorf("json %s", c.JSON)
	}
}

func TestChangeTracking_historiesAreByOwnerURLAndTag(t *testing.T) {
	e := cachingEngine(t, newGranary(barley))
	with := func(owner string, tag *string) ScrapeOptions {
		o := trackWith(formats.Format{Tag: tag})
		o.Owner = owner
		return o
	}
	for i, c := range []struct {
		url  string
		o    ScrapeOptions
		want string
	}{
		{"https://granary.example/", with("", nil), "new"},
		{"https://granary.example/", with("", new("hourly")), "new"},
		{"https://granary.example/", with("", new("")), "new"},
		{"https://granary.example/", with("other", nil), "new"},
		{"https://granary.example/x", with("", nil), "new"},
		{"https://granary.example/", with("", nil), "same"},
		{"https://granary.example/", with("", new("hourly")), "same"},
		{"https://granary.example/", with("other", nil), "same"},
	} {
		if got := scrapeOK(t, e, c.url, c.o).ChangeTracking.ChangeStatus; got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
	}
}

// Both versions are rendered by today's options, and what the cache may do doesn't matter.
func TestChangeTracking_comparesWhatIsAskedFor(t *testing.T) {
	g := newGranary("<main><h1>Oats</h1><p class=price>4</p></main>")
	e := cachingEngine(t, g)
	o := trackWith(formats.Format{})
	o.StoreInCache = new(false)
	scrapeOK(t, e, "https://granary.example/", o)
	g.shows("<main><h1>Oats</h1><p class=price>5</p></main>")
	o.ExcludeTags = []string{".price"}
	if got := scrapeOK(t, e, "https://granary.example/", o).ChangeTracking.ChangeStatus; got != "same" {
		t.Errorf("without the price: %s", got)
	}
	g.shows("<main><h1>Oats</h1><p class=price>6</p></main>")
	o.ExcludeTags = nil
	if got := scrapeOK(t, e, "https://granary.example/", o).ChangeTracking.ChangeStatus; got != "changed" {
		t.Errorf("with it: %s", got)
	}
}

func TestChangeTracking_leavesOutWhatIsNoVersion(t *testing.T) {
	g := newGranary(barley)
	e := cachingEngine(t, g)
	o := trackWith(formats.Format{})
	scrapeOK(t, e, "https://granary.example/", o)
	g.serves(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "later", http.StatusServiceUnavailable) })
	doc := scrapeOK(t, e, "https://granary.example/", o)
	if doc.ChangeTracking != nil || !strings.Contains(doc.Warning, "503") {
		t.Errorf("%+v, warning %q", doc.ChangeTracking, doc.Warning)
	}
	g.shows(barley)
	if got := scrapeOK(t, e, "https://granary.example/", o).ChangeTracking.ChangeStatus; got != "same" {
		t.Errorf("afterwards: %s", got)
	}
}

func TestChangeTracking_comparesFieldByField(t *testing.T) {
	price := regexp.MustCompile(`costs (\d+)`)
	m := &oracle{answer: func(r llm.Request) (string, error) {
		found := price.FindStringSubmatch(r.Messages[len(r.Messages)-1].Text)
		return `{"price":` + found[1] + `}`, nil
	}}
	g := newGranary(`<main><h1>Oats</h1><p>A sack of oats costs 12 pounds today.</p></main>`)
	e := cachingEngine(t, g, withModel(m))
	o := trackWith(formats.Format{Modes: []string{"json", "git-diff"}, Schema: json.RawMessage(`{"type":"object","properties":{"price":{"type":"number"}}}`)})
	if doc := scrapeOK(t, e, "https://granary.example/", o); doc.ChangeTracking.JSON != nil || len(m.requests()) > 0 {
		t.Errorf("the first: %+v after %d questions", doc.ChangeTracking, len(m.requests()))
	}
	g.shows(`<main><h1>Oats</h1><p>A sack of oats costs 15 pounds today.</p></main>`)
	doc := scrapeOK(t, e, "https://granary.example/", o)
	if got := string(doc.ChangeTracking.JSON); got != `{"price":{"previous":12,"current":15}}` || doc.ChangeTracking.Diff == "" || doc.Metadata.CreditsUsed != 5 {
		t.Errorf("%s, diff %q, %d credits, %s", got, doc.ChangeTracking.Diff, doc.Metadata.CreditsUsed, doc.Warning)
	}
}
