package formats

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/srcset"
)

// copyOf copies what a mask keeps, with absolute addresses and each image at its best source.
func (d *DOM) copyOf(t *content.Tree, m content.Mask) copied {
	room := nodes.BorrowRoom()
	return copied{mask: m, doc: t.Copy(room, m, d.absolutise), room: room}
}

// absolutise makes the addresses of one element absolute. One that is no URL stays as it is, and all do when the
// page's own is not known.
func (d *DOM) absolutise(n *html.Node) {
	if n.DataAtom == atom.Img {
		if src := srcset.Best(n); src != "" {
			nodes.SetAttr(n, "src", src)
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

// repairScheme repairs "http:/host", a common slip.
func repairScheme(ref string) string {
	ref = strings.TrimSpace(ref)
	for _, scheme := range []string{"http:/", "https:/"} {
		if nodes.HasPrefixFold(ref, scheme) && len(ref) > len(scheme) && ref[len(scheme)] != '/' {
			return scheme + "/" + ref[len(scheme):]
		}
	}
	return ref
}

// absoluteSet makes the addresses of a srcset absolute.
func (d *DOM) absoluteSet(set string) string {
	list := srcset.Split(set)
	parts := make([]string, 0, len(list))
	for _, c := range list {
		u := c.URL
		if abs := d.absolute(u); abs != "" {
			u = abs
		}
		switch size := strconv.FormatFloat(c.Size, 'g', -1, 64); {
		case !c.Density:
			u += " " + size + "w"
		case c.Size != 1:
			u += " " + size + "x"
		}
		parts = append(parts, u)
	}
	return strings.Join(parts, ", ")
}
