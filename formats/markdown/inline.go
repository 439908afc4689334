package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unwrapInline takes away elements that mean nothing in Markdown, and emphasis around nothing, and
// cleans the texts. Fewer nodes make the writer faster.
func unwrapInline(root *html.Node) {
	inCode := root.DataAtom == atom.Code || root.DataAtom == atom.Pre || root.Data == verbatimInline || root.Data == verbatimBlock
	for c := root.FirstChild; c != nil; {
		next := c.NextSibling
		switch c.Type {
		case html.TextNode:
			c.Data = clean(c.Data)
			if !inCode {
				c.Data = escapeEntities(c.Data)
			}
		case html.ElementNode:
			unwrapInline(c)
			if isPlain(c) && !has(c, isBlock) || isEmphasis(c) && isEmpty(c) && c.DataAtom != atom.Code || c.DataAtom == atom.Code && c.FirstChild == nil {
				unwrap(c)
			}
		default:
			remove(c)
		}
		c = next
	}
	mergeTexts(root)
}

func isPlain(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Span, atom.Font, atom.Label, atom.Abbr, atom.Acronym, atom.Bdi, atom.Bdo, atom.Time, atom.Data, atom.Small, atom.Big, atom.U, atom.Ins, atom.Mark,
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

// mergeTexts joins neighbouring texts, in one go so that many of them cost linear time.
func mergeTexts(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
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

// escapeEntities keeps a text that spells an entity, such as "&lt;", from being read as one.
func escapeEntities(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('&')
		if isEntity(after) {
			b.WriteString("amp;")
		}
		s = after
	}
}

// isEntity reports a name or number with a semicolon, as they follow "&" in an entity.
func isEntity(s string) bool {
	const longest = 32
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 2 {
		return false
	}
	return strings.IndexFunc(strings.TrimPrefix(s[:end], "#"), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) < 0
}

// clean takes out characters that no text needs and that the writer uses as marks of its own.
func clean(s string) string {
	if strings.IndexFunc(s, isMark) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isMark(r) {
			return -1
		}
		return r
	}, s)
}

func isMark(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7F || r >= '\uF000' && r <= '\uF00F' || r == '\u200B' || r == '\uFEFF' || r == '\u00AD'
}
