package formats

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// maxHoles is how many holes of a page are looked at: the first.
const maxHoles = 500

// Hole is an element of a page that holds nothing, or only a sign that something is to come, and that scripts could fill.
type Hole struct {
	// Name is what it is known by: "#price", "tbody.stock", "post-list".
	Name string
	// Loader is the attribute or the element that says that a library fills it by itself: "hx-get", "x-for", "astro-island";
	// "" for all others.
	Loader string
	node   *html.Node
}

// PageScript is a script of a page that is run.
type PageScript struct {
	Src    string // absolute; "" for an inline one
	Inline string
	Module bool
}

// Holes returns the places of the page that scripts could fill, in its order, at most 500. Hidden ones, icons, forms and what is
// known to hold no content (carts, consent, advertisements, comments and the like) are left out. A body without HTML has none.
func (d *DOM) Holes(ctx context.Context) (_ []Hole, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return nil, nil
	}
	t, unseen := d.list()
	h := holeFinder{tree: t, apart: apartness{}}
	for i := 0; i < t.Len() && len(h.holes) < maxHoles; i++ {
		d.steps.Visit()
		if n := t.Node(i); n.Type == html.ElementNode && (!unseen[i] || isLeftToClient(n)) {
			h.look(i, n)
		}
	}
	return h.holes, nil
}

// Scripts returns the scripts of the page, in its order.
func (d *DOM) Scripts(ctx context.Context) (_ []PageScript, err error) {
	defer d.under(ctx).Catch(&err)
	var list []PageScript
	for n := range d.nodes() {
		if n.DataAtom != atom.Script || n.Namespace != "" || !runs(nodes.Attr(n, "type")) {
			continue
		}
		src, inline := scriptOf(n)
		s := PageScript{Inline: inline, Module: strings.EqualFold(nodes.Attr(n, "type"), "module")}
		if src != "" {
			s.Src, s.Inline = d.absolute(src), ""
		}
		if s.Src != "" || s.Inline != "" {
			list = append(list, s)
		}
	}
	return list, nil
}

// Handlers returns the code in attributes that is run without an act of a reader: onload, and what Alpine runs.
func (d *DOM) Handlers(ctx context.Context) (_ []string, err error) {
	defer d.under(ctx).Catch(&err)
	var list []string
	for n := range d.nodes() {
		for i := range n.Attr {
			switch n.Attr[i].Key {
			case "onload", "onpageshow", "x-init", "x-data", "x-effect":
				list = append(list, n.Attr[i].Val)
			}
		}
	}
	return list, nil
}

// StyleHosts returns the hosts of the page's style sheets and of what it preloads, each once: they serve its bundles too.
func (d *DOM) StyleHosts(ctx context.Context) (_ []string, err error) {
	defer d.under(ctx).Catch(&err)
	var hosts []string
	for n := range d.nodes() {
		if n.DataAtom != atom.Link {
			continue
		}
		switch strings.ToLower(nodes.Attr(n, "rel")) {
		case "stylesheet", "modulepreload", "preload":
			if host := weburl.Host(d.absolute(nodes.Attr(n, "href"))); host != "" && !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
	}
	return hosts, nil
}
