package formats

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// maxFactor is how many times the nodes of flat text a page of any shape may visit.
const maxFactor = 5

// smallShape is the size of the smallest pages that are made of shapes.
const smallShape = 16 << 10

// flatText is what shapes are measured by: paragraphs of one short word, the plainest page of that many bytes with as many
// nodes a byte as pages are made of. All formats are made of both, so what differs is only how often their nodes are visited.
func flatText(size int) string { return strings.Repeat("<p>a b", size/6) }

// question is one thing that can be asked of a page.
type question struct {
	name string
	ask  func(context.Context, *DOM) error
}

func rendering(name string, o Options) question {
	return question{name, func(ctx context.Context, d *DOM) error {
		_, err := d.Render(ctx, o)
		return err
	}}
}

func asking[T any](name string, ask func(*DOM, context.Context) (T, error)) question {
	return question{name, func(ctx context.Context, d *DOM) error {
		_, err := ask(d, ctx)
		return err
	}}
}

// questions are all, in an order: what a page remembers of the answer to one helps with those after it.
func questions() []question {
	list := []question{
		asking("inert", (*DOM).IsInert), asking("signals", (*DOM).Signals), asking("main words", (*DOM).MainWords),
		asking("text", (*DOM).Text), asking("main text", (*DOM).MainText), asking("visible text", (*DOM).VisibleText),
		asking("all links", (*DOM).Links), asking("article", (*DOM).IsArticle),
		{"pictures", func(ctx context.Context, d *DOM) error { _, _, err := d.Pictures(ctx); return err }},
		// not whether it is blank, which the first word ends
		{"wall", func(ctx context.Context, d *DOM) error { _, _, err := d.Wall(ctx); return err }},
		{"sample", func(ctx context.Context, d *DOM) error { _, err := d.Sample(ctx, 10_000); return err }},
		rendering("main", Options{Formats: []Type{Markdown, HTML, Links, Images}, OnlyMainContent: true}),
		rendering("left out", Options{Formats: []Type{Markdown}, OnlyMainContent: true, LeftOut: true}),
		rendering("visible", Options{Formats: []Type{Markdown}, OnlyVisible: true}),
		rendering("selected", Options{Formats: []Type{HTML}, IncludeTags: []string{"div", "div:has(p) > *"}, ExcludeTags: []string{"nav div", "*ad*"}}),
	}
	for _, format := range append([]Type{Audio, Video, Product, Menu}, allTypes...) {
		list = append(list, rendering(string(format), Options{Formats: []Type{format}, Selectors: []Selector{{"a", "href"}, {"div p", "class"}}}))
	}
	return list
}

