package content

import "golang.org/x/net/html/atom"

// Kind is the sort of page, found from its structure and its own markup, never from an address or a site's name.
// The zero value is a page that shows no clear sign.
type Kind uint8

const (
	Mixed         Kind = iota // home pages, landing pages, services: blocks of many sorts
	Article                   // news, blogs, essays: one text in sentences
	Documentation             // manuals and references: prose with code, beside a tree of pages
	Forum                     // posts of several people below each other
	Listing                   // repeated entries that lead elsewhere
	Product                   // one thing for sale
	Table                     // data in rows and columns
)

var kindNames = [...]string{"mixed", "article", "documentation", "forum", "listing", "product", "table"}

// String is the kind's name in lower case.
func (k Kind) String() string { return kindNames[k] }

// facts are what the signals of a page's kind test.
type facts struct {
	stat          // of the root
	schema schema // what the page says it is
	runs   runs   // blocks that come again and again
	own    int32  // words of prose outside of these
	cells  int32  // words inside tables
	pre    int32  // words of preformatted text
	goods  int32  // elements that are named after one thing for sale
	flow   stat   // of the element whose own paragraphs weigh most
	flowAt int    // its index
	posted bool   // it is in a post
	codes  int32  // pieces of code in lines of text
}

// signal is one piece of evidence for a kind. The kind with the highest sum wins, if it comes to enough; ties go to the
// kind that is declared first.
type signal struct {
	kind   Kind
	weight int
	holds  func(*facts) bool
}

// signals are all that distinguishes one kind from another.
var signals = []signal{
	{Article, 3, func(f *facts) bool { return f.schema.about(schemaArticle) || f.schema[ogArticle] > 0 }},
	{Article, 4, func(f *facts) bool { return f.blocks >= 3 && atLeast(f.own, f.words-f.linkWords, 60) }},
	{Article, 4, func(f *facts) bool { return f.isLong() && (!f.talk() || f.isDiscussed()) }},
	{Article, 4, (*facts).isDeclared},

	{Documentation, 4, func(f *facts) bool { return f.pre >= 20 && atLeast(f.pre, f.words, 5) && !f.talk() }},
	{Documentation, 5, func(f *facts) bool { return f.pre > 0 && f.codes > 3 && !f.talk() }},
	{Documentation, 3, func(f *facts) bool { return (f.pre > 0 || f.codes > 3) && !f.talk() }},

	{Forum, 6, func(f *facts) bool { return f.schema[schemaForum] > 0 }},
	{Forum, -6, (*facts).isDeclared},
	{Forum, 6, func(f *facts) bool { return f.runs.posts >= 2 && atLeast(f.runs.postWords, f.words, 50) }},

	{Listing, -4, func(f *facts) bool { return f.isDeclared() && f.schema.about(schemaArticle) }},
	{Listing, 5, func(f *facts) bool { return f.runs.cards >= 5 && atLeast(f.runs.cardWords, f.words, 50) }},
	{Listing, 2, func(f *facts) bool { return f.runs.cards >= 5 && atLeast(f.runs.cardWords, f.words, 30) && f.own < 200 }},
	{Listing, 5, func(f *facts) bool { return f.runs.pictured >= 6 && f.own < 250 && !f.schema.about(schemaArticle) }},

	{Listing, 12, func(f *facts) bool {
		return f.runs.priced >= minPriced && f.runs.pictured >= minPriced && !f.sellsOne() && !f.schema.about(schemaArticle)
	}},

	{Product, 8, func(f *facts) bool { return f.schema.about(schemaProduct) }},
	{Product, 4, func(f *facts) bool { return f.schema[ogProduct] > 0 || f.goods > 0 && f.h1 == 1 }},

	{Table, 5, func(f *facts) bool { return atLeast(f.cells, f.words, 60) && f.stat.prose*3 < f.words }},
}

// Paragraphs in one element, and their weight, from which they are an article whatever stands around them.
const (
	runOfKind    = 4
	weightOfKind = 200
)

