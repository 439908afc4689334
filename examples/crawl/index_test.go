package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// hostile titles, URLs and errors must not leave their place in the index.
func TestIndex_foreignTextStaysText(t *testing.T) {
	x := newIndex()
	x.add(row{file: "pages/a.md", title: "a | b](https://evil.example/) <script>\n\n# Heading", url: "https://a.example/?q=x|y", status: 200})
	x.add(row{file: "pages/b.md", title: strings.Repeat("ü", 500), url: "https://b.example/", status: 200})
	x.failed = []engine.JobError{{URL: "https://a.example/f", Error: "scrape https://a.example/f: X: line\n- one"}}
	x.denied = []engine.Denied{{Reason: "SECTION_LINK", Count: 1, URLs: []string{"javascript:alert(1)\n\n# No"}}}
	got := string(x.render(engine.JobStatus{URL: "https://a.example/", State: engine.JobCompleted}))
	for _, want := range []string{
		`| [a \| b\]\(https://evil.example/\) \<script\> \# Heading](pages/a.md) | <https://a.example/?q=x\|y> | 200 |`,
		"| [" + strings.Repeat("ü", maxTextLen) + "…](pages/b.md) |",
		"- <https://a.example/f>: X: line - one\n",
		"- javascript:alert\\(1\\) \\# No\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestIndex_longListsAreCut(t *testing.T) {
	x := newIndex()
	var urls []string
	for i := range 300 {
		urls = append(urls, fmt.Sprintf("https://a.example/%03d", i))
	}
	x.denied = []engine.Denied{{Reason: "LIMIT", Count: 5000, URLs: urls}}
	got := string(x.render(engine.JobStatus{}))
	if strings.Count(got, "\n- ") != maxDenied+1 || !strings.HasSuffix(got, "- and 4900 more\n") {
		t.Errorf("got\n%s", got)
	}
}

// FuzzText reads a table row back as renderers do: a cell shows what it was given.
func FuzzText(f *testing.F) {
	for _, s := range []string{"a|b", "[x](y)", "<b>", "&amp;", "**b**", `\|`, "`c`", "1. x", "http://x.example/a_b_c", "a@b.example", "~~x~~", "![i](j)", "\x00", "a\\"} {
		f.Add(s)
	}
	tables := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\x00") || terminal.OneLine(s) == "" {
			return // no title of a page is like that
		}
		source := []byte("| A | B |\n|---|---|\n| " + escaped(s) + " | end |\n")
		cells := tableCells(tables.Parser().Parse(text.NewReader(source)), source)
		if len(cells) != 4 || cells[2] != terminal.OneLine(s) || cells[3] != "end" {
			t.Errorf("%q: cells %q\n%s", s, cells, source)
		}
	})
}

func tableCells(doc ast.Node, source []byte) []string {
	var cells []string
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() == extast.KindTableCell {
			cells = append(cells, plainText(n, source))
		}
		return ast.WalkContinue, nil
	})
	return cells
}

// plainText undoes backslashes; any other markup below a cell would be missing from it.
func plainText(cell ast.Node, source []byte) string {
	var b strings.Builder
	for n := cell.FirstChild(); n != nil; n = n.NextSibling() {
		if leaf, ok := n.(*ast.Text); ok {
			b.Write(leaf.Segment.Value(source))
		}
	}
	raw, out := b.String(), strings.Builder{}
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) && strings.IndexByte(markup, raw[i+1]) >= 0 {
			i++
		}
		out.WriteByte(raw[i])
	}
	return out.String()
}
