package css

import (
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Selector is a group of selectors, of which an element has to match one. It is safe for concurrent use.
type Selector struct {
	group  []chain
	memory int // kinds of answers that are remembered
}

// chain is one selector: compounds with combinators between them, the first at index 0.
type chain struct {
	parts []part
	above int // of part k the answers for elements above are remembered under above+k
}

// part is one compound of a chain.
type part struct {
	combinator byte         // what joins it to the part before: ' ', '>', '+' or '~'
	local      cascadia.Sel // what concerns an element alone; nil for any
	tests      []test
}

// test is a condition that looks at other elements.
type test func(m *Matching, n *html.Node) bool

// Matching is a Selector on one tree that doesn't change. It is not safe for concurrent use.
type Matching struct {
	selector *Selector
	steps    *walk.Steps
	known    []map[*html.Node]bool
	texts    *texts
	places   map[*html.Node]place
}

// Over begins to match elements of one tree. The nodes that are looked at are counted by steps, which may be nil, and matching is left
// when their context ends: see package walk.
func (s *Selector) Over(steps *walk.Steps) *Matching {
	return &Matching{selector: s, steps: steps, known: make([]map[*html.Node]bool, s.memory)}
}

// Match reports whether a node is an element that the selector means.
func (m *Matching) Match(n *html.Node) bool { return m.any(m.selector.group, n) }

func (m *Matching) any(group []chain, n *html.Node) bool {
	for i := range group {
		if c := &group[i]; m.match(c, len(c.parts)-1, n) {
			return true
		}
	}
	return false
}

// match reports whether n is what part k of a chain means, all before it included.
func (m *Matching) match(c *chain, k int, n *html.Node) bool {
	p := &c.parts[k]
	if n.Type != html.ElementNode || p.local != nil && !p.local.Match(n) {
		return false
	}
	for _, t := range p.tests {
		if !t(m, n) {
			return false
		}
	}
	if k == 0 {
		return true
	}
	switch p.combinator {
	case '>':
		m.steps.Visit()
		return n.Parent != nil && m.match(c, k-1, n.Parent)
	case '+':
		before := elementBefore(m.steps, n)
		return before != nil && m.match(c, k-1, before)
	case '~':
		return m.along(c, k-1, n, func(n *html.Node) *html.Node { return n.PrevSibling })
	}
	return m.along(c, k-1, n, func(n *html.Node) *html.Node { return n.Parent })
}

func elementBefore(steps *walk.Steps, n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && (n.Type == html.TextNode || n.Type == html.CommentNode); n = n.PrevSibling {
		steps.Visit()
	}
	return n
}

// along reports whether one of the nodes that next leads to is what part k means. What is known of one on the way is known of all
// before it.
func (m *Matching) along(c *chain, k int, n *html.Node, next func(*html.Node) *html.Node) bool {
	var way []*html.Node
	found := false
	for n = next(n); n != nil && !found; n = next(n) {
		m.steps.Visit()
		answer, known := m.known[c.above+k][n]
		if known {
			found = answer
			break
		}
		way = append(way, n)
		found = m.match(c, k, n)
	}
	for _, n := range way {
		m.learn(c.above+k, n, found)
	}
	return found
}

func (m *Matching) learn(what int, n *html.Node, answer bool) {
	if m.known[what] == nil {
		m.known[what] = make(map[*html.Node]bool)
	}
	m.known[what][n] = answer
}
