package parse

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/fasttree"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Document parses a page, with its shadow trees, and with the pictures, formulas and texts that it keeps for readers without
// scripts. Bytes that aren't UTF-8 are replaced. Nodes may lie in the room. The error is the context's.
func Document(steps *walk.Steps, body []byte, room *nodes.Room) (*html.Node, error) {
	text := body
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	doc, err := HTML(steps, text, room)
	if err != nil {
		return nil, err
	}
	m := marksOf(steps, doc)
	if m.shadows {
		openShadows(steps, doc, 0)
	}
	if m.streamed {
		moveStreamed(steps, doc)
	}
	if m.noscript {
		openNoscript(steps, doc)
	}
	if m.formulas {
		revealFormulas(steps, doc)
	}
	return doc, nil
}

// marks say what a page has that its tree is changed for.
type marks struct{ shadows, streamed, noscript, formulas bool }

func marksOf(steps *walk.Steps, doc *html.Node) (m marks) {
	for n := range nodes.All(steps, doc) {
		switch n.DataAtom {
		case atom.Template:
			m.shadows = m.shadows || nodes.Has(n, "shadowrootmode")
		case atom.Noscript, atom.Picture:
			m.noscript = true
		case atom.Script:
			m.formulas = m.formulas || isFormula(n)
		}
		m.streamed = m.streamed || strings.HasPrefix(nodes.Attr(n, "id"), "S:")
	}
	return m
}

// HTML parses a body once in the usual case. A body that the parser refuses (x/net/html stops at
// 512 open elements) or that would make it costly goes through a filter that flattens it, more
// strictly each time. Nodes may lie in the room. The error is the context's.
func HTML(ctx context.Context, body []byte, room *nodes.Room) (*html.Node, error) {
	tags := scanTags(body)
	if !tags.costly && !tags.reopens {
		if doc, err := once(ctx, body, room); err == nil {
			return doc, nil
		}
	}
	for _, depth := range []int{240, 60, 8, 0} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		flat := newTamer(depth, tags.reopens).run(ctx, body)
		if doc, err := once(ctx, flat, room); err == nil {
			return doc, nil
		}
	}
	return html.Parse(bytes.NewReader(nil)) // not reached with a live ctx: nothing nests at depth 0
}

// once parses a body by the faster of two parsers that takes it.
func once(ctx context.Context, body []byte, room *nodes.Room) (*html.Node, error) {
	if doc, ok := fasttree.Tree(ctx, body, room); ok {
		return doc, nil
	}
	return html.Parse(walk.NewReader(ctx, bytes.NewReader(body)))
}

// noscriptWords is the least number of words in noscript elements that count as a page's content.
const noscriptWords = 50

// openNoscript makes elements of what noscript holds, on pages that put their whole content there for
// readers without scripts: forums do. The parser takes it for plain text. On all other pages it would only repeat what is there,
// but for the addresses of pictures.
func openNoscript(steps *walk.Steps, doc *html.Node) {
	body := nodes.Find(doc, atom.Body)
	if body == nil {
		return
	}
	var blocks []*html.Node
	inside := 0
	for n := range nodes.All(steps, body) {
		switch {
		case n.DataAtom == atom.Img:
			pictureSource(n)
		case n.DataAtom == atom.Noscript && n.FirstChild != nil && n.FirstChild.Type == html.TextNode:
			blocks = append(blocks, n)
			inside += content.Words(n.FirstChild.Data)
		}
	}
	if !holdsContent(steps, body, inside) {
		revealImages(steps, blocks)
		return
	}
	for _, n := range blocks {
		replaceNoscript(steps, n)
	}
}

// holdsContent reports whether the words in noscript elements are most of what a page says.
func holdsContent(steps *walk.Steps, body *html.Node, inside int) bool {
	if inside < noscriptWords {
		return false
	}
	tree := content.NewTree(steps, body)
	return inside >= 2*tree.Words(tree.NewMask())
}

func replaceNoscript(steps *walk.Steps, n *html.Node) {
	parts := parseFragment(steps, n.FirstChild.Data)
	if parts == nil {
		return
	}
	n.RemoveChild(n.FirstChild)
	n.DataAtom, n.Data = atom.Div, "div"
	for _, p := range parts {
		n.AppendChild(p)
	}
}

// parseFragment parses a piece of a page within the bounds of parseHTML. What the parser refuses gives nothing.
func parseFragment(steps *walk.Steps, s string) []*html.Node {
	body := []byte(s)
	if costly(body) {
		body = newTamer(60, true).run(steps, body)
	}
	parts, err := html.ParseFragment(walk.NewReader(steps, bytes.NewReader(body)), nodes.New(atom.Div))
	steps.Look()
	if err != nil {
		return nil
	}
	return parts
}
