package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unwrapInline takes away elements that mean nothing in Markdown, and emphasis around nothing, and
// cleans the texts. Fewer nodes make the writer faster.
func (w *work) unwrapInline(root *html.Node) {
	w.markPlain(root)
	w.tidyInline(root)
}

// tidyInline reports whether there is a link that leads somewhere below root.
func (w *work) tidyInline(root *html.Node) (linked bool) {
	for c := root.FirstChild; c != nil; {
		w.steps.Visit()
		if c.Namespace == leaving {
			c = unwrapHere(c)
			continue
		}
		next := c.NextSibling
		switch c.Type {
		case html.TextNode:
			c.Data = clean(c.Data)
		case html.ElementNode:
			inner := w.tidyInline(c)
			linked = linked || inner || isAddressed(c)
			if inner && c.DataAtom == atom.Code {
				w.linksInCode(c)
			}
			if isEmphasis(c) && isEmpty(c) && c.DataAtom != atom.Code || c.DataAtom == atom.Code && c.FirstChild == nil || isRaisedLink(c) {
				unwrap(c)
			}
		default:
			remove(c)
		}
		c = next
	}
	w.mergeTexts(root)
	return linked
}

func isAddressed(n *html.Node) bool { return n.DataAtom == atom.A && attr(n, "href") != "" }

func isPlain(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Span, atom.Font, atom.Label, atom.Abbr, atom.Acronym, atom.Bdi, atom.Bdo, atom.Time, atom.Data,
		atom.Small, atom.Big, atom.U, atom.Ins, atom.Mark,
		atom.Cite, atom.Dfn, atom.Nobr, atom.Picture:
		return true
	}
	return false
}

func isEmphasis(n *html.Node) bool {
	switch n.DataAtom {
	case atom.B, atom.Strong, atom.I, atom.Em, atom.S, atom.Strike, atom.Del, atom.Code:
		return true
	}
	return false
}

func isEmpty(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !isBlank(c) {
			return false
		}
	}
	return true
}

// isRaisedLink reports a raised link, as references are: the link says enough.
func isRaisedLink(n *html.Node) bool {
	if n.DataAtom != atom.Sup {
		return false
	}
	only := func(n *html.Node) bool { return n.PrevSibling == nil && n.NextSibling == nil }
	return n.Parent.DataAtom == atom.A && only(n) || n.FirstChild != nil && only(n.FirstChild) && n.FirstChild.DataAtom == atom.A
}

// linksInCode takes code apart in which some words are links, as references to functions have them: Markdown
// has code in links, but no links in code.
func (w *work) linksInCode(code *html.Node) {
	for c := code.FirstChild; c != nil; c = code.FirstChild {
		w.steps.Visit()
		code.RemoveChild(c)
		part := element(atom.Code)
		if c.DataAtom != atom.A {
			part.AppendChild(c)
			c = part
		} else {
			part.AppendChild(text(w.textOf(c)))
			c.FirstChild, c.LastChild = nil, nil
			c.AppendChild(part)
		}
		code.Parent.InsertBefore(c, code)
	}
}

// mergeTexts joins neighboring texts, in one go so that many of them cost linear time.
func (w *work) mergeTexts(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type != html.TextNode || c.NextSibling == nil || c.NextSibling.Type != html.TextNode {
			continue
		}
		var b strings.Builder
		b.WriteString(c.Data)
		for next := c.NextSibling; next != nil && next.Type == html.TextNode; next = c.NextSibling {
			b.WriteString(next.Data)
			n.RemoveChild(next)
		}
		c.Data = b.String()
	}
}

// clean takes out characters that no text needs and that the writer uses as marks of its own.
func clean(s string) string {
	if !mayHoldMarks(s) || strings.IndexFunc(s, isMark) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isMark(r) {
			return -1
		}
		return r
	}, s)
}

// mayHoldMarks reports a byte that begins one.
func mayHoldMarks(s string) bool {
	for i := range len(s) {
		if markStarts[s[i]] {
			return true
		}
	}
	return false
}

var markStarts = func() (starts [256]bool) {
	for r := range rune(0x10000) {
		if isMark(r) {
			starts[string(r)[0]] = true
		}
	}
	return starts
}()

func isMark(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7F || r >= '\uF000' && r <= '\uF00F' ||
		r == '\u200B' || r == '\uFEFF' || r == '\u00AD'
}

// lineOf is the text below n with a space for each line break.
func (w *work) lineOf(n *html.Node) string {
	w.walk(n, func(c *html.Node) bool {
		if c.DataAtom == atom.Br {
			c.AppendChild(text(" "))
		}
		return true
	})
	return w.textOf(n)
}

// typedTag is the start tag of an element that HTML does not know, right behind text and open to the end of its paragraph: as
// when an author wrote <name> for a word to fill in. A browser shows nothing of it. "" is for others.
func typedTag(n *html.Node) string {
	p := n.PrevSibling
	if p == nil || p.Type != html.TextNode || isBlank(p) || n.NextSibling != nil && !isBlank(n.NextSibling) || n.Namespace != "" {
		return ""
	}
	if strings.Trim(n.Data, "abcdefghijklmnopqrstuvwxyz0123456789") != "" || attr(n, "class") != "" || attr(n, "id") != "" {
		return ""
	}
	token := html.Token{Type: html.StartTagToken, Data: n.Data, Attr: n.Attr}
	return clean(token.String())
}
