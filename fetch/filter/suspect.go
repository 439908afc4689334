package filter

import (
	"cmp"
	"slices"
	"strings"
)

// Suspects says which requests of a page may be blocked by a rule that MatchHost doesn't know, so that a browser
// needs to hold only these until Match has judged them.
type Suspects struct {
	// Others: those to any other host than the page's own.
	Others bool
	// All: those to the page's own host too, each of them.
	All bool
	// Own: of those to the page's own host the ones whose address, in lower case, holds one of these texts.
	Own []string
}

// maxOwn bounds Suspects.Own; with more texts it is cheaper to judge every request.
const maxOwn = 800

// requestTypes are the types of what a page requests.
const requestTypes = everyType &^ (1 << Popup)

// suspects finds the rules that can block a request to a page's own host.
type suspects struct {
	narrow  int                // rules for less than a whole host, and exceptions
	byHost  map[string][]*rule // by the host that the rule names
	byPage  map[string][]*rule // by the pages that the rule names
	general []*rule
	cover   []string // texts of which each general rule has one; nil until all rules are there
}

func newSuspects() suspects {
	return suspects{byHost: map[string][]*rule{}, byPage: map[string][]*rule{}}
}

// add takes a rule that blocks, or an exception.
func (c *suspects) add(r *rule) {
	if r.types&requestTypes == 0 {
		return
	}
	if r.except || r.wideHost() == "" {
		c.narrow++
	}
	if r.except || r.party == thirdParty {
		return
	}
	name, whole := r.pattern.host()
	switch {
	case whole && r.pattern.start == hostPart && isHostName(name):
		c.byHost[lowerASCII(name)] = append(c.byHost[lowerASCII(name)], r)
	case r.domains.named:
		for _, d := range r.domains.entries {
			c.byPage[d.name] = append(c.byPage[d.name], r)
		}
	default:
		c.general = append(c.general, r)
	}
}

// Suspects returns which requests of a page need Match; the zero value where MatchHost decides them all.
func (s *Set) Suspects(pageHost string) Suspects {
	page := normalHost(pageHost)
	if narrow := s.suspects.narrow > 0; !narrow || page == "" {
		return Suspects{Others: narrow, All: narrow}
	}
	own, ok := s.suspects.own(pageNames(page, s.entities))
	if !ok || len(own) > maxOwn {
		return Suspects{Others: true, All: true}
	}
	return Suspects{Others: true, Own: own}
}

// Narrow returns how many rules about requests MatchHost can't apply one by one: those for less than a whole host, and exceptions.
func (s *Set) Narrow() int { return s.suspects.narrow }

// own gathers the texts for a page; false when a rule is about all of its requests.
func (c *suspects) own(names []string) ([]string, bool) {
	own := slices.Clone(c.cover)
	for _, name := range names {
		for _, r := range append(slices.Clip(c.byHost[name]), c.byPage[name]...) {
			if !r.domains.includes(names) {
				continue
			}
			text := r.pattern.mainText()
			if text == "" {
				return nil, false
			}
			own = append(own, text)
		}
	}
	slices.Sort(own)
	return slices.Compact(own), true
}

// mainText returns the longest text that each URL holds which the pattern matches, of a pattern that begins with
// a host's name the longest behind it; "" if there is none.
func (p pattern) mainText() string {
	glob := p.glob
	if name, whole := p.host(); whole && p.start == hostPart {
		glob = glob[len(name):]
	}
	return slices.MaxFunc(append(literalRuns(glob), ""), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

// literalRuns cuts a pattern, in lower case, into what stands for itself.
func literalRuns(glob string) []string {
	return strings.FieldsFunc(lowerASCII(glob), func(c rune) bool { return c == '*' || c == '^' })
}
