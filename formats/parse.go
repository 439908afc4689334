package formats

import (
	"bytes"
	"context"
	"io"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/content"
)

// parseHTML parses a body once in the usual case. A body that the parser refuses (x/net/html stops at
// 512 open elements) or that would make it costly goes through a filter that flattens it, more
// strictly each time. The error is the context's.
func parseHTML(ctx context.Context, body []byte) (*html.Node, error) {
	if !costly(body) {
		if doc, err := html.Parse(&ctxReader{ctx, bytes.NewReader(body)}); err == nil {
			return doc, nil
		}
	}
	for _, depth := range []int{240, 60, 8, 0} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		flat := newTamer(depth).run(ctx, body)
		if doc, err := html.Parse(&ctxReader{ctx, bytes.NewReader(flat)}); err == nil {
			return doc, nil
		}
	}
	return html.Parse(bytes.NewReader(nil)) // not reached with a live ctx: nothing nests at depth 0
}

// ctxReader ends a parse when the context is done.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// noscriptWords is the least number of words in noscript elements that count as a page's content.
const noscriptWords = 50

// openNoscript makes elements of what noscript holds, on pages that put their whole content there for
// readers without scripts: forums do. The parser takes it for plain text. On all other pages it would only repeat what is there,
// but for the addresses of pictures.
func openNoscript(doc *html.Node) {
	body := find(doc, atom.Body)
	if body == nil {
		return
	}
	var blocks []*html.Node
	inside := 0
	for n := range body.Descendants() {
		switch {
		case n.DataAtom == atom.Img:
			pictureSource(n)
		case n.DataAtom == atom.Noscript && n.FirstChild != nil && n.FirstChild.Type == html.TextNode:
			blocks = append(blocks, n)
			inside += content.Words(n.FirstChild.Data)
		}
	}
	if !holdsContent(body, inside) {
		revealImages(blocks)
		return
	}
	for _, n := range blocks {
		replaceNoscript(n)
	}
}

// holdsContent reports whether the words in noscript elements are most of what a page says.
func holdsContent(body *html.Node, inside int) bool {
	if inside < noscriptWords {
		return false
	}
	tree := content.NewTree(body)
	return inside >= 2*tree.Words(tree.NewMask())
}

func replaceNoscript(n *html.Node) {
	parts, err := html.ParseFragment(bytes.NewReader([]byte(n.FirstChild.Data)), &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"})
	if err != nil {
		return
	}
	n.RemoveChild(n.FirstChild)
	n.DataAtom, n.Data = atom.Div, "div"
	for _, p := range parts {
		n.AppendChild(p)
	}
}

// find is the first element of a kind, else nil.
func find(n *html.Node, a atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.DataAtom == a && d.Namespace == "" {
			return d
		}
	}
	return nil
}

func attr(n *html.Node, key string) string {
	v, _ := lookup(n, key)
	return v
}

func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}
