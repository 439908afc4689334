package noise

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// How much evidence makes noise of words that vary.
const (
	maxSpot     = 16  // words of a block that is about what is now
	minSpot     = 4   // comparisons in which the words of a spot were others
	spotShare   = 0.6 // of them
	maxWords    = 96  // that are remembered of a spot
	minRejoined = 2   // times that something came to a list that had gone from it
	maxPool     = 96  // items that are remembered of a list
)

// canSpot reports a block that may be about what is now: “on air: …”, “rainy at the lake”, “who is here: …”. It is short, and neither a
// link nor about what always counts.
func canSpot(b *block) bool {
	return b != nil && (b.kind == tracking.Paragraph || b.kind == tracking.Item) && !strings.Contains(b.masked, "](") && !precious(b.masked) &&
		digits(b.masked) <= maxDigits && len(wordsOutside(b.masked)) <= maxSpot
}

// spotSlots are the places of a block whose words are others: the nearest blocks before and behind that stay.
func (c *comparison) spotSlots(d *difference) (slots []uint64) {
	if d.values != nil || !canSpot(d.before) || !canSpot(d.after) || d.before.kind != d.after.kind {
		return nil
	}
	for _, step := range []int{-1, 1} {
		if near := c.neighbour(d.after, step); near != "" {
			slots = append(slots, spotSlot(d.after, step, near))
		}
	}
	return slots
}

func spotSlot(b *block, step int, near string) uint64 {
	return hash("spot", text(uint64(b.kind)), text(uint64(step)), near)
}

// noteSpots counts the comparisons in which spots were there.
func (l *Learnt) noteSpots(p *page) {
	noted := map[uint64]bool{}
	for i := range p.blocks {
		if !canSpot(&p.blocks[i]) {
			continue
		}
		for _, step := range []int{-1, 1} {
			for n := 1; n <= maxNeighbour; n++ {
				at := i + n*step
				if at < 0 || at >= len(p.blocks) {
					break
				}
				_, frame := p.blocks[at].split()
				key := spotSlot(&p.blocks[i], step, frame+text(uint64(n)))
				if s := l.slots[key]; s != nil && !noted[key] {
					noted[key] = true
					s.present++
					s.rest()
				}
			}
		}
	}
}

// learnSpot notes that the words of a spot were others.
func (l *Learnt) learnSpot(d *difference) {
	for _, key := range d.spots {
		s := l.slot(key, word, "", source(d.before)+" → "+source(d.after))
		from, to := wordHashes(d.before), wordHashes(d.after)
		d.known = d.known || containsAll(s.left, without(to, from))
		s.remember(without(from, to), maxWords)
		s.recent |= 1
		s.last = l.clock
		n := bits.OnesCount16(s.recent)
		s.habitual = s.habitual || n >= minSpot && float64(n) >= spotShare*float64(min(s.present, recently))
	}
}

// isSpot reports a difference of words in a spot where they vary again and again, by all that stays around it, and each that came has gone
// from there before: what is new there counts.
func (l *Learnt) isSpot(d *difference) bool {
	for _, key := range d.spots {
		if s := l.slots[key]; s == nil || !s.habitual || l.off[slotID(key)] {
			return false
		}
	}
	return len(d.spots) > 0 && d.known
}

// wordHashes are of the words of a block, without those that hold a digit.
func wordHashes(b *block) (list []uint64) {
	for _, w := range wordsOutside(b.masked) {
		if !strings.ContainsAny(w, "0123456789") {
			list = append(list, hash(w))
		}
	}
	return list
}

// without is a list without what another has.
func without(list, other []uint64) (rest []uint64) {
	for _, one := range list {
		if !slices.Contains(other, one) {
			rest = append(rest, one)
		}
	}
	return rest
}

func containsAll(list, wanted []uint64) bool { return len(without(wanted, list)) == 0 }

// remember keeps what was seen, the latest of it up to a number.
func (s *slot) remember(list []uint64, limit int) {
	for _, one := range list {
		if !slices.Contains(s.left, one) {
			s.left = append(s.left, one)
		}
	}
	if len(s.left) > limit {
		s.left = slices.Delete(s.left, 0, len(s.left)-limit)
	}
}

// poolSlot is that of the list that an item is in.
func poolSlot(b *block) uint64 { return hash("pool", text(uint64(b.kind)), b.section()) }

// inPool reports an item that may be one of a pool of which a list shows some.
func inPool(b *block) bool {
	return b.kind == tracking.Item && !precious(b.masked) && len(b.masked) <= maxRead
}

// member is what an item is known by: its words, not its values.
func member(b *block) uint64 {
	_, frame := b.split()
	return hash(frame)
}

// learnPool notes what came to a list, and what went: what comes that had gone is one of a pool.
func (l *Learnt) learnPool(d *difference) {
	if b := d.after; b != nil && inPool(b) && d.values == nil {
		if s := l.slots[poolSlot(b)]; s != nil && s.back != member(b) && slices.Contains(s.left, member(b)) { // one on all pages is no pool
			s.returns++
			s.back, s.last = member(b), l.clock
		}
	}
	if b := d.before; b != nil && inPool(b) && d.values == nil {
		s := l.slot(poolSlot(b), word, "", source(b))
		s.last = l.clock
		s.remember([]uint64{member(b)}, maxPool)
	}
}

// isPool reports a difference between members of a pool: such as came and went before.
func (l *Learnt) isPool(d *difference) bool {
	if d.values != nil {
		return false
	}
	for _, b := range []*block{d.before, d.after} {
		if b == nil {
			continue
		}
		s := l.slots[poolSlot(b)]
		if s == nil || !inPool(b) || s.returns < minRejoined || !slices.Contains(s.left, member(b)) || l.off[slotID(poolSlot(b))] {
			return false
		}
	}
	return true
}
