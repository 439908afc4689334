package trees

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
)

// Example is one answer to learn from.
type Example struct {
	Features []float32
	Yes      float64 // 0 to 1: how true it is
	Weight   float64 // how much it counts; 0 is not at all
}

// Settings bound what Fit builds. A zero field is its default.
type Settings struct {
	Trees    int     // 200
	Leaves   int     // of one tree: 16
	Rate     float64 // how much of each tree is taken: 0.1
	Least    float64 // weight of the examples in a leaf: 20
	Ridge    float64 // how much leaves are drawn towards 0: 5
	Features float64 // share of the features that a tree is grown from: 0.5
	Seed     uint64
}

func (s Settings) withDefaults() Settings {
	or := func(p *float64, v float64) {
		if *p == 0 {
			*p = v
		}
	}
	if s.Trees == 0 {
		s.Trees = 200
	}
	if s.Leaves == 0 {
		s.Leaves = 16
	}
	or(&s.Rate, 0.1)
	or(&s.Least, 20)
	or(&s.Ridge, 5)
	or(&s.Features, 0.5)
	return s
}

// Fit learns a model from examples that all have a value for each named feature.
func Fit(names []string, examples []Example, s Settings) *Model {
	s = s.withDefaults()
	f := newFitter(names, examples, s)
	m := &Model{Features: names, Bias: f.bias}
	for range s.Trees {
		m.Trees = append(m.Trees, f.grow())
	}
	return m
}

// bins is the number of ranges that the values of a feature are distinguished by.
const bins = 64

type fitter struct {
	examples []Example
	settings Settings
	random   *rand.Rand
	bounds   [][]float32 // of each feature, in order; a value is in the first range whose bound is not below it
	binned   [][]uint8   // of each feature, a range for each example
	odds     []float64   // so far, for each example
	gradient []float32
	hessian  []float32
	order    []int32 // examples, those of one leaf beside each other
	spare    []int32
	bias     float64
}

func newFitter(names []string, examples []Example, s Settings) *fitter {
	n := len(examples)
	f := &fitter{examples: examples, settings: s, random: rand.New(rand.NewPCG(s.Seed, 1)),
		odds: make([]float64, n), gradient: make([]float32, n), hessian: make([]float32, n), order: make([]int32, n), spare: make([]int32, n)}
	values := make([]float32, n)
	for k := range names {
		for i := range examples {
			values[i] = examples[i].Features[k]
		}
		bounds := boundsOf(values)
		column := make([]uint8, n)
		for i, v := range values {
			at, _ := slices.BinarySearch(bounds, v)
			column[i] = uint8(at)
		}
		f.bounds, f.binned = append(f.bounds, bounds), append(f.binned, column)
	}
	yes, all := 0.0, 0.0
	for _, e := range examples {
		yes += e.Yes * e.Weight
		all += e.Weight
	}
	share := min(max(yes/max(all, 1e-9), 1e-6), 1-1e-6)
	f.bias = math.Log(share / (1 - share))
	for i := range f.odds {
		f.odds[i] = f.bias
	}
	return f
}

// boundsOf are at most bins-1 values that part the others into ranges of about the same size.
func boundsOf(values []float32) []float32 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= bins {
		return distinct[:max(len(distinct)-1, 0)]
	}
	var bounds []float32
	for k := 1; k < bins; k++ {
		v := sorted[k*len(sorted)/bins]
		if v < distinct[len(distinct)-1] && (len(bounds) == 0 || bounds[len(bounds)-1] < v) {
			bounds = append(bounds, v)
		}
	}
	return bounds
}

// cell sums up examples in one range of one feature.
type cell struct{ gradient, hessian float64 }

// leaf is one that can still be split.
type leaf struct {
	node, from, end   int // its node, and its examples in order
	gradient, hessian float64
	histogram         []cell // of the features of this tree, bins for each
	gain              float64
	feature, bin      int // the best split
}

type leaves []*leaf

func (l leaves) Len() int { return len(l) }
func (l leaves) Less(i, j int) bool {
	return l[i].gain > l[j].gain || l[i].gain == l[j].gain && l[i].node < l[j].node
}
func (l leaves) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *leaves) Push(x any)   { *l = append(*l, x.(*leaf)) }
func (l *leaves) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}

