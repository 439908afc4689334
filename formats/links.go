package formats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// once collects texts without repetition, in order.
type once struct {
	seen map[string]bool
	list []string
}

func newOnce() *once { return &once{seen: make(map[string]bool), list: []string{}} }

func (o *once) add(s string) {
	if s != "" && !o.seen[s] {
		o.seen[s] = true
		o.list = append(o.list, s)
	}
}

// pageLinks are the links of a whole page, and those with routes within it, which are the same list where there are none.
type pageLinks struct{ plain, routed []string }

// allLinks are the links of the whole page, for which no list of nodes has to be made.
func (d *DOM) allLinks() (plain, routed []string) {
	if d.all == nil {
		found, routes := newOnce(), false
		nodes.EachSeen(d.steps, d.doc, func(n *html.Node) { routes = d.addLink(found, n) || routes })
		all := &pageLinks{found.list, found.list}
		if routes {
			all.routed = d.routedLinks()
		}
		d.all = all
	}
	return d.all.plain, d.all.routed
}

// routedLinks are the links of the whole page and the routes within it.
func (d *DOM) routedLinks() []string {
	found := newOnce()
	nodes.EachSeen(d.steps, d.doc, func(n *html.Node) {
		if d.addLink(found, n) {
			found.add(d.absolute(nodes.Attr(n, "href")))
		}
	})
	return found.list
}

// links are the addresses of a[href] that the mask keeps: http, https and mailto, absolute, each once.
func (d *DOM) links(t *content.Tree, m content.Mask) []string {
	found := newOnce()
	t.Each(m, func(_ int, n *html.Node) { d.addLink(found, n) })
	return found.list
}

// addLink adds where an element leads to, and reports a route within the page, which it doesn't add.
func (d *DOM) addLink(found *once, n *html.Node) (route bool) {
	if n.DataAtom != atom.A && n.DataAtom != atom.Area {
		return false
	}
	href, ok := nodes.Lookup(n, "href")
	if !ok {
		return false
	}
	found.add(d.link(href))
	href = strings.TrimSpace(href)
	return strings.HasPrefix(href, "#/") || strings.HasPrefix(href, "#!/")
}

// link resolves one href; "" for what leads into the same page or to no page.
func (d *DOM) link(href string) string {
	href = repairScheme(href)
	if href == "" || href[0] == '#' || nodes.HasPrefixFold(href, "javascript:") || nodes.HasPrefixFold(href, "data:") {
		return ""
	}
	abs := d.absolute(href)
	if isWeb(abs) || strings.HasPrefix(abs, "mailto:") {
		return abs
	}
	return ""
}
