package traps

import (
	"slices"
	"strings"
)

// maxLeads bounds the links that are looked up for one page.
const maxLeads = 50

// maxStale is how many pages of known text in a row make a pattern stale.
const maxStale = 3

// evidence is a page while it is judged.
type evidence struct {
	Page
	at      address
	leads   []address // links to pages that the crawl doesn't know, and that are in no doubt
	deeper  bool      // its path repeats itself, and it leads to a longer one
	unknown bool      // nothing can be said of its text
}

func (g *Guard) weigh(p Page) *evidence {
	e := &evidence{Page: p, at: readAddress(p.Address)}
	e.unknown = !p.Missing && (p.Sketch == nil || p.Sketch.Digest == 0)
	e.deeper = e.at.repeats && e.leadsDeeper()
	if p.Unclaimed != nil && (e.repeated() || e.deeper || e.at.compared()) {
		for _, link := range p.Unclaimed(g.undoubted(p.Links)) {
			e.leads = append(e.leads, readAddress(link))
		}
	}
	return e
}

// repeated reports a page whose text is another's.
func (e *evidence) repeated() bool { return e.Missing || e.Seen }

// compared reports an address of a pattern that looks at blocks of texts.
func (a *address) compared() bool {
	for _, f := range a.forms {
		if f.kind == Calendar || f.kind == Query {
			return true
		}
	}
	return false
}

func (e *evidence) leadsDeeper() bool {
	own := strings.TrimSuffix(e.Address, "/") + "/"
	return slices.ContainsFunc(e.Links, func(link string) bool { return len(link) > len(own) && strings.HasPrefix(link, own) })
}

// undoubted are the links to addresses of no doubtful pattern, some of them.
func (g *Guard) undoubted(links []string) (out []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, link := range links {
		if len(out) == maxLeads {
			break
		}
		if v, _ := g.judge(link); v == Fetch && !g.stale(link) {
			out = append(out, link)
		}
	}
	return out
}

// stale reports an address of which the last pages like it had nothing but known text: what leads there is no lead. Else two such pages
// would vouch for each other.
func (g *Guard) stale(link string) bool {
	a := readAddress(link)
	return slices.ContainsFunc(a.forms, func(f form) bool {
		p := g.patterns[f]
		return p != nil && f.kind != Folder && p.stale >= maxStale
	})
}

// leadsOut reports whether the page has a new link that isn't of the pattern.
func (e *evidence) leadsOut(f form) bool {
	for i := range e.leads {
		if !e.leads[i].in(f) {
			return true
		}
	}
	return false
}

// noteIn takes the page in as one of a pattern, unless nothing can be said of it.
func (e *evidence) noteIn(p *pattern) {
	switch {
	case p.Kind == Repeat && e.deeper: // its text doesn't count: any text can be made without end
	case e.unknown:
		return
	case !e.repeated() && (!p.compares() || p.adds(e.Sketch.Blocks)):
		p.stale = 0
		p.note(true)
		return
	}
	p.stale++
	p.note(e.leadsOut(form{p.Kind, p.Name}))
}
