package parse

import (
	"bytes"
	"regexp"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Piece is a part of a document that can be parsed by itself.
type Piece struct {
	// Head begins a table that the piece before began: its start tag and its first row. Empty: none is continued.
	Head []byte
	Body []byte
}

// Pieces cuts a document of balanced elements into pieces of about size bytes: between the blocks of its body, and between the rows of
// tables among them. ok is false where elements aren't balanced.
func Pieces(body []byte, size int) (pieces []Piece, ok bool) {
	c := &cutter{body: body, size: size, z: html.NewTokenizer(bytes.NewReader(body)), depth: -1}
	for c.next() {
	}
	return append(c.pieces, Piece{c.head, body[c.from:]}), c.depth <= 0
}

type cutter struct {
	body   []byte
	size   int
	z      *html.Tokenizer
	pieces []Piece
	from   int    // where the piece begins
	head   []byte // of the piece
	at     int    // where the token ends
	depth  int    // of open elements below the body; -1: before it

	table    bool // in a table of the body
	rowFrom  int  // where its first row begins
	firstRow []byte
	spans    int // rows that a cell reaches below
}

// next looks at a token; false: the body has ended.
func (c *cutter) next() bool {
	kind, start := c.z.Next(), c.at
	c.at += len(c.z.Raw())
	if kind == html.ErrorToken {
		return false
	}
	if kind != html.StartTagToken && kind != html.EndTagToken {
		return true
	}
	name, attrs := c.z.TagName()
	tag := atom.Lookup(name)
	switch {
	case tag == atom.Body && kind == html.EndTagToken:
		return false
	case tag == atom.Body:
		c.depth = 0
	case c.depth < 0 || isVoid(tag):
	case kind == html.StartTagToken:
		c.open(tag, start, attrs)
	default:
		c.end(tag)
	}
	return true
}

func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Br, atom.Hr, atom.Img, atom.Wbr, atom.Col, atom.Input, atom.Source, atom.Embed, atom.Area:
		return true
	}
	return false
}

func (c *cutter) open(tag atom.Atom, start int, attrs bool) {
	switch {
	case c.depth == 0:
		c.table, c.firstRow, c.rowFrom, c.spans = tag == atom.Table, nil, 0, 0
	case c.table && c.depth == 1 && c.rowFrom == 0 && (tag == atom.Tr || tag == atom.Thead):
		c.rowFrom = start
	case c.table && (tag == atom.Td || tag == atom.Th):
		c.spans = max(c.spans, rowSpan(c.z, attrs))
	}
	c.depth++
}

func rowSpan(z *html.Tokenizer, more bool) int {
	for more {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) == "rowspan" {
			n, _ := strconv.Atoi(string(value))
			return n
		}
	}
	return 0
}

func (c *cutter) end(tag atom.Atom) {
	c.depth--
	row := c.table && c.depth == 1 && (tag == atom.Tr || tag == atom.Thead)
	if c.table && tag == atom.Tr {
		c.spans = max(c.spans-1, 0)
	}
	if row && c.firstRow == nil {
		c.firstRow = c.body[c.rowFrom:c.at]
	}
	switch {
	case c.at-c.from < c.size:
	case c.depth == 0:
		c.cut(nil)
	case row && c.spans == 0:
		c.cut(append([]byte("<table>"), rowSpans.ReplaceAll(c.firstRow, nil)...))
	}
}

// rowSpans are not for a heading that other rows follow than in its table.
var rowSpans = regexp.MustCompile(` rowspan="[^"]*"`)

func (c *cutter) cut(head []byte) {
	c.pieces = append(c.pieces, Piece{c.head, c.body[c.from:c.at]})
	c.from, c.head = c.at, head
}
