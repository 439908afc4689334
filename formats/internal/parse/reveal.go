package parse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/srcset"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// maxTwin is how many bytes of a noscript element are looked at for a picture.
const maxTwin = 16 << 10

// revealImages gives pictures that a script would load later the address that the noscript element beside them has for readers
// without scripts. A picture that stands nowhere else is put before its noscript element. Those that only count readers are left.
func revealImages(steps *walk.Steps, noscripts []*html.Node) {
	for _, n := range noscripts {
		raw := n.FirstChild.Data
		if n.Parent == nil || len(raw) > maxTwin || !strings.Contains(raw, "<img") {
			continue
		}
		twin := onlyImage(steps, raw)
		if twin == nil || nodes.Attr(twin, "src") == "" || isCounter(twin) {
			continue
		}
		switch img := imageBeside(n); {
		case img != nil && isPlaceholder(img):
			nodes.SetAttr(img, "src", nodes.Attr(twin, "src"))
			if set := nodes.Attr(twin, "srcset"); set != "" {
				nodes.SetAttr(img, "srcset", set)
			}
			if nodes.Attr(img, "alt") == "" {
				nodes.SetAttr(img, "alt", nodes.Attr(twin, "alt"))
			}
		case img == nil && nodes.Attr(twin, "alt") != "":
			twin.Parent.RemoveChild(twin)
			n.Parent.InsertBefore(twin, n)
		}
	}
}

// onlyImage is the picture in the text of a noscript element that holds one picture and no text.
func onlyImage(steps *walk.Steps, raw string) *html.Node {
	parts := parseFragment(steps, raw)
	box := nodes.New(atom.Div)
	for _, p := range parts {
		box.AppendChild(p)
	}
	var img *html.Node
	for n := range nodes.All(steps, box) {
		switch {
		case n.Type == html.TextNode && strings.TrimSpace(n.Data) != "", n.DataAtom == atom.Iframe, n.DataAtom == atom.Img && img != nil:
			return nil
		case n.DataAtom == atom.Img:
			img = n
		}
	}
	return img
}

// isCounter reports a picture that is not meant to be seen.
func isCounter(img *html.Node) bool {
	for _, key := range []string{"width", "height"} {
		if v := strings.TrimSuffix(strings.TrimSpace(nodes.Attr(img, key)), "px"); v == "0" || v == "1" {
			return true
		}
	}
	style := strings.ReplaceAll(strings.ToLower(nodes.Attr(img, "style")), " ", "")
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// imageBeside is the picture next to n, in the element before or after it, or nil.
func imageBeside(n *html.Node) *html.Node {
	if img := imageIn(besides(n, func(s *html.Node) *html.Node { return s.PrevSibling })); img != nil {
		return img
	}
	return imageIn(besides(n, func(s *html.Node) *html.Node { return s.NextSibling }))
}

// besides is the first sibling on one side that is no blank text; a few steps are enough.
func besides(n *html.Node, step func(*html.Node) *html.Node) *html.Node {
	s := n
	for range 4 {
		if s = step(s); s == nil {
			return nil
		}
		if s.Type == html.ElementNode && s.DataAtom != atom.Noscript || s.Type == html.TextNode && strings.TrimSpace(s.Data) != "" {
			return s
		}
	}
	return nil
}

func imageIn(n *html.Node) *html.Node {
	if n == nil || n.Type != html.ElementNode {
		return nil
	}
	if n.DataAtom == atom.Img {
		return n
	}
	steps := 0
	for d := range n.Descendants() {
		if steps++; d.DataAtom == atom.Img {
			return d
		}
		if steps > 16 {
			break
		}
	}
	return nil
}

// isPlaceholder reports a picture without an address of its own.
func isPlaceholder(img *html.Node) bool {
	src := strings.TrimSpace(nodes.Attr(img, "src"))
	return (src == "" || nodes.HasPrefixFold(src, "data:") || nodes.HasPrefixFold(src, "about:")) && srcset.Best(img) == ""
}

// pictureSource gives a picture without an address that of the sources its picture element offers.
func pictureSource(img *html.Node) {
	p := img.Parent
	if p == nil || p.DataAtom != atom.Picture || !isPlaceholder(img) {
		return
	}
	steps := 0
	for c := p.FirstChild; c != nil && steps < 16; c = c.NextSibling {
		if steps++; c.DataAtom != atom.Source {
			continue
		}
		if src := srcset.Best(c); src != "" {
			nodes.SetAttr(img, "src", src)
			return
		}
	}
}

// revealFormulas makes elements of the formulas that MathJax keeps in scripts, which no format shows.
func revealFormulas(steps *walk.Steps, doc *html.Node) {
	for n := range nodes.All(steps, doc) {
		if !isFormula(n) {
			continue
		}
		display := "inline"
		if strings.Contains(strings.ToLower(nodes.Attr(n, "type")), "mode=display") {
			display = "block"
		}
		n.DataAtom, n.Data, n.Namespace = atom.Math, "math", "math"
		n.Attr = []html.Attribute{{Key: "display", Val: display}, {Key: "data-source", Val: "script"}}
		meaning := &html.Node{Type: html.ElementNode, Data: "semantics", Namespace: "math"}
		note := &html.Node{Type: html.ElementNode, Data: "annotation", Namespace: "math", Attr: []html.Attribute{{Key: "encoding", Val: "application/x-tex"}}}
		if source := n.FirstChild; source != nil {
			n.RemoveChild(source)
			note.AppendChild(source)
		}
		meaning.AppendChild(note)
		n.AppendChild(meaning)
	}
}

// isFormula reports a script that is one.
func isFormula(n *html.Node) bool {
	return n.DataAtom == atom.Script && nodes.HasPrefixFold(strings.TrimSpace(nodes.Attr(n, "type")), "math/tex")
}
