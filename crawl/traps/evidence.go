package traps

import (
	"slices"
	"strings"
)

const (
	maxLinks = 300 // that are looked at on one page
	maxStale = 3   // pages of known text in a row that make a pattern stale
)

// evidence is a page while it is judged.
type evidence struct {
	Page
	at     address
	links  []address // to addresses that are in no doubt; where they count
	deeper bool      // its path repeats itself, and it leads to a longer one
	empty  bool      // it held nothing new for a pattern before
}

func (g *Guard) weigh(p Page) *evidence {
	e := &evidence{Page: p, at: readAddress(p.Address)}
	e.deeper = e.at.repeats && e.leadsDeeper()
	if e.repeated() || e.at.compared() {
		e.links = g.undoubted(p.Links)
	}
	return e
}

// unknown: nothing can be said of its text.
func (e *evidence) unknown() bool { return !e.Missing && (e.Sketch == nil || e.Sketch.Digest == 0) }

// repeated reports a page whose text is another's.
func (e *evidence) repeated() bool { return e.Missing || e.Seen }

// compared reports an address of a pattern that looks at blocks of texts.
func (a *address) compared() bool {
	return slices.ContainsFunc(a.forms, func(f form) bool { return f.kind.compares() })
}

func (e *evidence) leadsDeeper() bool {
	own := strings.TrimSuffix(e.Address, "/") + "/"
	return slices.ContainsFunc(e.Links, func(link string) bool { return len(link) > len(own) && strings.HasPrefix(link, own) })
}

// undoubted are the links that are worth a request and not stale, some of them.
func (g *Guard) undoubted(links []string) (out []address) {
	for _, link := range links[:min(len(links), maxLinks)] {
		a := readAddress(link)
		if v, _ := g.judge(link, a.forms); v == Fetch && !g.stale(&a) {
			out = append(out, a)
		}
	}
	return out
}

// stale reports an address of which the last pages like it had nothing but known text: what leads there holds nothing new by that. Else
// two such pages would vouch for each other.
func (g *Guard) stale(a *address) bool {
	return slices.ContainsFunc(a.forms, func(f form) bool {
		p := g.patterns[f]
		return p != nil && f.kind != Circle && p.stale >= maxStale
	})
}

// noteIn takes the page in as one of a pattern, unless nothing can be said of it. Patterns come in their order: the pages of a calendar
// without events have texts without end, and would make a circle that they lead to one that holds something.
func (e *evidence) noteIn(p *pattern) {
	switch {
	case p.Kind == Repeat && e.deeper, p.Kind == Circle && e.empty: // its text doesn't count: any text can be made without end
		p.note(false)
		e.empty = true
		return
	case e.unknown():
		return
	case !e.repeated() && (!p.Kind.compares() || p.adds(e.Sketch.Blocks)):
		p.stale = 0
		if p.Kind != Circle {
			p.adds(e.linksOut(p))
		}
		p.note(true)
		return
	}
	p.stale++
	leadsOn := p.Kind != Circle && e.isPage() && p.adds(e.linksOut(p))
	p.note(leadsOn)
	e.empty = e.empty || !leadsOn
}

// noteCircle makes a page without a new text one whose links are of its host's circle: a site where such pages lead to each other goes in
// circles, whatever their addresses look like.
func (g *Guard) noteCircle(e *evidence) {
	if !e.repeated() {
		return
	}
	p := g.pattern(e.at.circle())
	p.adds([]uint32{uint32(hash(e.Address)), uint32(hash(e.URL))})
}

func (a *address) circle() form { return form{Circle, a.host} }

// formsOf are the patterns of an address that was found on a page.
func (g *Guard) formsOf(a *address, from string) []form {
	if p := g.patterns[a.circle()]; p != nil && p.blocks[uint32(hash(from))] {
		return append(a.forms, a.circle())
	}
	return a.forms
}

// isPage: neither its status nor its text says that it is none.
func (e *evidence) isPage() bool { return !e.Missing && !e.Sketch.NotFound }

// linksOut are the hashes of the links that lead out of a pattern.
func (e *evidence) linksOut(p *pattern) (out []uint32) {
	f := form{p.Kind, p.Name}
	for i := range e.links {
		if !slices.Contains(e.links[i].forms, f) {
			out = append(out, e.links[i].hash)
		}
	}
	return out
}
