package structured

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// maxShown bounds the text of one element.
const maxShown = 20_000

// Text of a tree as a reader sees it, white space folded: scripts and styles are left out, and
// blocks stand apart. It ends after limit bytes.
// Steps count the nodes; nil counts none.
func Text(steps *walk.Steps, root *html.Node, limit int) string {
	r := &reader{Steps: steps, limit: limit, left: math.MaxInt}
	var b strings.Builder
	r.addText(&b, root)
	return nodes.Fold(validPrefix(b.String(), limit))
}

// text of an element as a reader sees it, white space folded.
func (r *reader) text(el *html.Node) string {
	var b strings.Builder
	r.limit = maxShown
	r.addText(&b, el)
	return nodes.Fold(validPrefix(b.String(), maxShown))
}

func (r *reader) addText(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !r.look() || b.Len() > r.limit {
			return
		}
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.DataAtom == atom.Script, c.DataAtom == atom.Style, c.DataAtom == atom.Template, c.DataAtom == atom.Noscript:
		case c.Type == html.ElementNode:
			apart := !isInline(c)
			if apart {
				b.WriteByte(' ')
			}
			r.addText(b, c)
			if apart {
				b.WriteByte(' ')
			}
		}
	}
}

// isInline reports elements whose text continues that of their neighbors without a gap.
func isInline(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn, atom.Em,
		atom.Font, atom.I, atom.Ins, atom.Kbd,
		atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U, atom.Var:
		return true
	}
	return false
}

// validPrefix is at most n bytes of a text, cut between runes.
func validPrefix(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
