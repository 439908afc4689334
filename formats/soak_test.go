package formats

import (
	"os"
	"strings"
	"testing"
)

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// raced is whether the race detector watches. It makes work five times as long: what one goroutine does alone is for the run without it.
var raced bool

// Pages made to be costly: nested, huge, or of one kind of thing. Their Markdown keeps the last word, and is not many times the page.
func TestSoak_markdownOfCostlyPages(t *testing.T) {
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
	nested, many, cells := soak(100_000), soak(300_000), soak(1_000_000)
	rep := strings.Repeat
	cases := []struct {
		name string
		body func() string // made when needed: all at once would be a lot
	}{
		{"divs nested", func() string { return rep("<div>", nested) }},
		{"spans nested", func() string { return rep("<span>", nested) }},
		{"emphasis nested", func() string { return rep("<b><i>", nested/2) }},
		{"links nested", func() string { return rep("<a href=x>", nested) }},
		{"lists nested", func() string { return rep("<ul><li>a", nested) }},
		{"quotations nested", func() string { return rep("<blockquote>a", nested) }},
		{"tables nested", func() string { return rep("<table><tr><td>a", nested) }},
		{"definitions nested", func() string { return rep("<dl><dd>a", nested) }},
		{"details nested", func() string { return rep("<details><summary>a</summary>", nested) }},
		{"headings nested", func() string { return rep("<h1><a href=#x>", nested) + rep("</a></h1>", nested) }},
		{"MathML nested", func() string { return "<math>" + rep("<msup><mi>x</mi>", nested) + "</math>" }},
		{"drawings nested", func() string { return rep("<svg><title>a</title>", nested) + rep("</svg>", nested) }},
		{"a table of many cells", func() string { return "<table>" + rep("<tr>"+rep("<td>a", 1000), cells/1000) + "</table>" }},
		{"a table of many rows", func() string { return "<table>" + rep("<tr><td>a<td>b", cells/4) + "</table>" }},
		{"a table of one row", func() string { return "<table><tr>" + rep("<td>a", cells/4) + "</table>" }},
		{"cells that reach far", func() string {
			return "<table>" + rep("<tr><td colspan=1000>a<td rowspan=1000>b", many/10) + "</table>"
		}},
		{"a long text", func() string { return rep("<p>"+rep("some words of a long text ", 40)+"</p>", soak(50<<20)/1044) }},
		{"many elements in many", func() string { return rep("<span>", 200) + rep("<i>x</i>", many) }},
		{"blocks in many", func() string { return rep("<div>", 200) + rep("<p>x</p>", many/2) }},
		{"blocks in a link", func() string { return "<a href=/x>" + rep("<div>", 100) + rep("<i>x</i>", many/2) + "</a>" }},
		{"signs", func() string { return "<p>" + rep("* _a_ [x] ", many) + "</p>" }},
		{"brackets", func() string { return "<p>" + rep("[a](", many) + "</p>" }},
		{"formulas without an end", func() string { return "<p>" + rep(`\(x^2 `, many) + "</p>" }},
		{"dollars", func() string { return "<p>" + rep("$x^2 $", many) + "</p>" }},
		{"references to one note", func() string {
			return rep("<a href=#fn1 id=r1>1</a>", many/2) + "<ol><li id=fn1>x<a href=#r1>b</a></ol>"
		}},
		{"drawn formulas", func() string { return rep(`<span class=katex><math><mi>x</mi></math></span>`, many/3) }},
		{"frames", func() string { return rep("<iframe src=/x></iframe>", many/3) }},
		{"pictures for readers without scripts", func() string { return rep("<img><noscript><img src=/x alt=a></noscript>", many/5) }},
		{"lines of code", func() string { return "<pre>" + rep("<span class=line>x</span>", many) + "</pre>" }},
		{"line numbers", func() string { return rep("<pre><table><tr><td>1</td><td>x</td></tr></table></pre>", many/10) }},
		{"cards", func() string { return rep("<a href=/x><div><h3>t</h3><p>x</p></div></a>", many/5) }},
		{"anchors of one heading", func() string { return "<h2>" + rep("<a class=anchor href=#x>abc</a>", many/2) + "</h2>" }},
		{"class names", func() string { return `<div class="` + rep("a ", many) + `"></div>` }},
	}
	for _, c := range cases {
		body := c.body() + "<p>lastword</p>"
		out := render(t, mustParse(t, body, "text/html"), Options{}, Markdown).Markdown
		if !strings.Contains(out, "lastword") {
			t.Errorf("%s: the last word is missing", c.name)
		}
		if limit := 8*len(body) + 1000; len(out) > limit {
			t.Errorf("%s: got %d bytes from %d", c.name, len(out), len(body))
		}
	}
}
