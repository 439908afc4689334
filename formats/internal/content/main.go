package content

import "slices"

// page is one search for main content: what it goes by and what it has left out so far.
type page struct {
	*Tree
	all   Mask   // what the caller keeps, without what stands apart
	stats []stat // of all
	root  int    // the element that clearly holds the content; 0 is the whole page
	facts *facts
	kind  Kind
	named bool // rules by class and id are among those that apply
	out   Mask // what is left

	blocks  []textBlock     // of all
	titles  map[int]int     // the first h1 among the children of elements that were asked for it
	targets map[string]bool // ids that links and buttons refer to; read when first needed

	memory *memory
}

// Found is the main content of a page.
type Found struct {
	Kept Mask // what is main content
	// Confidence is how sure it is that Kept is what a reader came for, 0 to 1: the F1 of words that is to be expected. On pages that
	// nothing was learnt from, the mean F1 was what the confidence said; learnt.json has the figures. It is 0 when Kept has no words.
	Confidence float64
}

// Find looks for the main content of what m keeps. If in doubt it keeps: when the rules would take away nearly everything they
// are tried again without those that go by names, and at last not at all. m is not changed.
func (t *Tree) Find(m Mask) Found {
	p := t.newPage(m)
	defer p.memory.giveBack()
	p.find()
	sure := p.judge(learnt())
	if p.Words(p.out) == 0 {
		sure = 0
	}
	return Found{Kept: p.out, Confidence: sure}
}

// Main is what [Tree.Find] keeps.
func (t *Tree) Main(m Mask) Mask { return t.Find(m).Kept }

func (p *page) find() {
	p.blocks = p.textBlocks()
	for _, p.named = range []bool{true, false} {
		p.forget(stageRoot)
		p.clean()
		if p.enough() {
			p.refine()
			return
		}
	}
	p.start()
	p.forget(stageRoot)
	p.note(stageRoot)
}

// refine applies the rules that go by headings, addresses and the page's kind to what cleaning has left. When they would take
// nearly all of it, it stays as it is.
func (p *page) refine() {
	cleaned := slices.Clone(p.out)
	words := p.Words(p.out)
	p.removeSections(p.measure(p.out))
	p.note(stageSections)
	p.removeAccountLinks(p.measure(p.out))
	p.note(stageAccounts)
	p.trim()
	p.note(stageTrim)
	if left := p.Words(p.out); left == 0 || left*100 < words*refineShare {
		p.out = cleaned
		p.forget(stageSections)
	}
}

// refineShare is the least share of the words, in percent, that refining leaves.
const refineShare = 5

func (t *Tree) newPage(m Mask) *page {
	p := &page{Tree: t, memory: borrowMemory(t.Len())}
	p.remeasure(m)
	p.setApart()
	p.root = t.root(p.all, p.stats)
	p.facts = t.factsOf(p.all, p.stats, p.root)
	p.kind = kindOf(p.facts)
	return p
}

// start leaves out all but the root.
func (p *page) start() {
	p.out = slices.Clone(p.all)
	p.focus(p.out, p.root, p.stats)
}

// clean applies the rules that hold for every kind of page.
func (p *page) clean() {
	p.start()
	p.note(stageRoot)
	p.removeBoilerplate(p.out, p.stats, p.root, p.named)
	p.note(stageNames)
	p.removeLinkLists(p.out, p.root)
	p.note(stageLinks)
}

// trim applies the rules of the page's own kind to what cleaning has left. Each of them keeps a floor of its own.
func (p *page) trim() {
	if p.kind != Documentation {
		p.removeTwice(p.measure(p.out))
	}
	switch p.kind {
	case Article, Documentation:
		if p.facts.isDeclared() {
			p.trimArticle(p.measure(p.out))
		}
		p.trimProse()
	default:
		p.trimBlocks()
	}
}

// keepShare is the least share of the root's words outside links, in percent, that must be left.
const keepShare = 12

// enough reports whether cleaning left what the page clearly holds.
func (p *page) enough() bool {
	root := &p.stats[p.root]
	words, free := int32(0), int32(0)
	for i := 0; i < len(p.nodes); {
		p.steps.Visit()
		if p.out[i] {
			i = p.End(i)
			continue
		}
		e := &p.nodes[i]
		words += e.words
		if !e.inLink {
			free += e.words
		}
		i++
	}
	return atLeast(free, root.words-root.linkWords, keepShare) && (words > 0 || root.words == 0)
}
