package hidden

import (
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Mask leaves out what readers of the page don't see: by attributes, by inline styles and by the page's own style elements.
// It is for readers that can be instructed by hidden text. Pages whose scripts fade everything in would lose nearly all: there only
// what isn't laid out at all is left out.
func Mask(steps *walk.Steps, t *content.Tree, seen content.Mask) content.Mask {
	const minimum = 5 // of all words, one in so many has to stay
	all := t.Words(seen)
	sheet := readSheet(steps, t)
	m := maskHidden(t, seen, sheet, func(h hiding) bool { return h != notHidden })
	if t.Words(m)*minimum < all {
		m = maskHidden(t, seen, sheet, func(h hiding) bool { return h == notLaidOut })
	}
	return m
}

// hiding is how something is hidden.
type hiding uint8

const (
	notHidden hiding = iota
	notLaidOut
	notPainted // takes its place, but is unreadable
)

func maskHidden(t *content.Tree, seen content.Mask, s *sheet, counts func(hiding) bool) content.Mask {
	m := slices.Clone(seen)
	t.Each(seen, func(i int, n *html.Node) {
		if n.Type == html.ElementNode && n.DataAtom != atom.Body && n.DataAtom != atom.Html {
			m[i] = counts(hidingOf(n)) || counts(s.hiding(n))
		}
	})
	return m
}

// forMachines are classes whose elements are by convention shown to programs only.
var forMachines = []string{"sr-only", "screen-reader-text", "visually-hidden", "visuallyhidden", "print-only"}

// IsHidden reports whether an element says of itself that readers do not see it: by an attribute, an inline style or a known class.
func IsHidden(n *html.Node) bool { return hidingOf(n) != notHidden }

// hidingOf is what an element says of itself.
func hidingOf(n *html.Node) hiding {
	style := ""
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return notLaidOut
		case "style":
			style = a.Val
		case "class":
			for name := range strings.FieldsSeq(a.Val) {
				if slices.Contains(forMachines, name) {
					return notPainted
				}
			}
		}
	}
	if n.DataAtom == atom.Dialog && !nodes.Has(n, "open") {
		return notLaidOut
	}
	return readStyle(style).hiding()
}