// isDiscussed reports an article that says it is one, with its readers' comments below.
func (f *facts) isDiscussed() bool {
	return !f.posted && f.schema[schemaForum] == 0 && (f.schema.about(schemaArticle) || f.schema[ogArticle] > 0)
}

// isDeclared reports a page that says it is an article and has a text beside all cards and posts, however short.
func (f *facts) isDeclared() bool {
	return (f.schema.about(schemaArticle) || f.schema[ogArticle] > 0) && f.schema[schemaForum] == 0 &&
		f.own >= minDeclared && !f.posted && !f.sellsOne()
}

// minDeclared is the number of words of such a text.
const minDeclared = 30

// isLong reports enough paragraphs in one element for an article.
func (f *facts) isLong() bool {
	return f.flow.run >= runOfKind && f.flow.runWeight >= weightOfKind
}

// sells reports any sign of something for sale.
func (f *facts) sells() bool {
	return f.goods > 0 || f.schema[schemaProduct] > 0 || f.schema[ogProduct] > 0
}

// minPriced is the number of cards with a price and a picture from which a page that is not about one thing is their list.
const minPriced = 6

// sellsOne reports a page about one thing for sale.
func (f *facts) sellsOne() bool {
	return f.goods > 0 || f.schema.about(schemaProduct) || f.schema[ogProduct] > 0
}

// talk reports posts of several people, which may be full of code.
func (f *facts) talk() bool { return f.runs.posts >= 2 || f.schema[schemaForum] > 0 }

// enoughSigns is the least sum of weights by which a page is of a kind.
const enoughSigns = 4

// kindOf is the kind of the page that facts are of.
func kindOf(f *facts) Kind {
	var sums [len(kindNames)]int
	for i := range signals {
		if signals[i].holds(f) {
			sums[signals[i].kind] += signals[i].weight
		}
	}
	best := Mixed
	for k, sum := range sums {
		if sum >= enoughSigns && sum > sums[best] {
			best = Kind(k)
		}
	}
	return best
}

// Kind is the sort of page that the kept part of the tree is.
func (t *Tree) Kind(m Mask) Kind {
	p := t.newPage(m)
	defer p.memory.giveBack()
	return p.kind
}

// IsArticle reports whether the kept part of the tree is an article: by its structure, or because it says so, however short it is.
func (t *Tree) IsArticle(m Mask) bool {
	p := t.newPage(m)
	defer p.memory.giveBack()
	return p.facts.isArticle(p.kind)
}

// isArticle adds to the articles pages of another kind k that declare one. Sites set og:type on their lists too.
func (f *facts) isArticle(k Kind) bool {
	switch {
	case k == Article:
		return true
	case k == Forum || k == Product || f.sellsOne():
		return false
	}
	return f.schema.about(schemaArticle) || f.schema[ogArticle] > 0 && k != Listing
}

func (t *Tree) factsOf(m Mask, stats []stat, root int) *facts {
	f := &facts{stat: stats[root], schema: schemaOf(t), runs: runsBelow(t, m, stats, root)}
	f.own = f.stat.prose - f.runs.cardProse - f.runs.postProse
	tables := 0 // end of the table around
	for i := 0; i < t.End(root); i++ {
		t.steps.Visit()
		if m[i] {
			i = t.End(i) - 1
			continue
		}
		f.goods += int32(t.nodes[i].mark.signs & signGoods / signGoods)
		if stats[i].runWeight > f.flow.runWeight {
			f.flow, f.flowAt = stats[i], i
		}
		switch t.nodes[i].DataAtom {
		case atom.Table:
			if i >= tables {
				f.cells += stats[i].words
				tables = t.End(i)
			}
		case atom.Pre:
			f.pre += stats[i].words
		case atom.Code:
			f.codes++
		}
	}
	for _, p := range f.runs.parts {
		f.posted = f.posted || p.post && p.at <= f.flowAt && f.flowAt < t.End(p.at)
	}
	return f
}
