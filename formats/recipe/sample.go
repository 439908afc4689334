package recipe

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// detail is how much of a page is shown.
type detail struct {
	text     int // characters of one text
	siblings int // of the same name and classes
	depth    int
}

// maxMetas bounds the meta elements that are shown: they are all alike and all different.
const maxMetas = 40

// details from the most to the least.
var details = []detail{{120, 3, 60}, {60, 3, 60}, {30, 2, 60}, {16, 2, 40}, {16, 1, 24}, {0, 1, 16}, {0, 1, 8}}

// Sample is the skeleton of a page in at most limit bytes, for choosing selectors: elements as
// CSS writes them, with ids, classes, informative attributes and the beginnings of texts, indented by
// depth. Of siblings that are alike only the first are shown, with how many there are. What a
// reader doesn't see by the page's own words is left out, scripts and styles too; meta elements
// are there. A page that is too large in any detail is cut.
func Sample(root *html.Node, limit int) string {
	var s sampler
	for _, d := range details {
		s = sampler{detail: d, limit: limit}
		s.children(root, 0)
		if !s.full {
			break
		}
	}
	return s.b.String()
}

type sampler struct {
	detail
	limit int
	full  bool
	b     strings.Builder
}

// line writes one; false when there is no room left.
func (s *sampler) line(depth int, text string) bool {
	if s.b.Len()+depth+len(text)+1 > s.limit {
		s.full = true
		return false
	}
	s.b.WriteString(strings.Repeat(" ", depth) + text + "\n")
	return true
}

func (s *sampler) children(n *html.Node, depth int) {
	if depth > s.depth || s.full {
		return
	}
	seen, order := map[string]int{}, []string(nil)
	for c := n.FirstChild; c != nil && !s.full; c = c.NextSibling {
		if c.Type != html.ElementNode || unseen(c) {
			continue
		}
		key := c.Data + "." + attr(c, "class")
		most := s.siblings
		if c.DataAtom == atom.Meta {
			key, most = "meta", maxMetas
		}
		if seen[key]++; seen[key] > most {
			continue
		}
		if seen[key] == 1 {
			order = append(order, key)
		}
		if !s.line(depth, s.element(c)) {
			return
		}
		s.children(c, depth+1)
	}
	for _, key := range order {
		if more := seen[key] - s.siblings; more > 0 && key != "meta" {
			s.line(depth, fmt.Sprintf("… %d more like %s", more, clip(strings.TrimSuffix(strings.Join(strings.Fields(key), "."), "."), 80)))
		}
	}
}

// element as CSS, with what it says itself.
func (s *sampler) element(n *html.Node) string {
	var b strings.Builder
	b.WriteString(clip(n.Data, 40))
	if id := strings.TrimSpace(attr(n, "id")); id != "" {
		b.WriteString("#" + clip(id, 60))
	}
	classes := strings.Fields(attr(n, "class"))
	for _, class := range classes[:min(len(classes), 6)] {
		b.WriteString("." + clip(class, 40))
	}
	for _, a := range n.Attr {
		if informative(a.Key) && b.Len() < 400 {
			fmt.Fprintf(&b, "[%s=%q]", clip(a.Key, 40), clip(nodes.Fold(a.Val), max(s.text/2, 8)))
		}
	}
	if text := clip(ownText(n), s.text); text != "" {
		fmt.Fprintf(&b, " %q", text)
	}
	return b.String()
}

// informative reports attributes that hold values, or show what an element is for.
func informative(key string) bool {
	switch key {
	case "itemprop", "itemtype", "property", "typeof", "name", "content", "role", "href", "src", "datetime", "value", "title", "alt", "rel", "aria-label":
		return true
	}
	return strings.HasPrefix(key, "data-")
}

// ownText of an element, without that of the elements in it.
func ownText(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil && b.Len() < 1000; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(clip(c.Data, 1000) + " ")
		}
	}
	return nodes.Fold(b.String())
}

// unseen reports elements that readers don't see.
func unseen(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Link, atom.Base:
		return true
	}
	style := strings.ToLower(strings.ReplaceAll(clip(attr(n, "style"), 1000), " ", ""))
	return hasAttr(n, "hidden") || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") || strings.EqualFold(attr(n, "aria-hidden"), "true")
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// clip keeps n characters of a text.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
