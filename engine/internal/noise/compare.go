package noise

import (
	"context"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// Result is how two versions differ.
type Result struct {
	// Changed: they differ in what counts.
	Changed bool
	// Blocks that count, in order.
	Blocks []Block
	// Passed is what differs and was taken for noise.
	Passed []Passed
}

// Block is a block of a page that differs in what counts.
type Block struct {
	// Before and After are its texts in the normalised form of package tracking; "" where it wasn't there.
	Before, After string
	// Rule is the id by which [Learnt.Accept] makes differences in this place noise.
	Rule string
}

// Passed is a difference that doesn't count.
type Passed struct {
	Kind          Kind
	Before, After string // "" where it wasn't there
	Rule          string // by which [Learnt.TakeBack] makes it count
}

// Compare compares two versions of a page, the earlier first. Without learnt, nil, only the rules that are built in apply. It changes
// nothing: [Learnt.Observe] compares and learns.
func Compare(before, after Version, learnt *Learnt) Result {
	if learnt == nil {
		learnt = New()
	}
	learnt.mu.Lock()
	defer learnt.mu.Unlock()
	c := newComparison(before, after, learnt)
	return c.result(learnt)
}

// difference is a place in which two pages differ, and what it was passed over for.
type difference struct {
	before, after *block // either may be nil
	values        []value
	rotation      []uint64 // slots
	spots         []uint64 // slots
	known         bool     // all its words were seen in its spot before
}

// comparison is a comparison on its way.
type comparison struct {
	from, to    *page
	differences []difference
	passed      []Passed
	stable      map[*block]bool // blocks that are in both
	moved       [][2]*block     // first blocks of units in another order
}

func newComparison(before, after Version, learnt *Learnt) *comparison {
	c := &comparison{stable: map[*block]bool{}}
	if before.Text == after.Text {
		return c
	}
	plain := map[string]bool{}
	c.from, c.to = read(before, learnt.isOff, plain), read(after, learnt.isOff, plain)
	c.advertisements()
	left, right := c.pairUnits()
	c.align(left, right)
	for i := range c.differences {
		if d := &c.differences[i]; c.describe(d) {
			c.stable[d.after] = true
		}
	}
	for i := range c.differences {
		if d := &c.differences[i]; d.values == nil {
			d.rotation, d.spots = c.rotationSlots(d), c.spotSlots(d)
		}
	}
	return c
}

// advertisements passes over those that aren't in both.
func (c *comparison) advertisements() {
	known := map[string]int{}
	for _, b := range c.from.passed {
		known[b.source]++
	}
	var added []Passed
	for _, b := range c.to.passed {
		if known[b.source]--; known[b.source] < 0 {
			added = append(added, Passed{Ad, "", b.source, b.ad})
		}
	}
	for _, b := range c.from.passed {
		if known[b.source] > 0 {
			known[b.source]--
			c.passed = append(c.passed, Passed{Ad, b.source, "", b.ad})
		}
	}
	c.passed = append(c.passed, added...)
}

// pairUnits takes out the units that are in both, in whatever order, and returns the blocks of the others.
func (c *comparison) pairUnits() (left, right []*block) {
	from, to := c.from.units(), c.to.units()
	waiting := map[uint64][]int{}
	for i, u := range from {
		waiting[u.key] = append(waiting[u.key], i)
	}
	paired := map[int]bool{}
	reached := -1
	for _, u := range to {
		places := waiting[u.key]
		if len(places) == 0 {
			right = append(right, u.blocks...)
			continue
		}
		waiting[u.key] = places[1:]
		paired[places[0]] = true
		c.same(from[places[0]].blocks, u.blocks)
		if places[0] < reached {
			c.moved = append(c.moved, [2]*block{from[places[0]].blocks[0], u.blocks[0]})
		}
		reached = max(reached, places[0])
	}
	for i, u := range from {
		if !paired[i] {
			left = append(left, u.blocks...)
		}
	}
	return left, right
}

// same passes over what differs in blocks that are the same but for what rules take for noise.
func (c *comparison) same(from, to []*block) {
	for i := range from {
		c.stable[from[i]], c.stable[to[i]] = true, true
		c.sameBlock(from[i], to[i])
	}
}

func (c *comparison) sameBlock(from, to *block) {
	if from.source == to.source {
		return
	}
	if !sameMoments(from.marks, to.marks) {
		c.differences = append(c.differences, difference{before: from, after: to})
		return
	}
	c.passMarks(from.marks, to.marks)
}

// sameMoments reports whether the marks of two blocks mean the same moments, as far as that counts: what is past may move.
func sameMoments(from, to []mark) bool {
	if len(from) != len(to) {
		return true // parameters that come and go
	}
	for i := range from {
		past := from[i].rule == "relative/past" && to[i].rule == "relative/past"
		if !past && from[i].text != to[i].text && !sameMoment(from[i], to[i]) {
			return false
		}
	}
	return true
}

func (c *comparison) passMarks(from, to []mark) {
	if len(from) != len(to) {
		for _, k := range from {
			c.passed = append(c.passed, Passed{kindOf(k.rule), k.text, "", k.rule})
		}
		for _, k := range to {
			c.passed = append(c.passed, Passed{kindOf(k.rule), "", k.text, k.rule})
		}
		return
	}
	for i, k := range from {
		if k.text != to[i].text {
			c.passed = append(c.passed, Passed{kindOf(k.rule), k.text, to[i].text, to[i].rule})
		}
	}
}

// align finds the differences between the blocks that are left.
func (c *comparison) align(left, right []*block) {
	regions, err := tracking.Align(context.Background(), masks(left), masks(right))
	if err != nil {
		regions = []tracking.Region{{From: 0, FromEnd: len(left), To: 0, ToEnd: len(right)}}
	}
	x, y := 0, 0
	for _, r := range append(regions, tracking.Region{From: len(left), FromEnd: len(left), To: len(right), ToEnd: len(right)}) {
		c.same(left[x:r.From], right[y:r.To])
		c.pairBlocks(left[r.From:r.FromEnd], right[r.To:r.ToEnd])
		x, y = r.FromEnd, r.ToEnd
	}
	if len(regions) > 0 {
		return
	}
	for i := range left { // under another heading
		if left[i].path != right[i].path {
			c.differences = append(c.differences, difference{before: left[i], after: right[i]})
		}
	}
}

func masks(blocks []*block) (lines []string) {
	for _, b := range blocks {
		lines = append(lines, b.masked)
	}
	return lines
}

// describe finds the values in which alone two blocks differ, and reports whether they do.
func (c *comparison) describe(d *difference) (ok bool) {
	values, ok := differing(d.before, d.after)
	if ok {
		d.values = values
	}
	return ok
}

// result judges the differences.
func (c *comparison) result(learnt *Learnt) Result {
	r := Result{Passed: c.passed}
	for _, m := range c.moved {
		if learnt.isOff("order/blocks") {
			r.Blocks = append(r.Blocks, Block{m[0].source, m[1].source, "order/blocks"})
			continue
		}
		r.Passed = append(r.Passed, Passed{Order, m[0].source, m[1].source, "order/blocks"})
	}
	for i := range c.differences {
		d := &c.differences[i]
		if passed, ok := learnt.judge(d); ok {
			r.Passed = append(r.Passed, passed...)
			continue
		}
		r.Blocks = append(r.Blocks, Block{source(d.before), source(d.after), slotID(d.place())})
	}
	r.Changed = len(r.Blocks) > 0
	return r
}

func source(b *block) string {
	if b == nil {
		return ""
	}
	return b.source
}
