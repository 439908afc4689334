package formats

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/content"
)

// copyOf copies what a mask keeps, with absolute addresses and each image at its best source.
func (d *DOM) copyOf(t *content.Tree, m content.Mask) *html.Node {
	return t.Copy(m, d.absolutise)
}

// absolutise makes the addresses of one element absolute. One that is no URL stays as it is, and all do when the
// page's own is not known.
func (d *DOM) absolutise(n *html.Node) {
	if n.DataAtom == atom.Img {
		if src := bestSource(n); src != "" {
			setAttr(n, "src", src)
		}
	}
	if d.base == nil {
		return
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "href", "src", "poster", "cite", "action", "data":
			if a.Key == "data" && n.DataAtom != atom.Object || a.Val == "" {
				continue
			}
			if abs := d.absolute(repairScheme(a.Val)); abs != "" {
				a.Val = abs
			}
		case "srcset":
			a.Val = d.absoluteSet(a.Val)
		}
	}
}

func setAttr(n *html.Node, key, val string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			n.Attr[i].Val = val
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

// repairScheme repairs "http:/host", a common slip.
func repairScheme(ref string) string {
	ref = strings.TrimSpace(ref)
	for _, scheme := range []string{"http:/", "https:/"} {
		if hasPrefixFold(ref, scheme) && len(ref) > len(scheme) && ref[len(scheme)] != '/' {
			return scheme + "/" + ref[len(scheme):]
		}
	}
	return ref
}

// lazySources are the attributes in which pages keep an image's address until it is scrolled to.
var lazySources = []string{"data-src", "data-original", "data-lazy-src"}

// bestSource chooses an image's address: the largest candidate of srcset or data-srcset, where with
// densities only src counts as 1x; else data-src and its kin; where src is no address any other attribute for a script; "" when
// src is all there is.
func bestSource(n *html.Node) string {
	for _, key := range []string{"srcset", "data-srcset", "data-lazy-srcset"} {
		if v := attr(n, key); v != "" {
			if best := largest(candidates(v), attr(n, "src")); best != "" {
				return best
			}
		}
	}
	for _, key := range lazySources {
		if v := strings.TrimSpace(attr(n, key)); v != "" {
			return v
		}
	}
	if src := strings.TrimSpace(attr(n, "src")); src == "" || hasPrefixFold(src, "data:") {
		return laterSource(n)
	}
	return ""
}

// laterSource is the address in an attribute by which a site's own script knows where a picture is: one whose name ends with src or
// srcset. Other scripts have an expression there.
func laterSource(n *html.Node) string {
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		ref := ""
		switch {
		case key == "src" || key == "srcset" || strings.Contains(key, ":"):
		case strings.HasSuffix(key, "srcset"):
			ref = largest(candidates(a.Val), "")
		case strings.HasSuffix(key, "src"):
			ref = strings.TrimSpace(a.Val)
		}
		if strings.Contains(ref, "/") && !strings.ContainsAny(ref, " \"'{}<>") && !hasPrefixFold(ref, "data:") {
			return ref
		}
	}
	return ""
}

// candidate is one entry of a srcset: an address with a width in pixels or a density.
type candidate struct {
	url     string
	size    float64
	density bool
}

// candidates splits a srcset. Addresses may hold commas, so one ends at white space or at a comma
// followed by white space.
func candidates(set string) []candidate {
	var out []candidate
	for {
		set = strings.TrimLeft(set, " \t\r\n\f,")
		if set == "" {
			return out
		}
		end := strings.IndexAny(set, " \t\r\n\f")
		if end < 0 {
			end = len(set)
		}
		u, rest := set[:end], set[end:]
		c := candidate{url: strings.TrimRight(u, ","), size: 1, density: true}
		if c.url == u {
			var descriptor string
			descriptor, rest, _ = strings.Cut(rest, ",")
			c.describe(strings.TrimSpace(descriptor))
		}
		out = append(out, c)
		set = rest
	}
}

func (c *candidate) describe(s string) {
	if s == "" {
		return
	}
	v, err := strconv.ParseFloat(s[:len(s)-1], 64)
	if err != nil || v != v {
		return
	}
	switch s[len(s)-1] {
	case 'w':
		c.size, c.density = v, false
	case 'x':
		c.size = v
	}
}

func largest(list []candidate, src string) string {
	best, onlyDensities := candidate{}, true
	for _, c := range list {
		onlyDensities = onlyDensities && c.density
		if c.size > best.size && !hasPrefixFold(c.url, "data:") {
			best = c
		}
	}
	if onlyDensities && src != "" && best.size <= 1 && !hasPrefixFold(src, "data:") {
		return src
	}
	return best.url
}

// absoluteSet makes the addresses of a srcset absolute.
func (d *DOM) absoluteSet(set string) string {
	list := candidates(set)
	parts := make([]string, 0, len(list))
	for _, c := range list {
		u := c.url
		if abs := d.absolute(u); abs != "" {
			u = abs
		}
		switch size := strconv.FormatFloat(c.size, 'g', -1, 64); {
		case !c.density:
			u += " " + size + "w"
		case c.size != 1:
			u += " " + size + "x"
		}
		parts = append(parts, u)
	}
	return strings.Join(parts, ", ")
}
