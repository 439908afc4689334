package folding

import (
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// standing is how a rule stands on a host.
type standing struct {
	// Holds: a canonical link, a redirect or two pages that are the same have confirmed it.
	Holds bool `json:"holds,omitempty"`
	// Except are the layouts where pages have shown that it doesn't, for good. Undone: it was so in many of them, and holds nowhere.
	Except []uint32 `json:"except,omitempty"`
	Undone bool     `json:"undone,omitempty"`
	// Met counts the addresses that it was used on; that of number Next is fetched all the same, to see whether it is right.
	Met  int `json:"met,omitempty"`
	Next int `json:"next,omitempty"`
	// Seen are hashes of layouts and values that it was used on: the first address of each is fetched too.
	Seen []uint32 `json:"seen,omitempty"`
	// Last are the rows of what was left out last, since the last end; Ends counts these.
	Last [][]byte `json:"last,omitempty"`
	Ends int      `json:"ends,omitempty"`
}

const (
	maxSeen  = 32 // layouts and values of a rule; all further ones count as seen
	maxValue = 24 // bytes of a value that is one of few: ids of clicks are longer
	maxLast  = 8
	minLast  = 4
	maxEnds  = 3

	maxExcept = 2 // layouts where a rule doesn't hold; with another one it holds nowhere
)

// meet counts an address that the rule is used on, and reports whether it is to be fetched all the same: the first ones, then ever fewer,
// and those that are unlike all before.
func (s *standing) meet(rule Rule, key string) bool {
	s.Met++
	is := s.first(layoutOf(key))
	if rule.Kind() == "tracking parameter" {
		a, _ := read(key)
		if values := strings.Join(a.texts(rule), "&"); len(values) <= len(rule)+maxValue {
			is = s.first(short(values)) || is
		}
	}
	if s.Met >= s.Next {
		s.Next = s.Met + 1 + s.Met/4
		return true
	}
	return is
}

// leave notes the row of what was left out.
func (s *standing) leave(row []byte) {
	if len(s.Last) == maxLast {
		s.Last = s.Last[1:]
	}
	s.Last = append(s.Last, row)
}

// first reports whether something is seen for the first time.
func (s *standing) first(what uint32) bool {
	if len(s.Seen) >= maxSeen || slices.Contains(s.Seen, what) {
		return false
	}
	s.Seen = append(s.Seen, what)
	return true
}

// layoutOf stands for the pages of one layout, by a guess. It is the same for all addresses of a group.
func layoutOf(key string) uint32 { return short("layout " + weburl.Template(Group(key))) }

func short(text string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, text)
	return h.Sum32()
}

// of returns how a rule stands; nil: there are too many to remember another one.
func (h *host) of(rule Rule) *standing {
	s := h.Rules[rule]
	if s == nil && len(h.Rules) < maxRules {
		s = &standing{}
		h.Rules[rule] = s
	}
	return s
}

func (h *host) anyHolds() bool {
	for _, s := range h.Rules {
		if s.Holds {
			return true
		}
	}
	return false
}

// ground is a host where pages have one layout.
type ground struct {
	*host
	layout uint32
}

func (h *host) on(key string) ground { return ground{h, layoutOf(key)} }

func (on ground) holds(rule Rule) bool {
	s := on.Rules[rule]
	return s != nil && s.Holds && !slices.Contains(s.Except, on.layout)
}

func (on ground) allHold(rules []Rule) bool {
	return len(rules) > 0 && !slices.ContainsFunc(rules, func(r Rule) bool { return !on.holds(r) })
}

// confirm notes that rules hold together, unless one of them is known not to, and reports whether that is new.
func (on ground) confirm(rules []Rule) bool {
	for _, r := range rules {
		if s := on.of(r); s == nil || s.Undone || slices.Contains(s.Except, on.layout) {
			return false
		}
	}
	known := on.allHold(rules)
	for _, r := range rules {
		on.of(r).Holds = true
	}
	return !known
}

// undo notes that not all of the rules hold: which of them doesn't isn't known, so none does.
func (on ground) undo(rules []Rule) {
	for _, r := range rules {
		s := on.of(r)
		if s == nil || s.Undone || slices.Contains(s.Except, on.layout) {
			continue
		}
		if s.Holds {
			on.Undone++
		}
		if s.Except = append(s.Except, on.layout); len(s.Except) > maxExcept {
			*s = standing{Undone: true}
		}
	}
}
