// Package srcset finds the best address of a picture.
package srcset

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// LazyKeys are the attributes in which pages keep an image's address until it is scrolled to.
var LazyKeys = []string{"data-src", "data-original", "data-lazy-src"}

// Best chooses an image's address: the largest candidate of srcset or data-srcset, where with
// densities only src counts as 1x; else data-src and its kin; where src is no address any other attribute for a script; "" when
// src is all there is.
func Best(n *html.Node) string {
	for _, key := range []string{"srcset", "data-srcset", "data-lazy-srcset"} {
		if v := nodes.Attr(n, key); v != "" {
			if best := largest(Split(v), nodes.Attr(n, "src")); best != "" {
				return best
			}
		}
	}
	for _, key := range LazyKeys {
		if v := strings.TrimSpace(nodes.Attr(n, key)); v != "" {
			return v
		}
	}
	if src := strings.TrimSpace(nodes.Attr(n, "src")); src == "" || nodes.HasPrefixFold(src, "data:") {
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
			ref = largest(Split(a.Val), "")
		case strings.HasSuffix(key, "src"):
			ref = strings.TrimSpace(a.Val)
		}
		if strings.Contains(ref, "/") && !strings.ContainsAny(ref, " \"'{}<>") && !nodes.HasPrefixFold(ref, "data:") {
			return ref
		}
	}
	return ""
}

// candidate is one entry of a srcset: an address with a width in pixels or a density.
type candidate struct {
	URL     string
	Size    float64
	Density bool
}

// Split splits a srcset. Addresses may hold commas, so one ends at white space or at a comma
// followed by white space.
func Split(set string) []candidate {
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
		c := candidate{URL: strings.TrimRight(u, ","), Size: 1, Density: true}
		if c.URL == u {
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
		c.Size, c.Density = v, false
	case 'x':
		c.Size = v
	}
}

func largest(list []candidate, src string) string {
	best, onlyDensities := candidate{}, true
	for _, c := range list {
		onlyDensities = onlyDensities && c.Density
		if c.Size > best.Size && !nodes.HasPrefixFold(c.URL, "data:") {
			best = c
		}
	}
	if onlyDensities && src != "" && best.Size <= 1 && !nodes.HasPrefixFold(src, "data:") {
		return src
	}
	return best.URL
}

// maxPixels is the largest width or height that is believed.
const maxPixels = 1 << 20

// Pixels is the width and height of the file at ref, which an image is shown with at width × height. 0 is unknown.
func Pixels(n *html.Node, ref string, width, height int) (int, int) {
	scale := 1.0
	for _, key := range []string{"srcset", "data-srcset", "data-lazy-srcset"} {
		for _, c := range Split(nodes.Attr(n, key)) {
			switch {
			case c.URL != ref || ref == strings.TrimSpace(nodes.Attr(n, "src")):
			case c.Density:
				scale = c.Size
			case width == 0 || height == 0:
				return believed(c.Size), 0
			default:
				scale = c.Size / float64(width)
			}
		}
	}
	return believed(float64(width) * scale), believed(float64(height) * scale)
}

func believed(pixels float64) int {
	if pixels < 1 || pixels > maxPixels {
		return 0
	}
	return int(pixels + 0.5)
}
