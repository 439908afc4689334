package formats

import (
	"cmp"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/dates"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// timeReader collects what the visible page says of its dates.
type timeReader struct {
	published, modified string // by microdata or class
	plain               string // of a time element that says no more
	others              int    // how many of them say something else
	seen                int    // elements looked at
}

// read looks at one time element.
func (t *timeReader) read(n *html.Node) {
	t.seen++
	if t.seen > maxSeen {
		return
	}
	date := dates.ISO(nodes.Attr(n, "datetime"))
	if date == "" {
		return
	}
	switch what := nodes.Attr(n, "itemprop") + " " + nodes.Attr(n, "class"); {
	case hasToken(what, "dateModified") || hasToken(what, "updated") || hasToken(what, "dt-updated"):
		t.modified = cmp.Or(t.modified, date)
	case hasToken(what, "datePublished") || hasToken(what, "dateCreated") || hasToken(what, "published") || hasToken(what, "dt-published") || hasToken(what, "entry-date") || nodes.Has(n, "pubdate"):
		t.published = cmp.Or(t.published, date)
	case asideOf(n):
	case t.plain == "":
		t.plain = date
	case t.plain != date:
		t.others++
	}
}

// asideOf reports whether an element is part of what stands beside the content.
func asideOf(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.Nav, atom.Aside, atom.Footer, atom.Li:
			return true
		}
	}
	return false
}

// maxSeen bounds how many elements are looked at for dates.
const maxSeen = 200

// maxTimes is how many more dates a page may show for its first one to be its own: more are those of a list or of comments.
const maxTimes = 2

// addTimes fills the dates that neither meta elements nor JSON-LD gave.
func (r *metaReader) addTimes() {
	t := &r.times
	if t.published == "" && t.others <= maxTimes {
		t.published = t.plain
	}
	r.meta.PublishedTime = cmp.Or(r.meta.PublishedTime, t.published)
	r.meta.ModifiedTime = cmp.Or(r.meta.ModifiedTime, t.modified)
	if r.meta.Author == nil {
		r.meta.Author = addAuthor(nil, cmp.Or(r.byline, r.credit))
	}
}

// readDate reads a date that an element other than time gives by microdata.
func (r *metaReader) readDate(n *html.Node, itemprop string) {
	t := &r.times
	t.seen++
	field := map[string]*string{"datePublished": &t.published, "dateModified": &t.modified}[itemprop]
	if field != nil && *field == "" && t.seen <= maxSeen {
		*field = dates.ISO(cmp.Or(nodes.Attr(n, "content"), nodes.Attr(n, "datetime"), r.dom.textOf(n, longAuthor)))
	}
}
