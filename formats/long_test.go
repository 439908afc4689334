package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// longTables are bodies as package document makes them, long enough to be cut.
func longTables() map[string]string {
	rows := func(cells func(i int) string) string {
		var b strings.Builder
		for i := range 20_000 {
			b.WriteString("<tr>" + cells(i) + "</tr>\n")
		}
		return b.String()
	}
	plain := rows(func(i int) string { return fmt.Sprintf("<td>row %d</td><td>%d.50</td><td>a | b</td>", i, i) })
	spans := rows(func(i int) string {
		if i%3 == 0 {
			return fmt.Sprintf(`<td rowspan="3">group %d</td><td>%d</td>`, i, i)
		}
		return fmt.Sprintf("<td>%d</td>", i)
	})
	var paras strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&paras, "<h2>Part %d</h2>\n<p>It has <a href=\"https://a.example/%d\">a link</a>,<br>a line.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n", i, i%7)
	}
	head := "<thead><tr><th>Name</th><th>Price</th><th>Note</th></tr></thead>\n"
	return map[string]string{
		"a table with a heading":   "<table>\n" + head + plain + "</table>\n",
		"a table without":          "<table>\n" + plain + "</table>\n",
		"a caption":                "<table>\n<caption>All of them</caption>\n" + head + plain + "</table>\n<p>The end.</p>\n",
		"cells that reach down":    "<p>Before.</p>\n<table>\n" + spans + "</table>\n",
		"paragraphs, lists, links": paras.String(),
		"two tables":               "<h2>A</h2>\n<table>\n" + head + plain + "</table>\n<h2>B</h2>\n<table>\n" + plain + "</table>\n",
		"a column that is filled late": "<table>\n" + rows(func(i int) string {
			if i < 19_000 {
				return fmt.Sprintf("<td>row %d</td><td></td>", i)
			}
			return fmt.Sprintf("<td>row %d</td><td>late</td>", i)
		}) + "</table>\n",
	}
}

func TestRenderLong_givesWhatOneTreeGives(t *testing.T) {
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
	o := Options{Formats: []Type{Markdown, Links}}
	for name, body := range longTables() {
		src := Source{URL: "https://a.example/", MediaType: "text/html", Body: []byte("<!DOCTYPE html>\n<html>\n<head>\n<title>T</title>\n</head>\n<body>\n" + body + "</body>\n</html>\n")}
		dom, err := Parse(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		want, err := dom.Render(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := RenderLong(t.Context(), src, o)
		if err != nil || !ok && name != "a column that is filled late" {
			t.Errorf("%s: got %v, %v", name, ok, err)
		}
		if !ok {
			continue
		}
		if got.Markdown != want.Markdown || !slices.Equal(got.Links, want.Links) || got.Metadata.Title != "T" {
			at := 0
			for at < min(len(got.Markdown), len(want.Markdown)) && got.Markdown[at] == want.Markdown[at] {
				at++
			}
			t.Errorf("%s: %d links for %d, and at %d got %q, want %q", name, len(got.Links), len(want.Links), at,
				got.Markdown[max(at-80, 0):min(at+80, len(got.Markdown))], want.Markdown[max(at-80, 0):min(at+80, len(want.Markdown))])
		}
	}
}

func TestRenderLong_leavesWhatNeedsTheWholeTree(t *testing.T) {
	body := longTables()["paragraphs, lists, links"]
	src := Source{MediaType: "text/html", Body: []byte("<body>" + body + "</body>")}
	for name, o := range map[string]Options{
		"a selector": {Formats: []Type{Markdown}, IncludeTags: []string{"h2"}}, "html": {Formats: []Type{Markdown, HTML}},
		"main content": {Formats: []Type{Markdown}, OnlyMainContent: true}, "no markdown": {Formats: []Type{Links}},
	} {
		if _, ok, err := RenderLong(t.Context(), src, o); ok || err != nil {
			t.Errorf("%s: got %v, %v", name, ok, err)
		}
	}
	notes := src
	notes.Body = []byte(`<body><p>x<sup><a id="note-ref-1" href="#note-1">1</a></sup></p>` + body + "</body>")
	unbalanced := src
	unbalanced.Body = []byte("<body><div><p>" + body + "</body>")
	short := src
	short.Body = []byte("<body><p>x</p></body>")
	for name, src := range map[string]Source{"notes": notes, "what isn't balanced": unbalanced, "a short body": short} {
		if _, ok, err := RenderLong(t.Context(), src, Options{Formats: []Type{Markdown}}); ok || err != nil {
			t.Errorf("%s: got %v, %v", name, ok, err)
		}
	}
}
