package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropUnseen removes elements that Markdown has no place for and keeps their information as links and titles.
func (w *work) dropUnseen(root *html.Node) {
	bare := make(map[*html.Node]bool)
	w.walk(root, func(n *html.Node) bool {
		if n.DataAtom == 0 && ownNames[n.Data] {
			rename(n, atom.Span)
		}
		if w.replaceMath(n, bare) {
			return false
		}
		switch n.DataAtom {
		case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Canvas, atom.Datalist, atom.Select, atom.Textarea,
			atom.Link, atom.Meta, atom.Wbr, atom.Noembed, atom.Noframes:
			remove(n)
			return false
		case atom.Iframe, atom.Frame, atom.Embed, atom.Video, atom.Audio, atom.Svg:
			w.replaceMedia(n)
			return false
		case atom.Object:
			w.replaceMedia(n)
		}
		return true
	})
}

// ownNames are the elements that the passes make for the writer. A page's own of these names are none.
var ownNames = set(taskBox, cellBreak, verbatimInline, verbatimBlock, footnote)

// dropNoise removes anchors of headings, links that skip to the content and links that hold nothing,
// and takes the link off what leads nowhere.
func (w *work) dropNoise(root *html.Node) {
	if w.firstSeen(root) == nil {
		w.keepEmptyLinks(root)
		return
	}
	w.dropNoiseIn(root, nil)
}

// dropNoiseIn does it below root, which is in the given heading.
func (w *work) dropNoiseIn(root, heading *html.Node) {
	w.walkUnder(root, heading, func(n, heading *html.Node) bool {
		if n.DataAtom == atom.Span && hasToken(n, editLinks) {
			remove(n)
			return false
		}
		if n.DataAtom == atom.Button { // what it says is apart from the words around it
			n.Parent.InsertBefore(text(" "), n)
			n.AppendChild(text(" "))
		}
		if n.DataAtom != atom.A {
			return true
		}
		label := strings.TrimSpace(w.textOf(n))
		image := w.has(n, w.isShown)
		switch {
		case label == "" && !image, isSkipLink(n, label), !image && w.isHeadingAnchor(n, heading, label):
			remove(n)
			return false
		case leadsNowhere(n), isSelfLink(n, heading):
			w.unwrapInto(n, heading)
			return false
		}
		return true
	})
}

// firstSeen is the first text or image below n.
func (w *work) firstSeen(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.Type == html.TextNode && !isBlank(c) || isImage(c) {
			return c
		}
		if found := w.firstSeen(c); found != nil {
			return found
		}
	}
	return nil
}

// keepEmptyLinks keeps the links in paragraphs of a page that has nothing else: they are no noise beside anything.
func (w *work) keepEmptyLinks(root *html.Node) {
	w.walk(root, func(n *html.Node) bool {
		if n.DataAtom == atom.A && n.Parent.DataAtom == atom.P && !leadsNowhere(n) {
			clearChildren(n)
			n.AppendChild(verbatim(verbatimInline, ""))
		}
		return true
	})
}

// unwrapInto takes a link away but goes on inside it.
func (w *work) unwrapInto(n, heading *html.Node) {
	rename(n, atom.Span)
	w.dropNoiseIn(n, heading)
}

// isShown reports a picture of which something is written: its address or its text.
func (w *work) isShown(n *html.Node) bool {
	return isImage(n) && !(w.options.RemoveBase64Images && oneLine(attr(n, "alt")) == "" && isDataImage(attr(n, "src")))
}

func isImage(n *html.Node) bool { return n.DataAtom == atom.Img && attr(n, "src") != "" }

func leadsNowhere(n *html.Node) bool {
	href := strings.ToLower(strings.TrimSpace(attr(n, "href")))
	return !hasAttr(n, "href") || strings.HasSuffix(href, "#") || strings.HasPrefix(href, "javascript:")
}

// isSkipLink reports "Skip to content" and its kin, which lead to a place in the page.
func isSkipLink(n *html.Node, label string) bool {
	label = strings.ToLower(label)
	return strings.Contains(attr(n, "href"), "#") &&
		(strings.HasPrefix(label, "skip to ") || strings.HasPrefix(label, "jump to content")) && len(label) < 40
}

