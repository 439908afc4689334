package traps

import (
	"cmp"
	"slices"
	"sync"
)

// maxPatterns bounds the patterns that a Guard knows: when there are more, those that were used least lately are forgotten.
const maxPatterns = 2048

// Verdict is how much an address is worth.
type Verdict int

// The verdicts.
const (
	Fetch Verdict = iota // as any other
	Later                // when there is nothing better to do
	Leave                // not any more
)

// Guard is what a crawl has learnt of patterns. Its memory is bounded: 2048 patterns, with up to 512 blocks of text, links or pages each.
// The same pages in the same order make the same verdicts. Safe for concurrent use.
type Guard struct {
	mu       sync.Mutex
	patterns map[form]*pattern
	ended    chan struct{} // closed when a page has ended
	turn     uint64
	doubts   int // patterns that are doubtful by their pages
}

// doubt is 1 for a pattern that is doubtful by its pages.
func doubt(p *pattern) int {
	if 2*p.run >= p.limit() {
		return 1
	}
	return 0
}

// New returns a Guard that knows nothing.
func New() *Guard { return &Guard{patterns: map[form]*pattern{}, ended: make(chan struct{})} }

// Judge reports what an address is worth that was found on a page, both absolute and normalized.
func (g *Guard) Judge(href, from string) Verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.doubts == 0 && !repeatsIn(href) { // as most crawls are all the time
		return Fetch
	}
	a := readAddress(href)
	v, _ := g.judge(href, g.formsOf(&a, from))
	return v
}

// Left counts an address that was left out for its pattern.
func (g *Guard) Left(href, from string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := readAddress(href)
	if _, p := g.judge(href, g.formsOf(&a, from)); p != nil {
		p.Left++
	}
}

// judge goes by the worst of the address's patterns; p is the one that is to be left.
func (g *Guard) judge(href string, forms []form) (v Verdict, p *pattern) {
	for _, f := range forms {
		p := g.patterns[f]
		if f.kind == Repeat {
			v = Later
		}
		switch {
		case p == nil:
		case p.left() && !p.maySample(href):
			return Leave, p
		case p.doubtful():
			v = Later
		}
	}
	return v, nil
}

// Note takes in what came of an address.
func (g *Guard) Note(page Page) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.weigh(page)
	defer g.noteCircle(e)
	for _, f := range g.formsOf(&e.at, e.From) {
		p := g.pattern(f)
		g.doubts -= doubt(p)
		e.noteIn(p)
		g.doubts += doubt(p)
	}
}

func (g *Guard) pattern(f form) *pattern {
	p := g.patterns[f]
	if p == nil {
		g.makeRoom()
		p = &pattern{Pattern: Pattern{Kind: f.kind, Name: f.name}}
		g.patterns[f] = p
	}
	g.turn++
	p.used = g.turn
	return p
}

// makeRoom forgets a quarter of the patterns when there are too many.
func (g *Guard) makeRoom() {
	if len(g.patterns) < maxPatterns {
		return
	}
	list := g.sorted(func(a, b *pattern) int {
		if a.left() != b.left() { // what was left stays longest
			return map[bool]int{false: -1, true: 1}[a.left()]
		}
		return cmp.Compare(a.used, b.used)
	})
	for _, p := range list[:maxPatterns/4] {
		g.doubts -= doubt(p)
		delete(g.patterns, form{p.Kind, p.Name})
	}
}

func (g *Guard) sorted(by func(a, b *pattern) int) []*pattern {
	list := make([]*pattern, 0, len(g.patterns))
	for _, p := range g.patterns {
		list = append(list, p)
	}
	slices.SortFunc(list, by)
	return list
}
