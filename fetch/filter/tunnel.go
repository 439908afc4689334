package filter

import (
	"slices"
	"strings"
)

// MatchHost reports whether a host may be refused as a whole, as for a CONNECT
// tunnel, of which only the host is known. It is careful: only rules count that are
// for all of a host and every type of subresource ("||ads.com^"), and none does
// when an exception names a URL, path or type on this host, or lets something
// through on this page. Exceptions without "important" don't override a rule
// that has it.
//
// An exception that names neither a host nor a page ("@@/banner.js") is about paths
// anywhere and doesn't count here: else one such line would end all blocking of
// hosts. An exception for everything ("@@*$image") does.
//
// An empty pageHost stands for host, as in Request.
func (s *Set) MatchHost(host, pageHost string) bool {
	return s.matchHost(host, pageHost, &s.reach)
}

// MatchWholeHost is MatchHost for callers that pass requests to Match before: exceptions about paths anywhere count too, so that what Match
// lets through is never on a host that this refuses.
func (s *Set) MatchWholeHost(host, pageHost string) bool {
	careful := s.reach
	careful.open = s.reach.anywhere
	return s.matchHost(host, pageHost, &s.reach) && s.matchHost(host, pageHost, &careful)
}

func (s *Set) matchHost(host, pageHost string, reach *reach) bool {
	host = normalHost(host)
	p, ok := s.newProbe("https://"+host+"/", pageHost, defaultTypes)
	if !ok {
		return false
	}
	if s.importantBlocks.wide(p) {
		return !reach.concerns(p, true)
	}
	return s.blocks.wide(p) && !reach.concerns(p, false) && s.pageException(p.page, 1<<Document) == nil
}

// wide reports whether a rule blocks all of the probe's host.
func (x *index) wide(p *probe) bool {
	for name := p.host(); name != ""; name = parentHost(name) {
		for _, r := range x.buckets[hash(name)^hostSalt] {
			if r.wideHost() == name && r.onPage(p) {
				return true
			}
		}
	}
	return false
}

// reach holds the hosts that exceptions may concern, by some URL or other.
type reach struct {
	at    map[string][]*rule // by the host that a rule names
	below map[string][]*rule // by each parent of such a host
	open  []*rule            // rules whose host is not a name: "@@||ads.", "@@*$image"

	anywhere []*rule // about paths anywhere: "@@/banner.js"
}

func newReach() reach {
	return reach{at: map[string][]*rule{}, below: map[string][]*rule{}}
}

// add takes an exception for subresources.
func (c *reach) add(r *rule) {
	if r.types&defaultTypes == 0 {
		return
	}
	name, whole := r.pattern.host()
	if !whole || !isHostName(name) {
		if name != "" || r.domains.named || r.pattern.literals() == 0 && r.regex == nil {
			c.open = append(c.open, r)
		} else {
			c.anywhere = append(c.anywhere, r)
		}
		return
	}
	name = lowerASCII(name)
	c.at[name] = append(c.at[name], r)
	for name = parentHost(name); name != ""; name = parentHost(name) {
		c.below[name] = append(c.below[name], r)
	}
}

// concerns reports whether an exception may let through some URL of the probe's host
// on its page; only of important ones if important is set.
func (c *reach) concerns(p *probe, important bool) bool {
	for name := p.host(); name != ""; name = parentHost(name) {
		if anyCounts(c.at[name], p, important) {
			return true
		}
	}
	for _, r := range c.open {
		if mayBegin(r, p.host()) && r.counts(p, important) {
			return true
		}
	}
	return false
}

// concernsBelow is concerns for the hosts below the probe's, as far as exceptions
// name them.
func (c *reach) concernsBelow(p *probe, important bool) bool {
	return anyCounts(c.below[p.host()], p, important)
}

func anyCounts(rules []*rule, p *probe, important bool) bool {
	return slices.ContainsFunc(rules, func(r *rule) bool { return r.counts(p, important) })
}

func (r *rule) counts(p *probe, important bool) bool {
	return (r.important || !important) && r.onPage(p)
}

// mayBegin reports whether a host can begin as the rule's pattern does, at any of its
// labels.
func mayBegin(r *rule, host string) bool {
	start, _ := r.pattern.host()
	start = lowerASCII(start)
	for ; host != ""; host = parentHost(host) {
		if strings.HasPrefix(host, start) {
			return true
		}
	}
	return start == ""
}
