package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What a style hides is content where something on the page opens it, as tabs and accordions. Else it is a layer that a script shows
// at some time, a second copy, or data for a script.

// isConcealed reports a part that no reader sees, and that nothing on the page opens, on a page whose title is elsewhere.
func (p *page) isConcealed(i int) bool {
	n, s, whole := p.nodes[i].Node, &p.stats[i], &p.stats[0]
	st := attr(n, "style")
	if st == "" || s.words == 0 || !hides(st) || n.DataAtom == atom.Body || s.h1 > 0 || whole.h1 == 0 || s.specs > 0 {
		return false
	}
	return layered(n)
}

// layered reports an element that is named after what is laid over a page.
func layered(n *html.Node) bool {
	names := strings.ToLower(attr(n, "class") + " " + attr(n, "id"))
	for _, part := range layerNames {
		if strings.Contains(names, part) {
			return true
		}
	}
	return false
}

// layerNames are parts of such names.
var layerNames = []string{"drawer", "modal", "popup", "pop-up", "overlay", "dialog", "lightbox", "offcanvas", "off-canvas", "terms", "legal", "cookie", "consent", "newsletter"}

// isData reports an element whose text is JSON: settings for a script.
func (p *page) isData(at int) bool {
	for i := at; i < min(p.End(at), at+farOff); i++ {
		p.steps.Visit()
		if e := &p.nodes[i]; e.words > 0 {
			text := strings.TrimSpace(e.Data)
			return strings.HasPrefix(text, `{"`) || strings.HasPrefix(text, `[{`)
		}
	}
	return false
}

// opensAtClick reports a part that shows when something is clicked: a tab, an accordion, the rest of a long text.
func (p *page) opensAtClick(at int) bool {
	n := p.nodes[at].Node
	if isTab(n) || attr(n, "aria-labelledby") != "" || n.DataAtom == atom.Li || n.DataAtom == atom.Dd || n.DataAtom == atom.Tr {
		return true
	}
	if id := attr(n, "id"); id != "" && p.controlled(id) {
		return true
	}
	names := strings.ToLower(attr(n, "class") + " " + attr(n, "id"))
	for _, part := range openingNames {
		if strings.Contains(names, part) {
			return true
		}
	}
	return false
}

// openingNames are parts of the names of such elements.
var openingNames = []string{"tab", "accordion", "collaps", "panel", "toggle", "expand", "faq", "answer", "more", "detail", "descri", "spec", "content", "truncat", "spoiler", "slide", "step"}

// controlled reports that a link or button of the page refers to the element with an id.
func (p *page) controlled(id string) bool {
	if p.targets == nil {
		p.targets = p.controlTargets()
	}
	return p.targets[id]
}

// controlTargets are the ids that links and buttons refer to.
func (p *page) controlTargets() map[string]bool {
	ids := make(map[string]bool)
	for i := range p.nodes {
		p.steps.Visit()
		if p.nodes[i].Type != html.ElementNode {
			continue
		}
		for k := range p.nodes[i].Attr {
			switch a := &p.nodes[i].Attr[k]; a.Key {
			case "aria-controls":
				ids[a.Val] = true
			case "href", "data-target", "data-bs-target":
				if id, ok := strings.CutPrefix(a.Val, "#"); ok {
					ids[id] = true
				}
			}
		}
	}
	return ids
}

func hides(style string) bool {
	_, v, ok := strings.Cut(style, "display")
	return ok && strings.HasPrefix(strings.TrimLeft(v, " :"), "none")
}
