package markdown

import (
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// table writes a table that normalizeTables has left one: rows of cells and nothing else. The first row
// is the heading, which the format demands (GFM, "Tables").
func (s *sheet) table(ctx converter.Context, n *html.Node) {
	if s.oneLine > 0 {
		s.below(ctx, n)
		return
	}
	s.begin(blockTable)
	first := true
	for tr := n.FirstChild; tr != nil; tr = tr.NextSibling {
		if tr.DataAtom != atom.Tr {
			continue
		}
		if !first {
			s.newline()
		}
		s.row(ctx, tr)
		if first {
			s.newline()
			s.underline(tr)
			first = false
		}
	}
	s.end(blockTable)
}

func (s *sheet) row(ctx converter.Context, tr *html.Node) {
	s.out = append(s.out, '|')
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		s.out = append(s.out, ' ')
		s.inOneLine(inCell, func() { s.below(ctx, cell) })
		s.out = append(s.out, " |"...)
	}
}

// escapePipes puts a backslash before each "|" that has none, in code too, where it would end the cell as well.
func escapePipes(s string) string {
	if strings.IndexByte(s, '|') < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '|' && (i == 0 || s[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// underline is the line below the heading of a table.
func (s *sheet) underline(tr *html.Node) {
	s.out = append(s.out, '|')
	for cell := tr.FirstChild; cell != nil; cell = cell.NextSibling {
		switch attr(cell, "align") {
		case "left":
			s.out = append(s.out, ":--|"...)
		case "right":
			s.out = append(s.out, "--:|"...)
		case "center":
			s.out = append(s.out, ":-:|"...)
		default:
			s.out = append(s.out, "---|"...)
		}
	}
}
