package formats

import (
	"bytes"
	"context"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Block is a piece of what a page shows.
type Block struct {
	// Text with white space folded to single spaces, or the address of a picture, of media or of a frame, as it stands there.
	Text      string
	IsAddress bool
}

// Blocks are the title and the text of the whole page in pieces as they are set apart, such as paragraphs, headings, items and cells, and
// the addresses of its pictures, media and frames, in order. A page that is not HTML is one block.
func (d *DOM) Blocks(ctx context.Context) (list []Block, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return []Block{{Text: d.text}}, nil
	}
	r := &blockReader{}
	for n := range d.nodes() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			r.text = nodes.AppendFolded(r.text, n.FirstChild.Data)
			break
		}
	}
	r.end()
	nodes.EachSeen(d.steps, d.doc, r.read)
	r.end()
	return r.list, nil
}

// blockReader makes blocks of nodes.
type blockReader struct {
	list []Block
	text []byte // of the block so far, folded
}

func (r *blockReader) read(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		r.text = nodes.AppendFolded(r.text, n.Data)
	case n.Type == html.ElementNode && !isInline(n.DataAtom):
		r.end()
		if src := nodes.Attr(n, "src"); src != "" && !nodes.HasPrefixFold(src, "data:") {
			r.list = append(r.list, Block{src, true})
		}
	}
}

func (r *blockReader) end() {
	if text := bytes.TrimSuffix(r.text, []byte(" ")); len(text) > 0 {
		r.list = append(r.list, Block{Text: string(text)})
	}
	r.text = r.text[:0]
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
