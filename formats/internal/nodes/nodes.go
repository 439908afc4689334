// Package nodes answers small questions about the nodes of a page and the texts in them, and makes nodes.
//
//	nodes.go  the questions
//	room.go   Room: where the nodes of a page lie
package nodes

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Find is the first element of a kind, else nil.
func Find(n *html.Node, a atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.DataAtom == a && d.Namespace == "" {
			return d
		}
	}
	return nil
}

// Attr is the value of an attribute; "" where there is none.
func Attr(n *html.Node, key string) string {
	v, _ := Lookup(n, key)
	return v
}

// Lookup is the value of an attribute, and whether there is one.
func Lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// SetAttr sets an attribute, or adds it.
func SetAttr(n *html.Node, key, val string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			n.Attr[i].Val = val
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

// All are the nodes below n in the order of the page, each one a step. A node that is visited may lose what is below it.
func All(steps *walk.Steps, n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for c := n.FirstChild; c != nil; c = after(c, n) {
			steps.Visit()
			if !yield(c) {
				return
			}
		}
	}
}

// after is the node that comes after c below n; nil for none.
func after(c, n *html.Node) *html.Node {
	if c.FirstChild != nil {
		return c.FirstChild
	}
	return beside(c, n)
}

// beside is the node below n that comes after all that is below c; nil for none.
func beside(c, n *html.Node) *html.Node {
	for ; c != nil && c != n; c = c.Parent {
		if c.NextSibling != nil {
			return c.NextSibling
		}
	}
	return nil
}

// New makes an element with texts in it.
func New(a atom.Atom, text ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for _, s := range text {
		n.AppendChild(&html.Node{Type: html.TextNode, Data: s})
	}
	return n
}

// Has reports an attribute, also an empty one.
func Has(n *html.Node, key string) bool {
	_, ok := Lookup(n, key)
	return ok
}

// IsUnseen reports what is never part of cleaned HTML: the head, scripts, styles and what is for pages without them.
func IsUnseen(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Meta, atom.Noscript, atom.Style, atom.Script, atom.Template, atom.Link, atom.Title, atom.Base:
		return n.Namespace == "" // an svg has titles and styles of its own
	}
	return false
}

// EachSeen visits what is not unseen below n.
func EachSeen(steps *walk.Steps, n *html.Node, visit func(*html.Node)) {
	for c := n.FirstChild; c != nil; {
		steps.Visit()
		if IsUnseen(c) {
			c = beside(c, n)
			continue
		}
		visit(c)
		c = after(c, n)
	}
}

// Names is a set.
func Names(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, name := range list {
		m[name] = true
	}
	return m
}

// HasPrefixFold reports whether a value begins with a prefix, in any case of its ASCII letters.
func HasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// Fold trims a text and folds its white space to single spaces.
func Fold(s string) string {
	if isFolded(s) { // as most texts are
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// AppendFolded appends a text in which each row of white space is one space, none where b is empty or ends in one.
func AppendFolded(b []byte, s string) []byte {
	for from := 0; from < len(s); {
		to, size := NextFold(s, from)
		b = append(b, s[from:to]...)
		if size > 0 && len(b) > 0 && b[len(b)-1] != ' ' {
			b = append(b, ' ')
		}
		from = to + size
	}
	return b
}

// NextFold is where folding changes a text next, at white space: it goes over single blanks between ASCII characters. size is the bytes of
// one; 0 at the end of the text.
func NextFold(s string, from int) (at, size int) {
	for i := from; i < len(s); i++ {
		if !beginsSpace[s[i]] {
			continue
		}
		if i > from && i+1 < len(s) && s[i] == ' ' && s[i+1] > ' ' && s[i+1] < utf8.RuneSelf {
			i++
		} else if r, size := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
			return i, size
		}
	}
	return len(s), 0
}

// beginsSpace are the bytes that white space begins with; those of more than one byte begin other characters too.
var beginsSpace = func() (bytes [1 << 8]bool) {
	for r := range rune(0x3001) {
		if unicode.IsSpace(r) {
			bytes[string(r)[0]] = true
		}
	}
	return bytes
}()

// isFolded reports a text that is as Fold makes it. It may miss one that isn't ASCII.
func isFolded(s string) bool {
	space := true
	for i := range len(s) {
		c := s[i]
		if c >= '\t' && c <= '\r' || c == ' ' && space || c == 0xC2 || c >= 0xE1 && c <= 0xE3 { // these begin other white space
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

// IsAddress reports a web or mail address.
func IsAddress(s string) bool {
	if strings.ContainsAny(s, " \t<") {
		return false
	}
	return HasPrefixFold(s, "http://") || HasPrefixFold(s, "https://") || HasPrefixFold(s, "mailto:") ||
		strings.Contains(s, "@") && strings.Contains(s[strings.IndexByte(s, '@'):], ".")
}

// LooksAddressed distinguishes an address from a name.
func LooksAddressed(s string) bool {
	return strings.Contains(s, "://") || HasPrefixFold(s, "www.") || strings.HasPrefix(s, "/")
}