// isHeadingAnchor reports a link inside the heading h that only gives the heading's own address, or, where there is none, its sign
// elsewhere.
func (w *work) isHeadingAnchor(n, h *html.Node, label string) bool {
	fragment := fragmentOf(n)
	if fragment != "" && w.followsItsHeading(n, fragment) {
		return true
	}
	if !strings.Contains(attr(n, "href"), "#") || strings.IndexFunc(label, unicode.IsDigit) >= 0 && !hasToken(n, anchors) {
		return false // with a digit it may be a footnote
	}
	if h == nil {
		return label == "#" || label == "¶" || label == "§"
	}
	if strings.IndexFunc(label, unicode.IsLetter) < 0 || isAnchorIcon(label) {
		return true
	}
	return (hasToken(n, anchors) || attr(n, "aria-hidden") == "true") && w.hasTextBeside(h, n)
}

// lookBack is how many blanks before a link are passed on the way to its heading.
const lookBack = 64

// followsItsHeading reports a link right behind the heading that it leads to, or in a box behind it.
func (w *work) followsItsHeading(n *html.Node, fragment string) bool {
	for range 3 {
		s := n.PrevSibling
		for i := 0; i < lookBack && s != nil && isBlank(s); i++ {
			w.steps.Visit()
			s = s.PrevSibling
		}
		if s != nil {
			return isHeading(s) && attr(s, "id") == fragment
		}
		if n = n.Parent; n == nil {
			return false
		}
	}
	return false
}

// hasTextBeside reports whether there is text below the heading h that is not in n. The last text of the heading is mostly
// elsewhere; only what holds it needs a search.
func (w *work) hasTextBeside(h, n *html.Node) bool {
	way, known := w.besides[h]
	if !known {
		way = make(trail)
		for p := w.lastText(h); p != nil && p != h; p = p.Parent {
			w.steps.Visit()
			way[p] = true
		}
		if w.besides == nil {
			w.besides = make(map[*html.Node]trail)
		}
		w.besides[h] = way
	}
	return len(way) > 0 && !way[n] || w.hasTextBut(h, n)
}

// hasTextBut reports whether there is text below h that is not in n.
func (w *work) hasTextBut(h, n *html.Node) bool {
	for c := h.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c != n && (c.Type == html.TextNode && !isBlank(c) || w.hasTextBut(c, n)) {
			return true
		}
	}
	return false
}

// lastText is the last text below n, nil for none. That of headings is remembered, since they may hold headings.
func (w *work) lastText(n *html.Node) *html.Node {
	for c := n.LastChild; c != nil; c = c.PrevSibling {
		w.steps.Visit()
		if c.Type == html.TextNode && !isBlank(c) {
			return c
		}
		found, known := w.lastTexts[c]
		if !known {
			found = w.lastText(c)
			w.noteLastText(c, found)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

func (w *work) noteLastText(n, last *html.Node) {
	if !isHeading(n) {
		return
	}
	if w.lastTexts == nil {
		w.lastTexts = make(map[*html.Node]*html.Node)
	}
	w.lastTexts[n] = last
}

// anchors are the class names of links that give a heading's address.
var anchors = set("anchor", "headerlink", "header-anchor", "heading-anchor", "anchor-link", "anchorjs-link", "hash-link", "permalink", "heading-link", "direct-link")

// isSelfLink reports a link around the text of the heading h to the heading itself.
func isSelfLink(n, h *html.Node) bool {
	_, fragment, ok := strings.Cut(attr(n, "href"), "#")
	if !ok || fragment == "" {
		return false
	}
	return h != nil && (attr(h, "id") == fragment || attr(n, "id") == fragment || attr(n, "name") == fragment)
}

func isAnchorIcon(label string) bool {
	switch strings.ToLower(label) {
	case "link", "anchor", "permalink", "copy link":
		return true
	}
	return false
}

// editLinks are the class names of boxes with links to edit a section, which stand inside its heading.
var editLinks = set("mw-editsection", "editsection")
