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
		if v, _ := g.judge(link, &a); v == Fetch && !g.stale(&a) {
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
		return p != nil && f.kind != Folder && p.stale >= maxStale
	})
}

// noteIn takes the page in as one of a pattern, unless nothing can be said of it.
func (e *evidence) noteIn(p *pattern) {
	switch {
	case p.isHost() && e.repeated():
		e.noteInHost(p)
		return
	case p.Kind == Repeat && e.deeper: // its text doesn't count: any text can be made without end
		p.note(false)
		return
	case e.unknown():
		return
	case !e.repeated() && (!p.Kind.compares() || p.adds(e.Sketch.Blocks)):
		p.stale = 0
		p.adds(e.linksOut(p))
		p.note(true)
		return
	}
	p.stale++
	p.note(e.isPage() && p.adds(e.linksOut(p)))
}

// noteInHost takes a page without a new text in as one of its host. Since much is lost with a host, it counts only if it was found on
// another such page: a site where these lead to each other goes in circles, while those that many pages lead to may be few.
func (e *evidence) noteInHost(p *pattern) {
	if p.blocks[uint32(hash(e.From))] {
		p.note(false)
	}
	p.adds([]uint32{e.at.hash})
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
