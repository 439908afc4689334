package content

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rootShare is the least share of the page's words, in percent, that an element must hold to be
// taken for the one with the content, whatever it is called.
const rootShare = 30

// rootProse is the least share of the page's prose, in percent, that it must hold.
const rootProse = 30

// root is the index of the element that clearly holds the content, else 0.
func (t *Tree) root(m Mask, stats []stat) int {
	for _, is := range []func(*html.Node) bool{isMain, hasContentID, isArticle} {
		if i := t.single(m, is); i > 0 && atLeast(stats[i].words, stats[0].words, rootShare) &&
			atLeast(stats[i].prose, stats[0].prose, rootProse) {
			return i
		}
	}
	return 0
}

// single is the index of the only outermost element that matches, else 0.
func (t *Tree) single(m Mask, is func(*html.Node) bool) int {
	found := 0
	for i := 0; i < len(t.nodes); i++ {
		t.steps.Visit()
		e := &t.nodes[i]
		switch {
		case m[i]:
			i = t.End(i) - 1
		case e.Type == html.ElementNode && is(e.Node):
			if found > 0 {
				return 0
			}
			found, i = i, t.End(i)-1
		}
	}
	return found
}

func isMain(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" }

func isArticle(n *html.Node) bool { return n.DataAtom == atom.Article || attr(n, "role") == "article" }

func hasContentID(n *html.Node) bool {
	switch attr(n, "id") {
	case "main", "content", "main-content", "maincontent", "main_content", "mainContent":
		return true
	}
	return false
}

// focus leaves out all but the node at index root and, when it has none of its own, the first h1
// before it: many pages put the title into a banner above the content.
func (t *Tree) focus(m Mask, root int, stats []stat) {
	if root == 0 {
		return
	}
	keep := []int{root}
	if stats[root].h1 == 0 {
		if h := t.firstH1(m, root); h > 0 {
			keep = append(keep, h)
		}
	}
	t.keepOnly(m, keep)
}

func (t *Tree) firstH1(m Mask, before int) int {
	for i := 0; i < before; i++ {
		t.steps.Visit()
		if m[i] {
			i = t.End(i) - 1
		} else if t.nodes[i].DataAtom == atom.H1 {
			return i
		}
	}
	return 0
}

// keepOnly leaves out every node that is neither in the subtrees of keep nor above them.
func (t *Tree) keepOnly(m Mask, keep []int) {
	t.steps.Add(2 * len(t.nodes))
	path := make([]bool, len(t.nodes))
	inside := make([]bool, len(t.nodes))
	for _, k := range keep {
		for i := k; i < t.End(k); i++ {
			inside[i] = true
		}
		for i := t.parent(k); i >= 0; i = t.parent(i) {
			path[i] = true
		}
	}
	for i := range t.nodes {
		if !inside[i] && !path[i] {
			m[i] = true
		}
	}
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}
