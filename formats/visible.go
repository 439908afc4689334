package formats

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/hidden"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// VisibleText is the text of the main content, or where that has none of the whole page, as
// [Options.OnlyVisible] defines it, white space folded to single spaces. For a page that is not HTML it is all text.
func (d *DOM) VisibleText(ctx context.Context) (_ string, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return d.wholeText(), nil
	}
	t, unseen := d.list()
	if text := t.Text(hidden.Mask(d.steps, t, d.mainMask())); text != "" {
		return text, nil
	}
	return t.Text(hidden.Mask(d.steps, t, unseen)), nil
}

// Block is a piece of what a page shows.
type Block struct {
	// Text with white space folded to single spaces, or the address of a picture, of media or of a frame, as it stands there.
	Text      string
	IsAddress bool
}

// Blocks are the title and the text of the whole page in pieces as they are set apart, such as paragraphs, headings, items and cells, and
// the addresses of its pictures, media and frames, in order. A page that is not HTML is one block. The texts share memory: one that is kept
// keeps all.
func (d *DOM) Blocks(ctx context.Context) (list []Block, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return []Block{{Text: d.text}}, nil
	}
	r := blockReaders.Get().(*blockReader)
	defer blockReaders.Put(r)
	r.begin()
	for n := range d.nodes() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			r.text = nodes.AppendFolded(r.text, n.FirstChild.Data)
			break
		}
	}
	r.end()
	nodes.EachSeen(d.steps, d.doc, r.read)
	r.end()
	return r.blocks(), nil
}

// blockReader makes blocks of nodes.
type blockReader struct {
	text []byte // of all blocks, folded, a blank after each
	from int    // where the block begins that is being read
	ends []blockEnd
}

type blockEnd struct {
	at        int
	isAddress bool
}

// blockReaders have room for the text of another page.
var blockReaders = sync.Pool{New: func() any { return new(blockReader) }}

func (r *blockReader) begin() { r.text, r.from, r.ends = r.text[:0], 0, r.ends[:0] }

func (r *blockReader) read(n *html.Node) {
	if len(r.text) > r.from && afterBlock(n) {
		r.end()
	}
	switch {
	case n.Type == html.TextNode:
		r.text = nodes.AppendFolded(r.text, n.Data)
	case n.Type == html.ElementNode && !isInline(n.DataAtom):
		r.end()
		if src := nodes.Attr(n, "src"); src != "" && !nodes.HasPrefixFold(src, "data:") {
			r.text = append(r.text, src...)
			r.add(true)
		}
	}
}

// afterBlock reports a node that stands behind the end of an element which is set apart.
func afterBlock(n *html.Node) bool {
	for p := seenBefore(n.PrevSibling); p != nil; p = seenBefore(p.LastChild) {
		if p.Type == html.ElementNode && !isInline(p.DataAtom) {
			return true
		}
	}
	return false
}

// seenBefore is the node itself, or the next one before it that is seen.
func seenBefore(n *html.Node) *html.Node {
	for n != nil && (n.Type == html.CommentNode || nodes.IsUnseen(n)) {
		n = n.PrevSibling
	}
	return n
}

func (r *blockReader) end() {
	if len(r.text) > r.from {
		r.text = bytes.TrimSuffix(r.text, []byte(" "))
		r.add(false)
	}
}

func (r *blockReader) add(isAddress bool) {
	r.ends = append(r.ends, blockEnd{len(r.text), isAddress})
	r.text = append(r.text, ' ')
	r.from = len(r.text)
}

func (r *blockReader) blocks() []Block {
	text, from, list := string(r.text), 0, make([]Block, len(r.ends))
	for i, end := range r.ends {
		list[i] = Block{text[from:end.at], end.isAddress}
		from = end.at + 1
	}
	return list
}

// isInline reports an element that stands within a line of text.
func isInline(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I,
		atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup,
		atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
		return true
	}
	return false
}

// Blank reports a page or text with nothing to see in it: no words, pictures, frames, media or controls. Scripts and
// what stands in the head don't count. The error is the context's.
func (d *DOM) Blank(ctx context.Context) (_ bool, err error) {
	if d.kind != kindHTML {
		return strings.TrimSpace(d.text) == "", nil
	}
	defer d.under(ctx).Catch(&err)
	return !showsSomething(d.steps, d.doc), nil
}

// showsSomething looks for the first node below n that a reader sees something of.
func showsSomething(steps *walk.Steps, n *html.Node) bool {
	for c := range n.ChildNodes() {
		steps.Visit()
		if !nodes.IsUnseen(c) && (shows(c) || showsSomething(steps, c)) {
			return true
		}
	}
	return false
}

// shows reports a node that a reader sees something of.
func shows(n *html.Node) bool {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data) != ""
	}
	switch n.DataAtom {
	case atom.Img, atom.Svg, atom.Canvas, atom.Video, atom.Audio, atom.Iframe, atom.Object, atom.Embed,
		atom.Button, atom.Textarea, atom.Select, atom.Math, atom.Meter, atom.Progress:
		return true
	case atom.Input:
		return nodes.Attr(n, "type") != "hidden"
	case atom.A:
		return nodes.Attr(n, "href") != ""
	}
	return nodes.Attr(n, "data-original-tag") == "iframe" // the browser's place of a frame
}
