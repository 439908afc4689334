package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropUnseen removes what Markdown has no place for and puts links and titles where there is something to tell.
func dropUnseen(root *html.Node) {
	walk(root, func(n *html.Node) bool {
		if n.DataAtom == 0 && ownNames[n.Data] {
			rename(n, atom.Span)
		}
		if replaceMath(n) {
			return false
		}
		switch n.DataAtom {
		case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Canvas, atom.Datalist, atom.Select, atom.Textarea,
			atom.Link, atom.Meta, atom.Wbr, atom.Noembed, atom.Noframes:
			remove(n)
			return false
		case atom.Img:
			if strings.TrimSpace(attr(n, "src")) == "" {
				remove(n)
			}
			return false
		case atom.Iframe, atom.Frame, atom.Embed, atom.Video, atom.Audio, atom.Svg:
			replaceMedia(n)
			return false
		case atom.Object:
			replaceMedia(n)
		}
		return true
	})
}

// ownNames are the elements that the passes make for the writer. A page's own of these names are none.
var ownNames = set(taskBox, cellBreak, verbatimInline, verbatimBlock, footnote)

// dropNoise removes anchors of headings, links that skip to the content and links that hold nothing,
// and takes the link off what leads nowhere.
func dropNoise(root *html.Node) {
	if firstSeen(root) == nil {
		keepEmptyLinks(root)
		return
	}
	dropNoiseIn(root)
}

func dropNoiseIn(root *html.Node) {
	walk(root, func(n *html.Node) bool {
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
		label := strings.TrimSpace(textOf(n))
		image := has(n, isImage)
		switch {
		case label == "" && !image, isSkipLink(n, label), !image && isHeadingAnchor(n, label):
			remove(n)
			return false
		case leadsNowhere(n), isSelfLink(n):
			unwrapInto(n)
			return false
		}
		return true
	})
}

// firstSeen is the first text or image below n.
func firstSeen(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && !isBlank(c) || isImage(c) {
			return c
		}
		if found := firstSeen(c); found != nil {
			return found
		}
	}
	return nil
}

// keepEmptyLinks keeps the links in paragraphs of a page that has nothing else: they are no noise beside anything.
func keepEmptyLinks(root *html.Node) {
	walk(root, func(n *html.Node) bool {
		if n.DataAtom == atom.A && n.Parent.DataAtom == atom.P && !leadsNowhere(n) {
			clearChildren(n)
			n.AppendChild(verbatim(verbatimInline, ""))
		}
		return true
	})
}

// unwrapInto takes a link away but goes on inside it.
func unwrapInto(n *html.Node) {
	rename(n, atom.Span)
	dropNoiseIn(n)
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

// isHeadingAnchor reports a link inside a heading that only gives the heading's own address, or its sign elsewhere.
func isHeadingAnchor(n *html.Node, label string) bool {
	fragment := fragmentOf(n)
	if fragment != "" && followsItsHeading(n, fragment) {
		return true
	}
	if !strings.Contains(attr(n, "href"), "#") || strings.IndexFunc(label, unicode.IsDigit) >= 0 && !hasToken(n, anchors) {
		return false // with a digit it may be a footnote
	}
	h := headingOf(n)
	if h == nil {
		return label == "#" || label == "¶" || label == "§"
	}
	if strings.IndexFunc(label, unicode.IsLetter) < 0 || isAnchorIcon(label) {
		return true
	}
	return (hasToken(n, anchors) || attr(n, "aria-hidden") == "true") && hasTextBeside(h, n)
}

// followsItsHeading reports a link right behind the heading that it leads to, or in a box behind it.
func followsItsHeading(n *html.Node, fragment string) bool {
	for range 3 {
		s := n.PrevSibling
		for s != nil && isBlank(s) {
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

// hasTextBeside reports whether there is text below h that is not in n.
func hasTextBeside(h, n *html.Node) bool {
	for c := h.FirstChild; c != nil; c = c.NextSibling {
		if c != n && (c.Type == html.TextNode && !isBlank(c) || hasTextBeside(c, n)) {
			return true
		}
	}
	return false
}

// anchors are the class names of links that give a heading's address.
var anchors = set("anchor", "headerlink", "header-anchor", "heading-anchor", "anchor-link", "anchorjs-link", "hash-link", "permalink", "heading-link", "direct-link")

func headingOf(n *html.Node) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if isHeading(p) {
			return p
		}
	}
	return nil
}

// isSelfLink reports a link around a heading's text to the heading itself.
func isSelfLink(n *html.Node) bool {
	_, fragment, ok := strings.Cut(attr(n, "href"), "#")
	if !ok || fragment == "" {
		return false
	}
	h := headingOf(n)
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
