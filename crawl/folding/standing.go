package folding

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// standing is how a rule stands on a host.
type standing struct {
	// Holds: a canonical link, or two pages that are the same, have confirmed it. Undone: two pages have shown that it doesn't, for good.
	Holds  bool `json:"holds,omitempty"`
	Undone bool `json:"undone,omitempty"`
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
	maxEnds  = 3
)

// meet counts an address that the rule is used on, and reports whether it is to be fetched all the same: the first ones, then ever fewer,
// and those that are unlike all before.
func (s *standing) meet(rule Rule, key string) bool {
	s.Met++
	is := s.first("layout " + weburl.Template(key))
	if rule.Kind() == "tracking parameter" {
		a, _ := read(key)
		if values := strings.Join(a.texts(rule), "&"); len(values) <= len(rule)+maxValue {
			is = s.first(values) || is
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
func (s *standing) first(what string) bool {
	h := fnv.New32a()
	h.Write([]byte(what))
	if len(s.Seen) >= maxSeen || slices.Contains(s.Seen, h.Sum32()) {
		return false
	}
	s.Seen = append(s.Seen, h.Sum32())
	return true
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

func (h *host) holds(rule Rule) bool {
	s := h.Rules[rule]
	return s != nil && s.Holds
}

func (h *host) allHold(rules []Rule) bool {
	return len(rules) > 0 && !slices.ContainsFunc(rules, func(r Rule) bool { return !h.holds(r) })
}

func (h *host) anyHolds() bool {
	for _, s := range h.Rules {
		if s.Holds {
			return true
		}
	}
	return false
}

// confirm notes that rules hold together, unless one of them is known not to, and reports whether that is new.
func (h *host) confirm(rules []Rule) bool {
	for _, r := range rules {
		if s := h.of(r); s == nil || s.Undone {
			return false
		}
	}
	known := h.allHold(rules)
	for _, r := range rules {
		h.of(r).Holds = true
	}
	return !known
}

// undo notes that not all of the rules hold: which of them doesn't isn't known, so none does.
func (h *host) undo(rules []Rule) {
	for _, r := range rules {
		s := h.of(r)
		if s == nil {
			continue
		}
		if s.Holds {
			h.Undone++
		}
		*s = standing{Undone: true}
	}
}
