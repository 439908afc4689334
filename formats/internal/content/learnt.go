package content

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content/trees"
)

// What rules can't decide is learnt: for each block of text how likely it is of the main content, and for each page how good the whole is.
// Both are boosted trees over named features, fitted by the command in train, which also writes what they gave into learnt.json.

//go:embed learnt.json
var learntFile []byte

// learnt reads the models when first needed.
var learnt = sync.OnceValue(func() *Learnt {
	l, err := ParseLearnt(learntFile)
	if err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return l
})

// judge leaves out the blocks that the rules keep and the learnt part does not take for content, and returns the page's confidence.
func (p *page) judge(l *Learnt) float64 {
	if len(p.blocks) == 0 {
		return 0
	}
	v := p.view()
	kept, x := v.judged(v.likelihoods(l.Blocks))
	if slices.Contains(kept, true) {
		p.leaveOutBlocks(kept)
	}
	return l.Pages.Probability(x)
}

// likelihoods are those of all blocks.
func (v *view) likelihoods(m *trees.Model) []float64 {
	likely := make([]float64, len(v.blocks))
	x := make([]float32, 0, len(m.Features))
	for k := range v.blocks {
		v.steps.Visit()
		x = v.features(k, x[:0])
		likely[k] = m.Probability(x)
	}
	return likely
}

// judged gives the blocks that are kept when each is likely to this degree, and the features of the page then.
func (v *view) judged(likely []float64) (kept []bool, page []float32) {
	likely = v.evened(likely)
	cut, expected := bestCut(v.blocks, likely)
	kept = v.decide(likely, cut)
	return kept, v.pageFeaturesOf(likely, kept, expected)
}

// bestCut is the likelihood from which blocks that the rules keep give the greatest expected F1 of words, and that F1.
func bestCut(blocks []textBlock, likely []float64) (cut, expected float64) {
	var order []int
	whole := 0.0
	for k := range blocks {
		whole += likely[k] * float64(blocks[k].words)
		if blocks[k].left == keptByAll {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(likely[b], likely[a]) })
	right, words := 0.0, 0.0
	for _, k := range order {
		right += likely[k] * float64(blocks[k].words)
		words += float64(blocks[k].words)
		if f := 2 * right / (words + whole); f > expected {
			cut, expected = likely[k], f
		}
	}
	return min(math.Floor(cut*steps)/steps, surely), expected
}

// The cut goes in steps, so that a small change somewhere on a page seldom moves it, and what is more likely than not of the content stays.
const (
	steps  = 20
	surely = 0.5
)

// decide keeps, of what the rules keep, the blocks from cut on and those that are certainly of the text. A page of few blocks has
// nothing to go by: there the rules decide alone.
func (v *view) decide(likely []float64, cut float64) []bool {
	kept := make([]bool, len(likely))
	for k := range kept {
		b := &v.blocks[k]
		kept[k] = b.left == keptByAll && (likely[k] >= cut || len(v.blocks) < minBlocks || v.isOfFlow(b) || v.inWhole(b))
	}
	v.keepHeadings(kept)
	return kept
}

// inWhole reports a block of a table or of code: a line that is missing makes the others wrong.
func (v *view) inWhole(b *textBlock) bool {
	return v.around[b.first].within&(withinBits["table"]|withinBits["pre"]) != 0
}

// keepHeadings keeps those that the rules keep above what is kept.
func (v *view) keepHeadings(kept []bool) {
	below := false // the next block that the rules keep is kept
	for k := len(kept) - 1; k >= 0; k-- {
		if v.blocks[k].left != keptByAll {
			continue
		}
		if heading(&v.nodes[v.blocks[k].at]) {
			kept[k] = kept[k] || below
		}
		below = kept[k]
	}
}

// minBlocks is the number of blocks of text from which a page is like those that were learnt from.
const minBlocks = 40

// isOfFlow reports the page's title, and a line that the rules keep among the paragraphs of the longest text: how short it is says nothing.
func (p *page) isOfFlow(b *textBlock) bool {
	at := int(b.at)
	e := &p.nodes[at]
	if b.left != keptByAll || e.mark.signs&signMeta != 0 {
		return false
	}
	if e.DataAtom == atom.H1 {
		return true
	}
	up := p.parent(at)
	if e.DataAtom == atom.Li {
		up = p.parent(max(up, 0))
	}
	return up == p.facts.flowAt && p.facts.flow.run >= minFlow && (b.linkWords < b.words || b.links == 1 && e.DataAtom == atom.P)
}

// minFlow is the number of paragraphs in one element from which what stands among them is of the text.
const minFlow = 3

// leaveOutBlocks leaves out the blocks that are not kept, and what holds nothing else.
func (p *page) leaveOutBlocks(kept []bool) {
	p.steps.Add(2 * len(p.nodes))
	shown := p.kept(p.out)
	words, holds := make([]bool, len(p.nodes)), make([]bool, len(p.nodes))
	for k := range p.blocks {
		b := &p.blocks[k]
		for i := b.first; i <= b.last; i++ {
			if e := &p.nodes[i]; e.Type == html.TextNode && e.block == b.at && (e.words > 0 || !kept[k]) {
				words[i], holds[i] = true, kept[k]
			}
		}
	}
	for i := len(p.nodes) - 1; i > 0; i-- {
		if parent := p.parent(i); shown[i] {
			words[parent] = words[parent] || words[i]
			holds[parent] = holds[parent] || holds[i]
		}
	}
	for i := 1; i < len(p.nodes); i++ {
		p.out[i] = p.out[i] || shown[i] && words[i] && !holds[i]
	}
}

// pageFeatureNames are what is known of a page once its blocks are judged.
var pageFeatureNames = []string{
	"expected F1", "doubt", "words", "share kept", "share kept by rules", "taken by learnt", "linked", "prose", "h1", "cards", "posts",
	"mixed", "article", "documentation", "forum", "listing", "product", "table",
}

// PageFeatureNames names the features of a page, in order.
func PageFeatureNames() []string { return slices.Clone(pageFeatureNames) }

// pageFeaturesOf are those that pageFeatureNames names.
func (v *view) pageFeaturesOf(likely []float64, kept []bool, expected float64) []float32 {
	var words, doubt, now, taken, linked, prose float64
	for k := range v.blocks {
		b := &v.blocks[k]
		n := float64(b.words)
		words += n
		doubt += n * likely[k] * (1 - likely[k])
		switch {
		case kept[k]:
			now += n
			linked += float64(b.linkWords)
			if v.stats[b.at].reads {
				prose += n
			}
		case b.left == keptByAll:
			taken += n
		}
	}
	of := func(part, whole float64) float32 { return float32(part / max(whole, 1)) }
	x := []float32{float32(expected), of(doubt, now), float32(math.Log1p(now)), of(now, words), share(v.kept,
		v.total), of(taken, now), of(linked, now), of(prose, now),
		float32(v.facts.h1), share(v.facts.runs.cardWords, v.facts.words), share(v.facts.runs.postWords, v.facts.words)}
	for k := range kindNames {
		x = append(x, one(v.kind == Kind(k)))
	}
	return x
}
