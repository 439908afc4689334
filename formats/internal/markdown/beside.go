package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What counts as beside a picture: so many nodes before or after it, in an element so many levels above. Looking into them all again and
// again costs no more visits than the last.
const (
	besideNodes  = 40
	besideLevels = 6
	besideVisits = 120
)

// dropRepeatedAlt empties the alternative text of a picture that a text of its own beside it says too, as cards have it. A title
// that says the same goes as well, and so does a link around nothing but the picture when the text has it too.
func (w *work) dropRepeatedAlt(img *html.Node) {
	words := strings.Fields(attr(img, "alt"))
	if len(words) == 0 {
		return
	}
	said := w.beside(img, words, after)
	if said == nil {
		said = w.beside(img, words, before)
	}
	if said == nil {
		return
	}
	if place := w.placeOf(img); place != nil && place.DataAtom == atom.A && w.isLinkedTo(said, attr(place, "href")) {
		rename(place, atom.Span)
	}
	if strings.EqualFold(oneLine(attr(img, "title")), strings.Join(words, " ")) {
		setAttr(img, "title", "")
	}
	setAttr(img, "alt", "")
}

// direction is a way through the tree.
type direction struct {
	next, inner func(*html.Node) *html.Node
}

var (
	after = direction{
		next:  func(n *html.Node) *html.Node { return n.NextSibling },
		inner: func(n *html.Node) *html.Node { return n.FirstChild },
	}
	before = direction{
		next:  func(n *html.Node) *html.Node { return n.PrevSibling },
		inner: func(n *html.Node) *html.Node { return n.LastChild },
	}
)

// beside is an element or text with just these words on one side of a picture, before another picture, or nil. The page's own title
// doesn't count: its picture stands in no card.
func (w *work) beside(img *html.Node, words []string, d direction) *html.Node {
	levels, visits := 0, besideVisits
	n := img
	for range besideNodes {
		w.steps.Visit()
		if n = following(n, img, d, &levels); n == nil || n.DataAtom == atom.H1 || isImage(n) && !w.isNamed(n, words) {
			return nil
		}
		if w.says(n, words, &visits) {
			return n
		}
	}
	return nil
}

// isLinkedTo reports whether a text is in a link to this address, or is one.
func (w *work) isLinkedTo(n *html.Node, href string) bool {
	for p, levels := n, 0; p != nil && levels < besideLevels; p, levels = p.Parent, levels+1 {
		w.steps.Visit()
		if p.DataAtom == atom.A {
			return attr(p, "href") == href
		}
	}
	link := w.first(n, isAddressed)
	return link != nil && attr(link, "href") == href
}

// following is the node after n on a way that began at a picture; levels is how far it has climbed. It is nil where the way ends.
func following(n, img *html.Node, d direction, levels *int) *html.Node {
	if inner := d.inner(n); inner != nil && n != img {
		return inner
	}
	for d.next(n) == nil {
		if n = n.Parent; n == nil || n.DataAtom == atom.Body || n.DataAtom == atom.Main {
			return nil
		}
		if *levels++; *levels > besideLevels {
			return nil
		}
	}
	return d.next(n)
}

// isNamed reports a picture without a text or with the same one, as a second view of a thing has it.
func (w *work) isNamed(img *html.Node, words []string) bool {
	alt := oneLine(attr(img, "alt"))
	return alt == "" || strings.EqualFold(alt, strings.Join(words, " "))
}

// says reports whether the text below n is just these words, in any case.
func (w *work) says(n *html.Node, words []string, visits *int) bool {
	left := words
	return w.takeWords(n, &left, visits) && len(left) == 0
}

// takeWords takes the words below n off left, and reports whether they are its beginning. With no visits left it isn't known.
func (w *work) takeWords(n *html.Node, left *[]string, visits *int) bool {
	w.steps.Visit()
	if *visits--; *visits < 0 {
		return false
	}
	if n.Type == html.TextNode {
		for word := range strings.FieldsSeq(n.Data) {
			if len(*left) == 0 || !strings.EqualFold(word, (*left)[0]) {
				return false
			}
			*left = (*left)[1:]
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !w.takeWords(c, left, visits) {
			return false
		}
	}
	return true
}
