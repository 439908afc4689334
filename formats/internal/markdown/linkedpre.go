package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// keepLinkedText writes a preformatted text with links in it as HTML, which keeps both its lines and its links; a fence would lose
// the links. It is not for code: readers don't miss the links that documentation tools put into it.
func (w *work) keepLinkedText(pre *html.Node) bool {
	if !w.has(pre, w.isLinkWithText) || language(pre) != "" || w.has(pre, func(n *html.Node) bool { return n.DataAtom == atom.Code }) {
		return false
	}
	t := linkedText{work: w}
	t.children(pre)
	if t.letters < 20*t.signs || t.letters == 0 {
		return false
	}
	body := strings.Trim(t.b.String(), "\n")
	pre.Parent.InsertBefore(verbatim(verbatimBlock, "<pre>"+body+"</pre>"), pre)
	remove(pre)
	return true
}

func (w *work) isLinkWithText(n *html.Node) bool {
	return n.DataAtom == atom.A && !leadsNowhere(n) && !w.isVoid(n)
}

// linkedText writes text and links as HTML and counts the signs that distinguish code from other texts.
type linkedText struct {
	*work
	b       strings.Builder
	letters int
	signs   int // of code
}

func (w *linkedText) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		switch {
		case c.Type == html.TextNode:
			w.text(c.Data)
		case c.DataAtom == atom.Br:
			w.b.WriteByte('\n')
		case w.isLinkWithText(c):
			w.b.WriteString(`<a href="` + attributeText.Replace(strings.TrimSpace(attr(c, "href"))) + `">`)
			w.children(c)
			w.b.WriteString("</a>")
		case c.Type == html.ElementNode:
			w.children(c)
		}
	}
}

var attributeText = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\n", "", "\r", "")

func (w *linkedText) text(s string) {
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			w.letters++
		case strings.ContainsRune("{};=<>", r):
			w.signs++
		}
		switch r {
		case '&':
			w.b.WriteString("&amp;")
		case '<':
			w.b.WriteString("&lt;")
		case '>':
			w.b.WriteString("&gt;")
		default:
			w.b.WriteRune(r)
		}
	}
}
