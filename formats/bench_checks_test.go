package formats

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/content/sample"
)

// The tests of what the benchmarks measure with.

func TestShownMarkdown_itsVisibleText(t *testing.T) {
	doc, err := shownMarkdown("# T\n\n[link](http://x/y) ![alt](i.png) `c\\_d` https://z/\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<p>x<script>no</script>y<br>z</p>")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(strings.Fields(textOfBlocks(doc)), " "), `T link c\_d https://z/ a b 1 2 xy z`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if links := wordsByKind(doc)["links"]; len(links) != 0 {
		t.Errorf("links %v: a bare address is none, and a link of one word is too short", links)
	}
}

func TestSnippetsIn(t *testing.T) {
	got := snippetsIn("The  Text\nof it", []string{"the text", "TEXT of", "other"})
	if want := (share{2, 3}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

const structuredPage = `<nav><li>no part of the reference</li></nav><h2>Two words</h2><h2>Oats</h2><h3>Lost heading here</h3>
	<ul><li>an item of five words</li><li>an item that became text</li></ul><table><tr><td>one two<td>three</table><pre>a := b(c)</pre>
	<a href=/x>a link to somewhere</a> <a>no link at all</a>`

func TestStructureKept(t *testing.T) {
	page, err := html.Parse(strings.NewReader(structuredPage))
	if err != nil {
		t.Fatal(err)
	}
	reference := "Two words. Oats. Lost heading here. An item of five words. An item that became text. one two three a := b(c) a link to somewhere no link at all"
	for name, c := range map[string]struct {
		markdown string
		want     map[string]share
	}{
		"all":       {"## Two words\n\n### Lost heading here\n\n- an item of five words\n- an item that became text\n\n| one two | three |\n|---|---|\n\n```\na := b(c)\n```\n\n[a link to somewhere](/x)", map[string]share{"headings": {2, 2}, "list items": {2, 2}, "table rows": {1, 1}, "code blocks": {1, 1}, "links": {1, 1}}},
		"as others": {"## Two words\n\nLost heading here\n\n- an item of five words and more\n\nan item that became text\n\none two three\n\n`a := b(c)`\n\na link to somewhere", map[string]share{"headings": {1, 2}, "list items": {1, 2}, "table rows": {0, 1}, "code blocks": {0, 1}, "links": {0, 1}}},
	} {
		out, err := shownMarkdown(c.markdown)
		if err != nil {
			t.Fatal(err)
		}
		got := structureKept(page, out, reference)
		for _, s := range structures {
			if got[s.name] != c.want[s.name] {
				t.Errorf("%s: %s: got %v, want %v", name, s.name, got[s.name], c.want[s.name])
			}
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b            string
		strict, lenient bool
	}{
		{"<p>a\n b</p>", "<p>a b</p>\n", true, true},
		{"<b>x</b>", "<strong>x</strong>", true, true},
		{`<a href="/a%20b" title="">t</a>`, `<a title href="/a b">t</a>`, true, true},
		{"<pre><code>x\n</code></pre>", "<pre><code>x</code></pre>", true, true},
		{"<p>a <br> b</p>", "<p>a<br>b</p>", true, true},
		{`<ol start="1"><li>a</li></ol>`, "<ol><li>a</li></ol>", true, true},
		{`<td style="text-align: left">a</td>`, `<td align="left">a</td>`, true, true},
		{"<li><p>a</p></li>", "<li>a</li>", false, true},
		{"<em><em>a</em></em>", "<em>a</em>", false, true},
		{"<div>a</div><h1></h1>", "a", false, true},
		{"<p>a</p>", "<p>b</p>", false, false},
		{"<p>&lt;em&gt;a&lt;/em&gt;</p>", "<p><em>a</em></p>", false, false},
		{`<a href="/x">t</a>`, `<a href="/y">t</a>`, false, false},
		{"<pre><code>a  b</code></pre>", "<pre><code>a b</code></pre>", false, false},
		{`<ol start="2"><li>a</li></ol>`, "<ol><li>a</li></ol>", false, false},
		{`<code class="language-go x">a</code>`, `<code class="language-c">a</code>`, false, false},
		{`<h1><img src="a"></h1>`, `<img src="a">`, false, false},
	} {
		for _, lenient := range []bool{false, true} {
			want := c.strict || lenient && c.lenient
			if got, err := alike(c.a, c.b, lenient); err != nil || got != want {
				t.Errorf("%q and %q, lenient %v: got %v, %v, want %v", c.a, c.b, lenient, got, err, want)
			}
		}
	}
}

func TestSpecExamples_cameBack(t *testing.T) {
	fence := strings.Repeat("`", 32)
	example := func(md, html string) string {
		return fence + " example table\n" + md + "\n.\n" + html + "\n" + fence + "\n"
	}
	got := specExamples("# Tabs\ntext\n" + example("# a→b\n", "<h1>a→b</h1>") + "## Raw HTML\n" + example("<x>", "<x>") + "# Lists\n" + example("- a", "<ul><li><p>a</p></li></ul>"))
	want := []specExample{{"Tabs", "<h1>a\tb</h1>\n"}, {"Lists", "<ul><li><p>a</p></li></ul>\n"}}
	if !slices.Equal(got, want) {
		t.Fatalf("got %q\nwant %q", got, want)
	}
	strict, lenient, err := cameBack(got, []string{"# a b", "- a"})
	if err != nil || strict != (share{1, 2}) || lenient != (share{2, 2}) {
		t.Errorf("came back: %v strict, %v lenient, %v", strict, lenient, err)
	}
}

func TestFigures_table(t *testing.T) {
	pages := []sample.Page{
		{ID: "1", Type: "article", Reference: "one two three four", With: []string{"one two"}, Without: []string{"menu"}, HTML: []byte("<h1>one two</h1>")},
		{ID: "2", Type: "article", Reference: "one", HTML: []byte("<p>one")},
		{ID: "3", Type: "forum", Reference: "one two", With: []string{"two"}, Without: []string{"other", "menu"}, HTML: []byte("<h1>one two</h1>")},
	}
	good, err := figuresOf(pages, []string{"# one two\n\nthree four", "one", "one two menu x"})
	if err != nil {
		t.Fatal(err)
	}
	bad, err := figuresOf(pages, []string{"", "", ""})
	if err != nil {
		t.Fatal(err)
	}
	good.speed, good.memory = 100, 1.25
	var b strings.Builder
	if err := writeTable(&b, "made", []column{{"good", good}, {"bad", bad}}); err != nil {
		t.Fatal(err)
	}
	const want = `
| made, 3 pages | good | bad |
|---|---|---|
| F1 of words (precision, recall) | 0.889 (0.833, 1.000) | 0.000 (0.000, 0.000) |
| mean of the types' F1 | 0.833 | 0.000 |
| article, 2 pages | 1.000 (1.000, 1.000) | 0.000 (0.000, 0.000) |
| forum, 1 pages | 0.667 (0.500, 1.000) | 0.000 (0.000, 0.000) |
| pages with an F1 under 0.5 | 0.0 % | 100.0 % |
| kept of 2 snippets that must be there | 1.000 | 0.000 |
| kept of 3 snippets that must not | 0.333 | 0.000 |
| kept of 2 headings | 0.500 | 0.000 |
| kept of 0 code blocks | – | – |
| kept of 0 list items | – | – |
| kept of 0 table rows | – | – |
| kept of 0 links | – | – |
| pages a second | 100 | 0 |
| MB allocated a page | 1.2 | 0.0 |

`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestOnlyIDs(t *testing.T) {
	all := []corpus{{"first", []sample.Page{{ID: "1"}, {ID: "2"}}}, {"second", []sample.Page{{ID: "3"}}}}
	for name, c := range map[string]struct{ file, want, failure string }{
		"of one sample": {"2\n1\n", "first 1 2", ""},
		"of both":       {"3 2", "first 2 second 3", ""},
		"unknown":       {"1 4", "", `"4"`},
		"empty":         {"\n", "", "no ids"},
	} {
		file := filepath.Join(t.TempDir(), "ids")
		if err := os.WriteFile(file, []byte(c.file), 0o644); err != nil {
			t.Fatal(err)
		}
		kept, err := onlyIDs(all, file)
		var got []string
		for _, k := range kept {
			got = append(got, k.name)
			for _, p := range k.pages {
				got = append(got, p.ID)
			}
		}
		if strings.Join(got, " ") != c.want || (err == nil) != (c.failure == "") || err != nil && !strings.Contains(err.Error(), c.failure) {
			t.Errorf("%s: got %q, %v, want %q, %q", name, got, err, c.want, c.failure)
		}
	}
	if _, err := onlyIDs(all, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there: no error")
	}
}
