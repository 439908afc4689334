package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropUnseen removes what Markdown has no place for.
func dropUnseen(root *html.Node) {
	walk(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Embed, atom.Svg,
			atom.Canvas, atom.Datalist, atom.Select, atom.Textarea, atom.Link, atom.Meta, atom.Wbr:
			remove(n)
			return false
		case atom.Img:
			if strings.TrimSpace(attr(n, "src")) == "" {
				remove(n)
			}
		}
		return true
	})
}

// dropNoise removes anchors of headings, links that skip to the content and links that hold nothing,
// and takes the link off what leads nowhere.
func dropNoise(root *html.Node) {
	walk(root, func(n *html.Node) bool {
		if n.DataAtom != atom.A {
			return true
		}
		label := strings.TrimSpace(textOf(n))
		image := has(n, isImage)
		switch {
		case label == "" && !image, isSkipLink(n, label), !image && isHeadingAnchor(n, label):
			remove(n)
			return false
		case leadsNowhere(attr(n, "href")):
			unwrapInto(n)
			return false
		}
		return true
	})
}

// unwrapInto takes a link away but goes on inside it.
func unwrapInto(n *html.Node) {
	rename(n, atom.Span)
	dropNoise(n)
}

func isImage(n *html.Node) bool { return n.DataAtom == atom.Img && attr(n, "src") != "" }

func leadsNowhere(href string) bool {
	href = strings.ToLower(strings.TrimSpace(href))
	return href == "" || strings.HasSuffix(href, "#") || strings.HasPrefix(href, "javascript:")
}

// isSkipLink reports "Skip to content" and its kin, which lead to a place in the page.
func isSkipLink(n *html.Node, label string) bool {
	label = strings.ToLower(label)
	return strings.Contains(attr(n, "href"), "#") &&
		(strings.HasPrefix(label, "skip to ") || strings.HasPrefix(label, "jump to content")) && len(label) < 40
}

// isHeadingAnchor reports a link inside or beside a heading that only gives the heading's own address.
func isHeadingAnchor(n *html.Node, label string) bool {
	if !strings.Contains(attr(n, "href"), "#") || strings.IndexFunc(label, unicode.IsLetter) >= 0 && !isAnchorIcon(label) {
		return false
	}
	if strings.IndexFunc(label, unicode.IsDigit) >= 0 {
		return false // a footnote
	}
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return true
		}
	}
	return label == "#" || label == "¶" || label == "§"
}

func isAnchorIcon(label string) bool {
	switch strings.ToLower(label) {
	case "link", "anchor", "permalink", "copy link":
		return true
	}
	return false
}
