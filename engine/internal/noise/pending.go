package noise

import (
	"math/bits"
	"slices"
)

// When a difference of values is held back instead of counting at once; see [Learnt.Check].
const (
	youngChecks = 4  // comparisons of a page, or of a place, before which hardly anything is known of it
	quietChecks = 3  // comparisons without another change after which what is held counts
	maxWait     = 10 // comparisons after which it does so at the latest
	maxHeld     = 100
)

// Pending is what is held back of one page, and for how long the page is known. The zero value is that of a new page.
type Pending struct {
	Checks int    `json:"checks,omitempty"` // comparisons of the page so far
	Held   []Held `json:"held,omitempty"`
}

// Held is a block that differs in nothing but numbers, times, dates and the like, in places that are hardly known.
type Held struct {
	Before string   `json:"before"`
	After  string   `json:"after"`
	Rule   string   `json:"rule"`
	Slots  []uint64 `json:"slots"`
	Quiet  int      `json:"quiet,omitempty"` // comparisons without another change
	Waited int      `json:"waited,omitempty"`
}

// Check is Observe for one page that is checked again and again. In the first comparisons of a page, and where a place has begun to vary
// again and again, a difference of nothing but such values is held back: it is dropped when more comparisons make it noise, and counts when
// the place was quiet in three, at the latest after ten. So nothing is lost, but what changed on a young page in this way is reported up to
// three checks late. What is held is returned beside the result, for the next call.
func (l *Learnt) Check(before, after Version, p Pending) (Result, Pending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, differences := l.observe(before, after)
	next := Pending{Checks: p.Checks + 1}
	var late []Block
	held := map[uint64]bool{} // slots of what goes on being held
	for _, h := range p.Held {
		h.Waited++
		now := indexBySlots(differences, h.Slots)
		if now >= 0 {
			if is := source(differences[now].after); is != h.Before { // one that comes and goes has been there
				h.After = is
			}
			h.Quiet = 0
		} else {
			h.Quiet++
		}
		switch {
		case l.allRules(h.Slots):
			r.Passed = append(r.Passed, Passed{l.slots[h.Slots[0]].kind(), h.Before, h.After, slotID(h.Slots[0])})
			continue
		case h.Quiet >= quietChecks, h.Waited >= maxWait, slices.ContainsFunc(h.Slots, l.isOffSlot), l.off[h.Rule]:
			late = append(late, Block{h.Before, h.After, h.Rule})
			continue
		}
		next.Held = append(next.Held, h)
		held[h.Slots[0]] = true
	}
	r.Blocks = slices.DeleteFunc(r.Blocks, func(b Block) bool {
		d := l.youngOf(differences, b, p.Checks)
		if d == nil {
			return false
		}
		slots := slotsOf(d)
		if held[slots[0]] {
			return true // a part of what is held already
		}
		if len(next.Held) >= maxHeld {
			return false
		}
		held[slots[0]] = true
		next.Held = append(next.Held, Held{Before: b.Before, After: b.After, Rule: b.Rule, Slots: slots})
		return true
	})
	r.Blocks = append(r.Blocks, late...)
	r.Changed = len(r.Blocks) > 0
	return r, next
}

// youngOf is the difference of a block that is to be held back, nil for none.
func (l *Learnt) youngOf(differences []difference, b Block, checks int) *difference {
	at := slices.IndexFunc(differences, func(d difference) bool { return source(d.before) == b.Before && source(d.after) == b.After })
	if at < 0 || len(differences[at].values) == 0 || l.off[b.Rule] {
		return nil
	}
	d := &differences[at]
	for _, v := range d.values {
		s := l.slots[v.slot]
		if s == nil || v.guard == always || v.strange || l.off[slotID(v.slot)] || !s.isRuleFor(v) && !s.isYoung(checks) {
			return nil
		}
	}
	return d
}

// isYoung reports a place that may be about to become a rule.
func (s *slot) isYoung(checks int) bool {
	n := max(s.present, checks+1)
	return n < youngChecks || bits.OnesCount16(s.recent)*2 >= min(n, recently)
}

func slotsOf(d *difference) (slots []uint64) {
	for _, v := range d.values {
		slots = append(slots, v.slot)
	}
	return slots
}

// indexBySlots finds the difference in one of the places.
func indexBySlots(differences []difference, slots []uint64) int {
	return slices.IndexFunc(differences, func(d difference) bool {
		return slices.ContainsFunc(d.values, func(v value) bool { return slices.Contains(slots, v.slot) })
	})
}

func (l *Learnt) allRules(slots []uint64) bool {
	for _, key := range slots {
		if s := l.slots[key]; s == nil || !s.isRule() || l.off[slotID(key)] {
			return false
		}
	}
	return len(slots) > 0
}

func (l *Learnt) isOffSlot(key uint64) bool { return l.off[slotID(key)] }
