package noise

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// How much evidence makes a habit of what varies.
const (
	recently     = 16   // comparisons that count
	minHabit     = 3    // of them in which a value varied
	habitShare   = 0.33 // of them
	minWaryHabit = 4    // of them in which one varied that needs more evidence
	waryShare    = 0.5
	magnitude    = 10
)

// see notes that a value varied; alone: nothing but such values did.
func (s *slot) see(v *value, now int64, quick, alone bool) {
	if s.last != now || s.recent&1 == 0 {
		s.recent |= 1
		s.habitual = s.habitual || s.isHabit(v.guard)
	}
	if alone {
		s.vary(now, quick)
	}
	s.last = now
	s.widen(v)
}

// isHabit reports a value that varies again and again.
func (s *slot) isHabit(g guard) bool {
	least, share := minHabit, habitShare
	if g == wary {
		least, share = minWaryHabit, waryShare
	}
	n := bits.OnesCount16(s.recent)
	return n >= least && float64(n) >= share*float64(min(s.present, recently))
}

// rest ends a habit that is none any more.
func (s *slot) rest() {
	s.recent <<= 1
	s.habitual = s.habitual && s.recent != 0
}

// isRuleFor reports whether the evidence is enough to take a value for noise: in its place values vary, and not by another order of
// magnitude.
func (s *slot) isRuleFor(v value) bool {
	return v.guard < always && (v.guard == free && s.isRule() || s.habitual) && !v.strange
}

// minBeside is how often a value varied that is noise beside others: the week, beside the day.
const minBeside = 2

// isCompanion reports a value that varies seldom, in a block of which another one varies again and again.
func (l *Learnt) isCompanion(d *difference, v value) bool {
	if v.guard != free || v.strange || bits.OnesCount16(l.slots[v.slot].recent) < minBeside {
		return false
	}
	return slices.ContainsFunc(d.values, func(other value) bool {
		s := l.slots[other.slot]
		return other.slot != v.slot && s != nil && s.habitual && !l.off[slotID(other.slot)]
	})
}

// widen notes a number, and marks the value as strange that is of another order of magnitude than those before.
func (s *slot) widen(v *value) {
	if v.class != numeral {
		return
	}
	from, to := amount(v.before), amount(v.after)
	if s.low == 0 && s.high == 0 {
		s.low, s.high = from, from
	}
	v.strange = to > magnitude*max(s.high, magnitude) || to*magnitude < s.low-magnitude
	s.low, s.high = min(s.low, from, to), max(s.high, from, to)
}

// amount is a number as pages write it, without the signs between its digits.
func amount(text string) float64 {
	n, err := strconv.ParseFloat(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text), 64)
	if err != nil {
		return 0
	}
	return n
}
