package documenttest

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Block is a part of a document, in reading order.
type Block struct {
	// Level is 1 to 6 for a heading, else 0.
	Level int
	// Text is the text with single spaces and without soft hyphens; empty for a table.
	Text string
	// Rows are the rows of a table.
	Rows [][]Cell
}

// Cell is a cell of a table. Spans are at least 1.
type Cell struct {
	Text             string
	Colspan, Rowspan int
}

// Blocks reads the headings, paragraphs, list items and tables of HTML. What else there is counts as paragraphs; empty
// elements count as nothing.
func Blocks(source string) ([]Block, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return nil, err
	}
	r := &blockReader{}
	r.walk(root)
	r.flush()
	return r.blocks, nil
}

type blockReader struct {
	blocks []Block
	text   strings.Builder
	level  int
}

func (r *blockReader) flush() {
	if text := tidy(r.text.String()); text != "" {
		r.blocks = append(r.blocks, Block{Level: r.level, Text: text})
	}
	r.text.Reset()
}

func (r *blockReader) walk(n *html.Node) {
	switch n.DataAtom {
	case atom.Head, atom.Style, atom.Script:
		return
	case atom.Table:
		r.flush()
		if rows := rowsOf(n, nil); len(rows) > 0 {
			r.blocks = append(r.blocks, Block{Rows: rows})
		}
		return
	}
	if n.Type == html.TextNode {
		r.text.WriteString(n.Data)
	}
	apart := n.Type == html.ElementNode && !inlineElements[n.DataAtom]
	if apart {
		r.flush()
		r.level = headingLevel(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.walk(c)
	}
	if apart {
		r.flush()
		r.level = 0
	}
}

var inlineElements = map[atom.Atom]bool{
	atom.A: true, atom.B: true, atom.I: true, atom.Em: true, atom.Strong: true, atom.Sup: true, atom.Sub: true, atom.Code: true,
	atom.Span: true, atom.U: true,
}

func headingLevel(n *html.Node) int {
	if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}

func rowsOf(n *html.Node, rows [][]Cell) [][]Cell {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Tr:
			rows = append(rows, nil)
		case atom.Td, atom.Th:
			if last := len(rows) - 1; last >= 0 {
				rows[last] = append(rows[last], Cell{Text: tidy(textOf(c)), Colspan: spanOf(c, "colspan"), Rowspan: spanOf(c, "rowspan")})
			}
			continue
		}
		rows = rowsOf(c, rows)
	}
	return rows
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Br {
			b.WriteByte(' ')
		}
		b.WriteString(textOf(c))
	}
	return b.String()
}

func spanOf(n *html.Node, name string) int {
	for _, a := range n.Attr {
		if i, err := strconv.Atoi(a.Val); a.Key == name && err == nil && i > 1 {
			return i
		}
	}
	return 1
}

func tidy(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\u00ad", "")), " ")
}