// grow makes one more tree, best split first, and adds its answers to the odds.
func (f *fitter) grow() Tree {
	root := &leaf{end: len(f.order)}
	for i, e := range f.examples {
		p := logistic(f.odds[i])
		f.gradient[i] = float32((e.Yes - p) * e.Weight)
		f.hessian[i] = float32(max(p*(1-p), 1e-6) * e.Weight)
		f.order[i] = int32(i)
		root.gradient += float64(f.gradient[i])
		root.hessian += float64(f.hessian[i])
	}
	features := f.pick()
	root.histogram = f.histogram(root, features)
	f.best(root, features)
	tree := Tree{{}}
	open, done := leaves{root}, leaves{}
	for len(open) > 0 && len(open)+len(done) < f.settings.Leaves {
		l := heap.Pop(&open).(*leaf)
		if l.gain <= 0 {
			done = append(done, l)
			continue
		}
		left, right := f.split(l, features)
		left.node, right.node = len(tree), len(tree)+1
		tree[l.node] = Node{Feature: uint16(l.feature), Bound: f.bounds[l.feature][l.bin], Left: uint16(left.node), Right: uint16(right.node)}
		tree = append(tree, Node{}, Node{})
		heap.Push(&open, left)
		heap.Push(&open, right)
	}
	for _, l := range append(done, open...) {
		v := float32(f.settings.Rate * l.gradient / (l.hessian + f.settings.Ridge))
		tree[l.node] = Node{Value: v}
		for _, i := range f.order[l.from:l.end] {
			f.odds[i] += float64(v)
		}
	}
	return tree
}

// pick chooses the features that a tree is grown from.
func (f *fitter) pick() []int {
	n := max(1, int(float64(len(f.bounds))*f.settings.Features))
	features := f.random.Perm(len(f.bounds))[:n]
	slices.Sort(features)
	return features
}

func (f *fitter) histogram(l *leaf, features []int) []cell {
	h := make([]cell, len(features)*bins)
	for k, feature := range features {
		column, cells := f.binned[feature], h[k*bins:(k+1)*bins]
		for _, i := range f.order[l.from:l.end] {
			c := &cells[column[i]]
			c.gradient += float64(f.gradient[i])
			c.hessian += float64(f.hessian[i])
		}
	}
	return h
}

// best finds the split of a leaf that gains most.
func (f *fitter) best(l *leaf, features []int) {
	score := func(g, h float64) float64 { return g * g / (h + f.settings.Ridge) }
	whole := score(l.gradient, l.hessian)
	least := f.settings.Least / 4 // a hessian is at most a quarter of the weight
	for k, feature := range features {
		var left cell
		for bin := range f.bounds[feature] {
			c := l.histogram[k*bins+bin]
			left.gradient += c.gradient
			left.hessian += c.hessian
			rest := l.hessian - left.hessian
			if left.hessian < least || rest < least {
				continue
			}
			if gain := score(left.gradient, left.hessian) + score(l.gradient-left.gradient, rest) - whole; gain > l.gain+1e-9 {
				l.gain, l.feature, l.bin = gain, feature, bin
			}
		}
	}
}

// split parts the examples of a leaf. The histogram of the larger half is what the smaller one leaves of the whole.
func (f *fitter) split(l *leaf, features []int) (left, right *leaf) {
	column := f.binned[l.feature]
	at, rest := l.from, 0
	for _, i := range f.order[l.from:l.end] {
		if int(column[i]) <= l.bin {
			f.order[at] = i
			at++
		} else {
			f.spare[rest] = i
			rest++
		}
	}
	copy(f.order[at:l.end], f.spare[:rest])
	left, right = &leaf{from: l.from, end: at}, &leaf{from: at, end: l.end}
	small, large := left, right
	if left.end-left.from > right.end-right.from {
		small, large = right, left
	}
	small.histogram = f.histogram(small, features)
	for i, c := range small.histogram {
		l.histogram[i].gradient -= c.gradient
		l.histogram[i].hessian -= c.hessian
	}
	large.histogram = l.histogram
	for _, half := range []*leaf{left, right} {
		for _, c := range half.histogram[:bins] {
			half.gradient += c.gradient
			half.hessian += c.hessian
		}
		f.best(half, features)
	}
	return left, right
}
