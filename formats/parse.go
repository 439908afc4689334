package formats

import (
	"bytes"
	"context"
	"io"
	"strings"

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

// maxShadowDepth is how deep in the page shadow trees are opened: the parser stops deeper nesting, which moving parts into one
// another could bring about again.
const maxShadowDepth = 300

// openShadows puts declared shadow trees (<template shadowrootmode="…">) in the place of what they hide, as a browser shows them: the
// children of their host go into their slots.
func openShadows(n *html.Node, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if t := shadowOf(c); t != nil && depth < maxShadowDepth {
			openShadow(c, t)
		}
		openShadows(c, depth+1)
	}
}

// shadowOf is the template of an element's shadow tree, nil for none.
func shadowOf(host *html.Node) *html.Node {
	for c := range host.ChildNodes() {
		if c.DataAtom == atom.Template && c.Namespace == "" {
			switch strings.ToLower(attr(c, "shadowrootmode")) {
			case "open", "closed": // a reader sees both
				return c
			}
		}
	}
	return nil
}

// openShadow replaces the children of a host by its shadow tree, filled with them.
func openShadow(host, template *html.Node) {
	host.RemoveChild(template)
	given := make(map[string][]*html.Node) // by name of slot
	for host.FirstChild != nil {
		c := host.FirstChild
		host.RemoveChild(c)
		name := ""
		if c.Type == html.ElementNode {
			name = attr(c, "slot")
		}
		given[name] = append(given[name], c)
	}
	fillSlots(template, given)
	for template.FirstChild != nil {
		c := template.FirstChild
		template.RemoveChild(c)
		host.AppendChild(c)
	}
}

// fillSlots puts the given nodes into the first slot of their name. What is in a slot already stays where nothing is given. The slots of inner
// shadow trees are theirs.
func fillSlots(n *html.Node, given map[string][]*html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type != html.ElementNode || c.DataAtom == atom.Template:
		case c.Data == "slot" && hasContent(given[attr(c, "name")]):
			name := attr(c, "name")
			for c.FirstChild != nil {
				c.RemoveChild(c.FirstChild)
			}
			for _, g := range given[name] {
				c.AppendChild(g)
			}
			delete(given, name)
		default:
			fillSlots(c, given)
		}
	}
}

func hasContent(list []*html.Node) bool {
	for _, n := range list {
		if n.Type == html.ElementNode || n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return true
		}
	}
	return false
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
