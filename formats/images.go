package formats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/srcset"
)

// images are the addresses of all pictures that the mask keeps, and those that the head names, absolute,
// each once. Data and blob addresses are kept, javascript ones are not.
func (d *DOM) images(t *content.Tree, m content.Mask) []string {
	found := newOnce()
	add := func(ref string) {
		if ref = strings.TrimSpace(ref); ref != "" && !nodes.HasPrefixFold(ref, "javascript:") {
			found.add(d.absolute(ref))
		}
	}
	t.Each(m, func(_ int, n *html.Node) {
		if n.Type == html.ElementNode {
			imagesOf(n, add)
		}
	})
	for n := range d.nodes() {
		switch n.DataAtom {
		case atom.Meta:
			if isImageMeta(n) {
				add(nodes.Attr(n, "content"))
			}
		case atom.Link:
			if isImageLink(nodes.Attr(n, "rel")) || hasToken(nodes.Attr(n, "itemprop"), "image") {
				add(nodes.Attr(n, "href"))
			}
		}
	}
	return found.list
}

// imagesOf returns the addresses that one element of the body holds.
func imagesOf(n *html.Node, add func(string)) {
	switch n.DataAtom {
	case atom.Img:
		add(nodes.Attr(n, "src"))
		for _, key := range srcset.LazyKeys {
			add(nodes.Attr(n, key))
		}
		addSet(nodes.Attr(n, "srcset"), add)
		addSet(nodes.Attr(n, "data-srcset"), add)
		add(srcset.Best(n))
	case atom.Input:
		if strings.EqualFold(nodes.Attr(n, "type"), "image") {
			add(nodes.Attr(n, "src"))
		}
	case atom.Image: // of an svg: the parser makes img of others
		add(svgAddress(n))
	case atom.Source:
		if n.Parent != nil && n.Parent.DataAtom == atom.Picture {
			add(nodes.Attr(n, "src"))
			addSet(nodes.Attr(n, "srcset"), add)
			addSet(nodes.Attr(n, "data-srcset"), add)
		}
	case atom.Video:
		add(nodes.Attr(n, "poster"))
	}
	if style := nodes.Attr(n, "style"); style != "" {
		backgrounds(style, add)
	}
	if n.DataAtom != atom.Img && hasToken(nodes.Attr(n, "itemprop"), "image") {
		add(nodes.Attr(n, "content") + nodes.Attr(n, "href"))
	}
}

// svgAddress is where an image in an svg lies: href, or its older spelling in the namespace of XLink.
func svgAddress(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "href" && (a.Namespace == "" || a.Namespace == "xlink") {
			return a.Val
		}
	}
	return ""
}

func addSet(set string, add func(string)) {
	for _, c := range srcset.Split(set) {
		add(c.URL)
	}
}

// backgrounds finds url(…) in an inline style that sets a background.
func backgrounds(style string, add func(string)) {
	lower := lowerASCII(style)
	if !strings.Contains(lower, "background") {
		return
	}
	for {
		i := strings.Index(lower[len(lower)-len(style):], "url(")
		if i < 0 {
			return
		}
		style = style[i+len("url("):]
		if q := strings.TrimLeft(style, " "); q != "" && (q[0] == '"' || q[0] == '\'') {
			if close := strings.IndexByte(q[1:], q[0]); close >= 0 {
				add(q[1 : 1+close])
				style = q[1+close:]
				continue
			}
		}
		end := strings.IndexByte(style, ')')
		if end < 0 {
			return
		}
		add(strings.Trim(style[:end], ` "'`))
		style = style[end:]
	}
}

// lowerASCII is as long as s.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func isImageMeta(n *html.Node) bool {
	switch strings.ToLower(metaKey(n)) {
	case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "image":
		return true
	}
	return false
}

func isImageLink(rel string) bool {
	for r := range strings.FieldsSeq(strings.ToLower(rel)) {
		switch r {
		case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "image_src":
			return true
		}
	}
	return false
}
