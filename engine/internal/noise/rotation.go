package noise

import (
	"cmp"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// rotationSlots are the places that a difference of blocks is in: the words above that say that it rotates, or else the nearest blocks
// before and behind that stay. There are none where nothing is learnt: headings, code, short texts, prices.
func (c *comparison) rotationSlots(d *difference) []uint64 {
	before, after := d.before, d.after
	if name := nameOf(d.some()); name != "" {
		if before != nil && after != nil && nameOf(before) != nameOf(after) {
			return nil
		}
		return []uint64{hash("named", name)}
	}
	if before == nil || after == nil || !canRotate(before) || !canRotate(after) {
		return nil
	}
	var slots []uint64
	for _, step := range []int{-1, 1} {
		if near := c.neighbour(after, step); near != "" {
			slots = append(slots, hash("beside", text(uint64(after.kind)), text(uint64(step)), near))
		}
	}
	return slots
}

func (d *difference) some() *block {
	if d.after != nil {
		return d.after
	}
	return d.before
}

func canRotate(b *block) bool {
	return (b.kind == tracking.Paragraph || b.kind == tracking.Item) && !precious(b.masked) &&
		(onlyLinks(b.source) || len(wordsOutside(b.masked)) >= minWords)
}

// neighbour is the nearest block that stays, with how far it is; "" when none is near.
func (c *comparison) neighbour(b *block, step int) string {
	for n := 1; n <= maxNeighbour; n++ {
		at := b.at + n*step
		if at < 0 || at >= len(c.to.blocks) {
			return ""
		}
		if near := &c.to.blocks[at]; c.stable[near] {
			_, frame := near.split()
			return frame + text(uint64(n))
		}
	}
	return ""
}

// replaced reports a block in whose place another stands, and not the same with a change.
func (d *difference) replaced() bool {
	if d.before == nil || d.after == nil {
		return true
	}
	if d.before.named != "" && d.before.label != d.after.label { // of another card
		return true
	}
	from, to := lastAddress(d.before.masked), lastAddress(d.after.masked)
	if from != "" && to != "" {
		return from != to && outsideAddresses(d.before) != outsideAddresses(d.after)
	}
	return likeness(withoutName(d.before), withoutName(d.after)) < alike
}

// withoutName is a block without the words at its beginning that say that it rotates, as in “tip of the day: …”.
func withoutName(b *block) string {
	if name := nameOf(b); name != "" {
		return strings.TrimPrefix(b.masked, name+":")
	}
	return b.masked
}

func outsideAddresses(b *block) string { return addressIn.ReplaceAllString(b.masked, "](") }

// place names a difference for the caller who accepts it: the values of a block, or all blocks of its kind below its heading.
func (d *difference) place() uint64 {
	switch b := d.some(); {
	case len(d.values) == 1:
		return d.values[0].slot
	case len(d.values) > 1:
		_, frame := b.split()
		return hash("values", b.label, frame)
	default:
		return hash("place", text(uint64(b.kind)), b.label)
	}
}

// learn notes what varied, and where something could have.
func (l *Learnt) learn(c *comparison, before, after Version) {
	l.notePresent(c, after)
	quick := !before.Seen.IsZero() && !after.Seen.IsZero() && after.Seen.Sub(before.Seen).Abs() <= quickly
	quiet := !slices.ContainsFunc(c.differences, func(d difference) bool { return len(d.values)+len(d.rotation) == 0 })
	for i := range c.differences {
		d := &c.differences[i]
		for j := range d.values {
			if v := &d.values[j]; v.guard < always {
				l.slot(v.slot, v.class, "", v.before+" → "+v.after).see(v, l.clock, quick, quiet && v.guard == free)
			}
		}
		l.learnSpot(d)
		l.learnPool(d)
		for _, key := range d.rotation {
			if d.replaced() {
				s := l.slot(key, word, nameOf(d.some()), source(d.before)+" → "+source(d.after))
				s.vary(l.clock, quick)
				s.leave(d)
			}
		}
	}
}

// notePresent counts the comparisons in which places were there whose values are known to vary.
func (l *Learnt) notePresent(c *comparison, after Version) {
	if len(l.slots) == 0 {
		return
	}
	to := c.to
	if to == nil {
		to = read(after, l.isOff, map[string]bool{})
	}
	l.noteSpots(to)
	noted := map[uint64]bool{}
	for i := range to.blocks {
		for _, v := range valuesOf(&to.blocks[i]) {
			if s := l.slots[v.slot]; s != nil && !noted[v.slot] {
				s.present++
				s.rest()
				noted[v.slot] = true
			}
		}
	}
}

// slot is the place of a key, made where it isn't known.
func (l *Learnt) slot(key uint64, c class, named, example string) *slot {
	s := l.slots[key]
	if s == nil {
		if len(l.slots) >= maxSlots {
			l.forget()
		}
		s = &slot{class: c, named: clipped(named), present: 1}
		l.slots[key] = s
	}
	s.example = clipped(example)
	return s
}

// forget drops the place that varied longest ago, of those that no rule has come of if there is one.
func (l *Learnt) forget() {
	var oldest uint64
	for key, s := range l.slots {
		o := l.slots[oldest]
		if o == nil || cmp.Or(compareBool(s.isRule(), o.isRule()), cmp.Compare(s.last, o.last), cmp.Compare(key, oldest)) < 0 {
			oldest = key
		}
	}
	delete(l.slots, oldest)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (s *slot) vary(now int64, quick bool) {
	if s.last == now && s.varied > 0 { // one of several in this place
		return
	}
	s.varied++
	s.last = now
	if quick {
		s.quick++
	}
}

// leave notes the block that went, and whether the one that came is one that went before. Where a whole site puts another block in the
// place of one, none comes back; where several alternate, the one that goes here comes elsewhere.
func (s *slot) leave(d *difference) {
	if d.before == nil || d.after == nil {
		return
	}
	from, to := hash(d.before.masked), hash(d.after.masked)
	if slices.Contains(s.left, to) {
		s.returns++
	}
	if !slices.Contains(s.left, from) {
		s.left = append(s.left, from)
	}
	if len(s.left) > maxLeft {
		s.left = slices.Delete(s.left, 0, len(s.left)-maxLeft)
	}
}

// isRule reports whether the evidence is enough to take what varies in a place for noise.
func (s *slot) isRule() bool {
	switch {
	case s.quick >= minQuick:
		return true
	case s.class != word:
		return s.habitual || s.varied >= minVaried && float64(s.varied) >= minShare*float64(s.present)
	case s.named != "":
		return s.varied >= minNamed
	}
	return s.returns >= minReturns
}

// judge returns what a difference is passed over as; false when it counts.
func (l *Learnt) judge(d *difference) (passed []Passed, ok bool) {
	if id := slotID(d.place()); l.accepted[id] != "" {
		return []Passed{{Accepted, source(d.before), source(d.after), id}}, true
	}
	if l.off[slotID(d.place())] {
		return nil, false
	}
	for _, v := range d.values {
		id := slotID(v.slot)
		switch s := l.slots[v.slot]; {
		case l.accepted[id] != "":
			passed = append(passed, Passed{Accepted, v.before, v.after, id})
		case s == nil || l.off[id] || !s.isRuleFor(v) && !l.isCompanion(d, v):
			return nil, false
		default:
			passed = append(passed, Passed{s.kind(), v.before, v.after, id})
		}
	}
	if len(passed) > 0 {
		return passed, true
	}
	for _, key := range d.rotation {
		if s := l.slots[key]; s != nil && !l.off[slotID(key)] && s.isRule() && d.replaced() {
			return []Passed{{Rotating, source(d.before), source(d.after), slotID(key)}}, true
		}
	}
	switch {
	case l.isSpot(d):
		return []Passed{{Rotating, source(d.before), source(d.after), slotID(d.spots[0])}}, true
	case l.isPool(d):
		return []Passed{{Rotating, source(d.before), source(d.after), slotID(poolSlot(d.some()))}}, true
	}
	return nil, false
}
