package formats

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// checkLeftOut fails unless the entries have exactly the words that the main content of a page hasn't.
func checkLeftOut(t *testing.T, name string, d *DOM, o Options) {
	t.Helper()
	o.Formats, o.OnlyMainContent, o.LeftOut = []Type{Markdown}, true, true
	out, err := d.Render(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	words := 0
	for _, l := range out.LeftOut {
		words += l.Words
		if l.FirstLine == "" || l.Blocks < 1 {
			t.Errorf("%s: %+v has no blocks or no first line", name, l)
		}
	}
	d.under(context.Background())
	p, err := d.clean(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := p.tree.Words(p.all) - p.tree.Words(p.mask())
	if p.replaced != nil {
		want = p.replaced.tree.Words(p.replaced.all)
	}
	if words != want {
		t.Errorf("%s: entries have %d words, want %d: %+v", name, words, want, out.LeftOut)
	}
	if c := out.Metadata.ContentConfidence; c != nil && (*c < 0 || *c > 1) || c != nil != (p.main != nil && p.tree.Words(p.main) > 0) {
		t.Errorf("%s: confidence %v, want 0 to 1 where there is main content with words, else none", name, c)
	}
}

func TestRender_leftOutAddsUpOnEveryFixture(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.in.html"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, file := range files {
		d, o := parseGolden(t, file)
		checkLeftOut(t, file, d, o)
		o.OnlyVisible = true
		checkLeftOut(t, file+" (visible)", d, o)
	}
}

func TestRender_leftOutAddsUpOnRealPages(t *testing.T) {
	for _, c := range realPages(t) {
		for _, p := range c.pages {
			checkLeftOut(t, c.name+"/"+p.ID, mustParse(t, string(p.HTML), "text/html"), Options{})
		}
	}
}

const hive = `<header><h2>The Hive</h2></header><nav><a href=/>Home</a></nav><main><h1>Bees</h1><p>%</p></main><aside>Buy honey today</aside><footer>© 2026</footer>`

func hivePage() string { return strings.Replace(hive, "%", prose(5), 1) }

func TestRender_leftOut(t *testing.T) {
	shell := shellHead + linkedPage(`{"@type":"NewsArticle","headline":"Bees in winter","articleBody":`+quoted(t, prose(10))+`}`)
	for name, c := range map[string]struct {
		body, media string
		o           Options
		want        string
	}{
		"by kind":               {hivePage(), "text/html", Options{OnlyMainContent: true, LeftOut: true}, "sidebar header footer navigation"},
		"not asked for":         {hivePage(), "text/html", Options{OnlyMainContent: true}, "nil"},
		"whole page":            {hivePage(), "text/html", Options{LeftOut: true}, ""},
		"tags of the caller":    {hivePage(), "text/html", Options{OnlyMainContent: true, LeftOut: true, ExcludeTags: []string{"aside", "nav"}}, "header footer"},
		"what is asked for":     {hivePage(), "text/html", Options{OnlyMainContent: true, LeftOut: true, IncludeTags: []string{"nav", "main"}}, "navigation"},
		"only main content":     {"<h1>Bees</h1><p>" + prose(5), "text/html", Options{OnlyMainContent: true, LeftOut: true}, ""},
		"no words":              {"<img src=/a>", "text/html", Options{OnlyMainContent: true, LeftOut: true}, ""},
		"content from its data": {shell, "text/html", Options{OnlyMainContent: true, LeftOut: true}, "navigation"},
		"a text":                {"one two", "text/plain", Options{OnlyMainContent: true, LeftOut: true}, ""},
	} {
		for _, asked := range []Type{Markdown, RawHTML} {
			out := render(t, mustParse(t, c.body, c.media), c.o, asked)
			var kinds []string
			for _, l := range out.LeftOut {
				kinds = append(kinds, string(l.Kind))
			}
			got := strings.Join(kinds, " ")
			if out.LeftOut == nil {
				got = "nil"
			}
			if got != c.want {
				t.Errorf("%s beside %s: got %q, want %q", name, asked, got, c.want)
			}
		}
	}
}

func TestRender_contentConfidence(t *testing.T) {
	sure := func(body, media string, o Options, types ...Type) *float64 {
		return render(t, mustParse(t, body, media), o, types...).Metadata.ContentConfidence
	}
	main := Options{OnlyMainContent: true}
	for _, asked := range []Type{Markdown, HTML, Links, Images, Attributes, Summary, JSON, Question, Highlights, Query} {
		if c := sure(hivePage(), "text/html", main, asked); c == nil || *c <= 0.5 || *c > 1 {
			t.Errorf("%s: confidence %v, want above 0.5: it is a text with a frame", asked, c)
		}
	}
	shell := shellHead + linkedPage(`{"@type":"NewsArticle","headline":"Bees in winter","articleBody":`+quoted(t, prose(10))+`}`)
	for name, c := range map[string]*float64{
		"whole page":            sure(hivePage(), "text/html", Options{}, Markdown),
		"nothing made of it":    sure(hivePage(), "text/html", main, RawHTML, Product),
		"a text":                sure("one two", "text/plain", main, Markdown),
		"no words":              sure("<img src=/a>", "text/html", main, Markdown),
		"content from its data": sure(shell, "text/html", main, Markdown),
	} {
		if c != nil {
			t.Errorf("%s: confidence %v, want none", name, *c)
		}
	}
}

// Main content that comes out empty is none, however sure the rules were of it.
func TestRender_contentConfidenceOfNothingIsZero(t *testing.T) {
	const controls = `<main><select><option>One</select></main><nav><p>Home</nav>`
	out := render(t, mustParse(t, controls, "text/html"), Options{OnlyMainContent: true}, Markdown)
	if c := out.Metadata.ContentConfidence; c == nil || *c != 0 || out.Markdown != "Home" {
		t.Errorf("confidence %v of %q, want 0 with the whole page", c, out.Markdown)
	}
}

// A meta element of a page can't pass for the confidence.
func TestRender_contentConfidenceIsNoMetaElement(t *testing.T) {
	out := render(t, mustParse(t, `<meta name=contentConfidence content=1>`+hivePage(), "text/html"), Options{}, Markdown)
	if out.Metadata.ContentConfidence != nil || len(out.Metadata.Extra) > 0 {
		t.Errorf("got %v and %v, want neither", out.Metadata.ContentConfidence, out.Metadata.Extra)
	}
}