// visits counts the nodes that are visited to parse a page and to answer each question about it.
func visits(t testing.TB, body string) map[string]int64 {
	t.Helper()
	s := walk.New(context.Background())
	d, err := Parse(s, Source{URL: goldenURL, MediaType: "text/html", Body: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int64{"parse": s.Visited()}
	for _, q := range questions() {
		before := s.Visited()
		if err := q.ask(s, d); err != nil {
			t.Fatal(err)
		}
		counts[q.name] = s.Visited() - before
	}
	return counts
}

// shapeParts are what shapes are put together from: by one byte each.
var shapeParts = []string{
	"<table>", "<tr>", "<td>", "<th>", "<tbody>", "<caption>", "</table>", "</td>",
	"<div>", "</div>", "<span>", "</span>", "<p>", "</p>", "<b>", "</b>", "<i>", "</i>", "<em>", "<strong>", "<s>", "<sub>", "<sup>", "<code>", "</code>",
	"<a href=/x>", "<a href=#x>", "<a href=#fn1 id=r1>", "<a class=anchor href=#x>", "</a>", "<ul>", "<ol>", "<menu>", "<li>", "</li>", "</ul>", "<li id=fn1>",
	"<blockquote>", "</blockquote>", "<pre>", "</pre>", "<dl>", "<dt>", "<dd>", "<figure>", "<figcaption>", "<section>", "<article>", "<main>", "<aside>",
	"<header>", "<footer>", "<nav>", "<h1>", "<h2 id=x>", "<h6>", "</h2>", "</h6>", "<form>", "<fieldset>", "<legend>", "<details>", "<summary>",
	"<svg>", "<title>", "</title>", "<g>", "</svg>", "<template>", "<div><template shadowrootmode=open><slot>", "</template>", "<noscript>", "</noscript>",
	"<ruby>", "<rt>", "<x-foo>", "<button>", "<label>", "<select>", "<option>", "</select>", "<object>", "</object>", "<video>", "<source src=/x.mp4>", "</video>",
	"<audio src=/x.mp3>", "<iframe src=/x></iframe>", "<math>", "<mrow>", "<msup>", "<mover>", "<mi>x</mi>", "</math>", "<span class=katex>",
	"<div class=ln>", "<div class=comment>", "<div class=author>", "<div id=app>", "<div itemscope itemtype=https://schema.org/Product>", "<span itemprop=name>",
	"<div itemprop=datePublished>", "<div class=card>", "<img src=/x>", "<img srcset='/a 1x, /b 2x'>", "<br>", "<hr>", "<input type=checkbox>", "<!-- c -->",
	" ", "a", "1", "7 words. ", "Related", "<style>.x .y{display:none}</style>", "<div style=display:none>", "<time datetime=2024-01-02>", "\n",
	"<img src=/x alt=a>", "<img src=/x alt='a a'>", "<div role=dialog>", "<dialog>", "<div class=cookie-banner>",
}

// shapeOf makes a page of bytes: how large it may get, and runs of parts, each with how often it is repeated and how many parts it has. They
// nest or stand side by side as their tags have it.
func shapeOf(data []byte) string {
	if len(data) == 0 {
		return ""
	}
	var b strings.Builder
	most := smallShape << (data[0] % 4)
	data = data[1:]
	for len(data) > 1 {
		repeat, length := 1+int(data[0])*16, int(data[1])%12+1
		data = data[2:]
		part := ""
		for _, c := range data[:min(length, len(data))] {
			part += shapeParts[int(c)%len(shapeParts)]
		}
		data = data[min(length, len(data)):]
		for range repeat {
			if b.Len() > most {
				return b.String()
			}
			b.WriteString(part)
		}
	}
	return b.String()
}

// run is a part of a shape as shapeOf reads it, which it repeats 1 + 16*repeat times.
func run(repeat byte, parts ...string) []byte {
	out := []byte{repeat, byte(len(parts) - 1)}
	for _, p := range parts {
		i := slices.Index(shapeParts, p)
		if i < 0 {
			panic("no part of shapes: " + p)
		}
		out = append(out, byte(i))
	}
	return out
}

// FuzzConvert_visitsEachNodeAFewTimes makes pages of shapes that nest, repeat and break off, and counts what each format of them visits: at most
// five times what the same format of flat text of as many bytes does. It counts nodes, not time, so it fails on no busy machine.
func FuzzConvert_visitsEachNodeAFewTimes(f *testing.F) {
	if raced {
		f.Skip("-race: one goroutine is at work")
	}
	const many, deep, half, some = 255, 24, 15, 6 // 4081, 385, 241 and 97 times: the parser takes 512 levels
	add := func(size byte, runs ...[]byte) { f.Add(append([]byte{size}, slices.Concat(runs...)...)) }
	large := byte(2) // 64 kB; in full 128
	if os.Getenv("WINNOW_SOAK") == "1" {
		large = 3
	}
	wide := [][]byte{run(many, "<i>", "1", "</i>"), run(many, "<b>", " ", "</b>")}
	for i, part := range shapeParts {
		add(0, run(many, part, "a"))
		for j := range wide {
			if i%2 == j || os.Getenv("WINNOW_SOAK") == "1" { // each part above one of the two; in full above both
				add(0, run(deep, part), wide[j])
			}
		}
	}
	for _, seed := range [][]string{
		{"<table>", "<tr>", "<td>"}, {"<table>", "<tr>", "<td>", "1"}, {"<table>", "<tr>", "<td>", "1", "<td>", "<pre>"}, {"<table>", "<tr>", "<th>", "a", "<td>"},
		{"<ul>", "<li>"}, {"<menu>", "<li>"}, {"<ol>", "<li>", "<p>", "a"}, {"<dl>", "<dt>", "a", "<dd>"}, {"<h2 id=x>", "<div>", "<a class=anchor href=#x>", "a"},
		{"<blockquote>", "<p>", "7 words. "}, {"<section>", "<h2 id=x>", "Related", "</h2>"}, {"<details>", "<summary>", "a"}, {"<button>", "<a href=/x>"},
		{"<img src=/x alt=a>", "<b>"}, {"<img src=/x alt='a a'>", "<b>", "a"}, {"<a href=/x>", "<img src=/x alt=a>", " "}, {"<div role=dialog>", "a"},
	} {
		add(1, run(many, seed...))
		add(1, run(some, seed...), wide[0])
		add(1, run(some, seed...), wide[1])
	}
	for _, seed := range [][]string{
		{"<div>", "<span>"}, {"<a href=/x>", "<div>"}, {"<a href=/x>", "<object>"}, {"<pre>", "<div>"}, {"<pre>", "<div class=ln>"}, {"<math>", "<mover>", "<mi>x</mi>"},
		{"<video>", "<source src=/x.mp4>"}, {"<div>", "<span itemprop=name>"}, {"<span class=katex>", "<div>"}, {"<li id=fn1>", "<div>"},
	} {
		add(1, run(many, seed...))
		add(1, run(half, seed...), wide[0])
		add(1, run(half, seed...), wide[1])
	}
	for _, seed := range [][]string{
		{"<b>", "<i>", "<p>", "</b>", "</i>"}, {"<a href=#x>", "<div>", "<b>", "</a>"}, {"<!-- c -->", " ", "<a href=#x>", "a", "</a>"}, {"<td>", "a"}, {"<select>", "<option>", "a"},
		{" ", "<svg>", "<title>", "a", "</title>", "</svg>"}, {"<sup>", "<a href=#fn1 id=r1>", "1", "</a>"}, {"<li id=fn1>", "<a href=#fn1 id=r1>", "1"},
		{"<table>", "<tr>", "<td>", "a", "</table>"}, {"<a href=/x>", "a", "</a>"}, {"<ul>", "<li>", "a", "</ul>"}, {"<li>", "<input type=checkbox>", "a"}, {"<b>", "<p>", "</b>"},
	} {
		add(large, run(many, seed...))
		add(large, run(0, "<h2 id=x>", "a", "</h2>"), run(many, seed...))
	}
	add(2, run(0, "<p>", "<b>", "<i>", "<em>", "<strong>", "<s>", "<code>", "<b>", "<i>", "<em>", "<strong>", "<s>"), run(many, "<p>", "a"))
	add(2, run(some, "<div>"), run(0, "<h2 id=x>", "Related", "</h2>"), run(many, "<h6>", "7 words. ", "</h6>"))
	add(large, run(0, "<table>", "<tr>", "<td>", "a", "<td>", "a", "<tr>", "<td>"), run(many, "<p>", " ", "</p>"), run(0, "a", "<td>", "a"))
	add(2, run(0, "<div itemscope itemtype=https://schema.org/Product>"), run(deep, "<span itemprop=name>"), wide[1])
	add(2, run(0, "<math>"), run(deep, "<mover>"), run(many, "<mi>x</mi>"))
	add(2, run(0, "<ul>", "<li>"), run(some, "<b>", "<div>"), wide[0])
	flat := make(map[int]map[string]int64)
	f.Fuzz(func(t *testing.T, data []byte) {
		body := shapeOf(data)
		if len(body) < 4<<10 {
			t.Skip("fuzzed input: a page so small is mostly fixed costs")
		}
		size := len(body) / 1024
		if flat[size] == nil {
			flat[size] = visits(t, flatText(len(body)))
		}
		for name, got := range visits(t, body) {
			if want := flat[size][name]; got > maxFactor*want {
				t.Errorf("%s of %.80q… of %d bytes: visited %d nodes, of flat text %d: %.1f times", name, body, len(body), got, want, float64(got)/float64(want))
			}
		}
	})
}
