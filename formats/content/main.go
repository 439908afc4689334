package content

import (
	"slices"

	"golang.org/x/net/html"
)

// Main returns a mask that keeps the main content of what m keeps. If in doubt it keeps: when the
// rules would take away nearly everything they are tried again without those that go by names, and at last not at all.
// m is not changed.
func (t *Tree) Main(m Mask) Mask {
	stats := t.measure(m)
	root := t.root(m, stats)
	for _, named := range []bool{true, false} {
		if out := t.clean(m, stats, root, named); t.enough(out, stats[root]) {
			return out
		}
	}
	if whole := slices.Clone(m); root != 0 {
		t.focus(whole, root, stats)
		return whole
	}
	return m
}

// clean applies the rules under root; named says whether those by class and id are among them.
func (t *Tree) clean(m Mask, stats []stat, root int, named bool) Mask {
	out := slices.Clone(m)
	t.focus(out, root, stats)
	t.removeBoilerplate(out, stats, root, named)
	t.removeLinkLists(out, root)
	return out
}

// keepShare is the least share of the root's words outside links, in percent, that must be left.
const keepShare = 25

func (t *Tree) enough(out Mask, root stat) bool {
	words, free := int32(0), int32(0)
	t.Each(out, func(i int, _ *html.Node) {
		e := &t.nodes[i]
		words += e.words
		if !e.inLink {
			free += e.words
		}
	})
	return atLeast(free, root.words-root.linkWords, keepShare) && (words > 0 || root.words == 0)
}
