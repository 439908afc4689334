package traps

// maxLeads bounds the links that are looked up for one page.
const maxLeads = 50

// evidence is a page while it is judged.
type evidence struct {
	Page
	at      address
	leads   []address // links to pages that the crawl doesn't know, and that are in no doubt
	deeper  bool      // it leads to where its path repeats itself once more
	unknown bool      // nothing can be said of its text
}

func (g *Guard) weigh(p Page) *evidence {
	e := &evidence{Page: p, at: readAddress(p.Address)}
	e.unknown = !p.Missing && (p.Sketch == nil || p.Sketch.Digest == 0)
	e.deeper = e.at.repeats > 0 && e.leadsDeeper()
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
	own := e.at.forms[0]
	for _, link := range e.Links {
		if a := readAddress(link); a.in(own) && len(a.parts) > len(e.at.parts) {
			return true
		}
	}
	return false
}

// undoubted are the links to addresses of no doubtful pattern, some of them.
func (g *Guard) undoubted(links []string) (out []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, link := range links {
		if len(out) == maxLeads {
			break
		}
		if v, _ := g.judge(link); v == Fetch {
			out = append(out, link)
		}
	}
	return out
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

// isNew reports what the page is to a pattern; ok is false where it says nothing.
func (e *evidence) isNew(p *pattern) (isNew, ok bool) {
	switch {
	case p.Kind == Repeat && e.deeper: // its text doesn't count: any text can be made without end
	case e.unknown:
		return false, false
	case e.repeated():
	case !p.compares():
		return true, true
	case p.adds(e.Sketch.Blocks):
		return true, true
	}
	return e.leadsOut(form{p.Kind, p.Name}), true
}
