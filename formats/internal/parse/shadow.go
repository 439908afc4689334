package parse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// maxShadowDepth is how deep in the page shadow trees are opened: the parser stops deeper nesting, which moving parts into one
// another could bring about again.
const maxShadowDepth = 300

// openShadows puts declared shadow trees (<template shadowrootmode="…">) in the place of what they hide, as a browser shows them: the
// children of their host go into their slots.
func openShadows(steps *walk.Steps, n *html.Node, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		steps.Add(2) // with the look for a template
		if c.Type != html.ElementNode {
			continue
		}
		if t := shadowOf(c); t != nil && depth < maxShadowDepth {
			openShadow(steps, c, t)
		}
		openShadows(steps, c, depth+1)
	}
}

// shadowOf is the template of an element's shadow tree, nil for none.
func shadowOf(host *html.Node) *html.Node {
	for c := range host.ChildNodes() {
		if c.DataAtom == atom.Template && c.Namespace == "" {
			switch strings.ToLower(nodes.Attr(c, "shadowrootmode")) {
			case "open", "closed": // a reader sees both
				return c
			}
		}
	}
	return nil
}

// openShadow replaces the children of a host by its shadow tree, filled with them.
func openShadow(steps *walk.Steps, host, template *html.Node) {
	host.RemoveChild(template)
	given := make(map[string][]*html.Node) // by name of slot
	for host.FirstChild != nil {
		steps.Visit()
		c := host.FirstChild
		host.RemoveChild(c)
		name := ""
		if c.Type == html.ElementNode {
			name = nodes.Attr(c, "slot")
		}
		given[name] = append(given[name], c)
	}
	fillSlots(steps, template, given)
	for template.FirstChild != nil {
		c := template.FirstChild
		template.RemoveChild(c)
		host.AppendChild(c)
	}
}

// fillSlots puts the given nodes into the first slot of their name. What is in a slot already stays where nothing is given. The
// slots of inner shadow trees are theirs.
func fillSlots(steps *walk.Steps, n *html.Node, given map[string][]*html.Node) {
	for c := range n.ChildNodes() {
		steps.Visit()
		switch {
		case c.Type != html.ElementNode || c.DataAtom == atom.Template:
		case c.Data == "slot" && hasContent(given[nodes.Attr(c, "name")]):
			name := nodes.Attr(c, "name")
			for c.FirstChild != nil {
				c.RemoveChild(c.FirstChild)
			}
			for _, g := range given[name] {
				c.AppendChild(g)
			}
			delete(given, name)
		default:
			fillSlots(steps, c, given)
		}
	}
}

func hasContent(list []*html.Node) bool {
	for _, n := range list {
		if n.Type == html.ElementNode || n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return true
		}
	}
	return false
}
