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

// links are the addresses of a[href] that the mask keeps: http, https and mailto, absolute, each once.
func (d *DOM) links(t *content.Tree, m content.Mask) []string {
	found := newOnce()
	t.Each(m, func(_ int, n *html.Node) { d.addLink(found, n, false) })
	return found.list
}

// addLink adds where an element leads to, routes within the page on request.
func (d *DOM) addLink(found *once, n *html.Node, routes bool) {
	if n.DataAtom != atom.A && n.DataAtom != atom.Area {
		return
	}
	href, ok := nodes.Lookup(n, "href")
	if !ok {
		return
	}
	if route := strings.TrimSpace(href); routes && (strings.HasPrefix(route, "#/") || strings.HasPrefix(route, "#!/")) {
		found.add(d.absolute(route))
		return
	}
	found.add(d.link(href))
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
