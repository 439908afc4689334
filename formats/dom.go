package formats

import (
	"context"
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/pagedata"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// DOM is one parsed page. Its methods never change it, but it caches their results,
// so what they return must not be changed, and it is not safe for concurrent use. Each method returns soon after its
// context ends, with the context's error.
type DOM struct {
	steps *walk.Steps // of the question that is being answered

	src  Source
	kind kind
	doc  *html.Node   // of HTML
	room *nodes.Room  // that it lies in
	text string       // of all other kinds
	base *weburl.Base // nil when the page's address is none

	tree   *content.Tree  // of doc
	unseen content.Mask   // what no format shows: head, scripts, styles
	found  *content.Found // the main content; nil until it is needed

	said   Metadata      // set before all formats
	isRead bool          // it is set
	all    *pageLinks    // nil until they are needed
	data   pagedata.Data // what scripts and attributes hold as JSON
}

// under makes the steps that count what is done under a context; their Catch has to be deferred.
func (d *DOM) under(ctx context.Context) *walk.Steps {
	d.steps = walk.New(ctx)
	if d.tree != nil {
		d.tree.Watch(d.steps)
	}
	return d.steps
}

// Free passes the memory of the tree on to pages that are parsed later, which saves the garbage collector work. Nothing has to be freed.
// Afterwards the DOM can't be used: a method that needs the tree panics. What its methods have returned stays, but for holes.
func (d *DOM) Free() {
	if d.tree != nil {
		d.tree.Free()
	}
	if d.room != nil {
		d.room.GiveBack()
	}
	*d = DOM{src: d.src, kind: d.kind}
}

// nodes are all of the page.
func (d *DOM) nodes() iter.Seq[*html.Node] { return nodes.All(d.steps, d.doc) }

// setBase resolves the base href against the page's address. An invalid one counts as none.
func (d *DOM) setBase(href string) error {
	page, err := weburl.NewBase(d.src.URL)
	if err != nil {
		return nil // relative links are left out; the caller checks addresses
	}
	d.base = page
	if href == "" {
		return nil
	}
	if abs, err := page.Resolve(href); err == nil && isWeb(abs) {
		if b, err := weburl.NewBase(abs); err == nil {
			d.base = b
		}
	}
	return nil
}

// baseHref is the href of the first base element that has one.
func (d *DOM) baseHref() string {
	for n := range d.nodes() {
		if n.DataAtom == atom.Base {
			if href := strings.TrimSpace(nodes.Attr(n, "href")); href != "" {
				return href
			}
		}
	}
	return ""
}

func isWeb(href string) bool {
	return strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://")
}

// absolute resolves a reference of the page; "" when it is no URL.
func (d *DOM) absolute(ref string) string {
	ref = strings.TrimSpace(ref)
	if d.src.Kept[ref] || nodes.HasPrefixFold(ref, "data:") || nodes.HasPrefixFold(ref, "blob:") {
		return ref // may be megabytes, and stands for itself
	}
	var abs string
	var err error
	if d.base != nil {
		abs, err = d.base.Resolve(ref)
	} else {
		abs, err = weburl.Parse(ref)
	}
	if err != nil {
		return ""
	}
	return abs
}

// list returns the page as a list of nodes, made when first needed.
func (d *DOM) list() (*content.Tree, content.Mask) {
	if d.tree == nil {
		t := content.NewTree(d.steps, d.doc)
		d.unseen = content.UnseenMask(t)
		d.tree = t
	}
	return d.tree, d.unseen
}

// Text is the text of the whole page that a reader sees, white space folded to single spaces.
func (d *DOM) Text(ctx context.Context) (_ string, err error) {
	defer d.under(ctx).Catch(&err)
	return d.wholeText(), nil
}

func (d *DOM) wholeText() string {
	if d.kind != kindHTML {
		return strings.Join(strings.Fields(d.text), " ")
	}
	t, unseen := d.list()
	return t.Text(unseen)
}

// MainText is the text of the main content that a reader sees, white space folded to single spaces.
// Of a page that is no HTML it is all text.
func (d *DOM) MainText(ctx context.Context) (_ string, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return d.wholeText(), nil
	}
	t, _ := d.list()
	return t.Text(d.mainMask()), nil
}

// Links are the links of the whole page, as the links format gives them without onlyMainContent, and those to routes of the page's own
// scripts ("#/…", "#!/…").
func (d *DOM) Links(ctx context.Context) (_ []string, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return d.textLinks(), nil
	}
	_, routed := d.allLinks()
	return routed, nil
}

// isSelf reports whether an address is that of the page, whatever its fragment.
func (d *DOM) isSelf(address string) bool {
	if address == "" {
		return false
	}
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		return strings.TrimSuffix(s, "/")
	}
	return plain(d.absolute(address)) == plain(d.absolute(d.src.URL))
}

// subject is what JSON-LD says that the page is about; nil when it says nothing.
func (d *DOM) subject() *pagedata.Item { return d.data.Subject(d.said.Title, d.isSelf) }
