package content

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// A feature is a named number that describes a block of text. The models are trained on them: their names and order are part of
// learnt.json.

// FeatureNames names the features of a block, in order.
func FeatureNames() []string {
	var names []string
	for _, g := range featureGroups {
		names = append(names, g.names...)
	}
	return names
}

// featureGroups are all features: their names, and what appends their values for a block, in the same order.
var featureGroups = []struct {
	names  []string
	values func(v *view, k int, x []float32) []float32
}{
	{[]string{"words", "linked", "links", "marks per word", "marks", "upper", "digits", "others", "word length"}, (*view).textFeatures},
	{[]string{"ends a sentence", "ends with a colon", "begins with no letter", "copyright", "note", "foreign heading", "topic", "reads", "repeated"}, (*view).lineFeatures},
	{[]string{"heading", "p", "li", "cell", "div", "depth", "card", "post"}, (*view).tagFeatures},
	{prefixed("in ", withinNames), (*view).withinFeatures},
	{prefixed("near ", hintNames), (*view).hintFeatures},
	{[]string{"alike", "alike: words", "alike: linked", "alike: kept", "alike: reads", "alike: share"}, (*view).alikeFeatures},
	{[]string{"words of the title", "at", "words after", "words before", "since the h1", "since a heading", "its topic", "it is kept", "before the first kept", "after the last kept", "kept before"}, (*view).placeFeatures},
	{[]string{"left out", "left out by root", "left out by names", "left out by links", "left out by sections", "left out by accounts", "left out by trim"}, (*view).ruleFeatures},
	{append([]string{"page: words", "page: linked", "page: prose", "page: kept", "page: root", "page: h1", "page: cards", "page: posts", "page: number of cards", "page: number of posts", "page: flow", "in the flow"}, prefixed("page: ", append(slices.Clone(kindNames[:]), schemaNames...))...), (*view).pageFeatures},
}

var schemaNames = []string{"schema article", "schema forum", "schema product", "og article", "og product"}

func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = prefix + name
	}
	return out
}

// view is a page with what the features of its blocks are read from.
type view struct {
	*page
	around []surroundings
	times  map[uint64]int32 // how often each text comes
	alike  []*blocksAlike   // those of each block's names
	titled map[string]bool  // words of the page's title
	starts [256]bool        // first bytes of these
	total  int32
	kept   int32   // words that the rules keep
	keptTo []int32 // of these, up to and with each block
	h1     int     // the first one; -1 for none
	first  int     // that the rules keep; -1 for none
	last   int
	heads  []int32 // for each block the last heading before it, or itself; -1 for none
	topics []topic // what that is about
	shared []float32
}

// blocksAlike are the blocks in elements of the same names.
type blocksAlike struct{ blocks, words, linkWords, kept, reads int32 }

func (p *page) view() *view {
	v := &view{page: p, around: p.surroundings(), times: make(map[uint64]int32), alike: p.alike(),
		h1: -1, first: -1, last: -1}
	v.titled = p.wordsOfTitle()
	for word := range v.titled {
		v.starts[word[0]] = true
	}
	v.keptTo, v.heads, v.topics = make([]int32, len(p.blocks)), make([]int32, len(p.blocks)), make([]topic, len(p.blocks))
	head, about := int32(-1), ownSubject
	for k := range p.blocks {
		b := &p.blocks[k]
		v.count(k, b)
		if e := &p.nodes[b.at]; heading(e) {
			head, about = int32(k), topicOf(strings.TrimLeft(b.line, " #§•*"), b.words)
			if v.h1 < 0 && e.DataAtom == atom.H1 {
				v.h1 = k
			}
		}
		v.heads[k], v.topics[k] = head, about
		v.keptTo[k] = v.kept
	}
	v.shared = v.ofPage()
	return v
}

// alike gives for each block the sum of those in elements of the same names.
func (p *page) alike() []*blocksAlike {
	byName, list := make(map[uint64]*blocksAlike), make([]*blocksAlike, len(p.blocks))
	for k := range list {
		name := p.blocks[k].name
		if k > 0 && name == p.blocks[k-1].name {
			list[k] = list[k-1]
			continue
		}
		if list[k] = byName[name]; list[k] == nil {
			list[k] = new(blocksAlike)
			byName[name] = list[k]
		}
	}
	return list
}

func (v *view) count(k int, b *textBlock) {
	v.times[b.text]++
	v.total += b.words
	a := v.alike[k]
	a.blocks++
	a.words += b.words
	a.linkWords += b.linkWords
	if v.stats[b.at].reads {
		a.reads++
	}
	if b.left != keptByAll {
		return
	}
	a.kept++
	v.kept += b.words
	v.last = k
	if v.first < 0 {
		v.first = k
	}
}

// features appends those of block k.
func (v *view) features(k int, x []float32) []float32 {
	for i := range featureGroups {
		x = featureGroups[i].values(v, k, x)
	}
	return x
}

func (v *view) textFeatures(k int, x []float32) []float32 {
	b := &v.blocks[k]
	n := float32(max(b.words, 1))
	all := b.chars.letters + b.chars.digits + b.chars.others
	return append(x, log1(b.words), share(b.linkWords, b.words), float32(b.links), float32(b.marks)/n, float32(b.marks),
		share(b.chars.upper, b.chars.letters), share(b.chars.digits, all), share(b.chars.others, all), share(all, b.words))
}

func (v *view) lineFeatures(k int, x []float32) []float32 {
	b := &v.blocks[k]
	return append(x, one(strings.ContainsRune(".!?…。！？", b.chars.last)), one(b.chars.last == ':' || b.chars.last == '：'), one(b.chars.first < 'A'),
		one(strings.Contains(b.line, "©") || strings.Contains(b.line, "all rights")), one(opens(b.line)), one(foreignHeadings[trimMarks(b.line)]),
		float32(topicOf(b.line, b.words)), one(v.stats[b.at].reads), float32(v.times[b.text]))
}

func (v *view) tagFeatures(k int, x []float32) []float32 {
	b := &v.blocks[k]
	tag, s := v.nodes[b.at].DataAtom, &v.around[b.at]
	return append(x, float32(rankOf(tag)), one(tag == atom.P), one(tag == atom.Li),
		one(tag == atom.Td || tag == atom.Th), one(tag == atom.Div), float32(s.depth), one(s.item), one(s.post))
}

// rankOf is how high a heading is, 6 for h1; 0 for what is none.
func rankOf(tag atom.Atom) int {
	ranks := [...]atom.Atom{atom.H6, atom.H5, atom.H4, atom.H3, atom.H2, atom.H1}
	return slices.Index(ranks[:], tag) + 1
}

func (v *view) withinFeatures(k int, x []float32) []float32 {
	bits := v.around[v.blocks[k].first].within
	for i := range withinNames {
		x = append(x, float32(bits>>i&1))
	}
	return x
}

// hintFeatures are 2 for hints of the nearest element, 1 for those of the next one around.
func (v *view) hintFeatures(k int, x []float32) []float32 {
	h := v.around[v.blocks[k].first].hints
	if h[0]|h[1] == 0 {
		return append(x, noHints...)
	}
	for i := range hintNames {
		x = append(x, max(2*float32(h[0]>>i&1), float32(h[1]>>i&1)))
	}
	return x
}

// noHints are the features of a block without hints.
var noHints = make([]float32, len(hintNames))

func (v *view) alikeFeatures(k int, x []float32) []float32 {
	a := v.alike[k]
	return append(x, log1(a.blocks), share(a.words, a.blocks), share(a.linkWords, a.words), share(a.kept, a.blocks),
		share(a.reads, a.blocks), share(a.words, v.total))
}

func (v *view) placeFeatures(k int, x []float32) []float32 {
	b := &v.blocks[k]
	head, headKept := float32(-1), false
	if h := v.heads[k]; h >= 0 {
		head, headKept = log1(b.before-v.blocks[h].before), v.blocks[h].left == keptByAll
	}
	keptBefore := int32(0)
	if k > 0 {
		keptBefore = v.keptTo[k-1]
	}
	return append(x, v.sharedWithTitle(b), share(b.before, v.total), log1(v.total-b.before-b.words), log1(b.before),
		v.sinceH1(b), head, float32(v.topics[k]), one(headKept),
		one(k < v.first), one(k > v.last), share(keptBefore, max(v.kept, 1)))
}

// sinceH1 is how many words lie between the page's title and a block, as a logarithm, below 0 for a block before it.
func (v *view) sinceH1(b *textBlock) float32 {
	if v.h1 < 0 {
		return -20
	}
	d := b.before - v.blocks[v.h1].before
	if d < 0 {
		return -log1(-d) - 1
	}
	return log1(d)
}

func (v *view) ruleFeatures(k int, x []float32) []float32 {
	left := v.blocks[k].left
	x = append(x, one(left != keptByAll))
	for s := stageRoot; s < stages; s++ {
		x = append(x, one(left == s))
	}
	return x
}

func (v *view) pageFeatures(k int, x []float32) []float32 {
	at, flow := int(v.blocks[k].first), v.facts.flowAt
	shared := len(x)
	x = append(x, v.shared...)
	x[shared+inFlowAt] = one(flow > 0 && flow <= at && at < v.End(flow))
	return x
}

// inFlowAt is the one among the features of the page that differs from block to block.
const inFlowAt = 11

func (v *view) ofPage() []float32 {
	s, f := &v.page.stats[0], v.facts
	x := []float32{log1(v.total), share(s.linkWords, s.words), share(s.prose, s.words), share(v.kept, v.total), one(v.root > 0), float32(f.h1),
		share(f.runs.cardWords, f.words), share(f.runs.postWords, f.words), log1(f.runs.cards), log1(f.runs.posts), log1(f.flow.runWeight), 0}
	for k := range kindNames {
		x = append(x, one(v.kind == Kind(k)))
	}
	for _, n := range f.schema {
		x = append(x, float32(min(n, 5)))
	}
	return x
}

// wordsOfTitle are those of the title element, in lower case.
func (p *page) wordsOfTitle() map[string]bool {
	words := make(map[string]bool)
	for i := range p.nodes {
		p.steps.Visit()
		n := p.nodes[i].Node
		if n.DataAtom == atom.Body {
			break
		}
		if n.DataAtom == atom.Title && n.FirstChild != nil {
			for w := range strings.FieldsFuncSeq(n.FirstChild.Data, isNoWord) {
				words[strings.ToLower(w)] = true
			}
		}
	}
	return words
}

func isNoWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// nextWord is the first run of letters and digits, as isNoWord parts them, and what comes after it.
func nextWord(s string) (word, rest string) {
	from := -1
	for i := 0; i < len(s); {
		isWord, size := asciiKinds[s[i]]&(asciiLower|asciiUpper|asciiDigit) != 0, 1
		if s[i] >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			isWord = !isNoWord(r)
		}
		switch {
		case isWord && from < 0:
			from = i
		case !isWord && from >= 0:
			return s[from:i], s[i:]
		}
		i += size
	}
	if from < 0 {
		return "", ""
	}
	return s[from:], ""
}

// sharedWithTitle is the share of the words in a block's first line that are in the page's title.
func (v *view) sharedWithTitle(b *textBlock) float32 {
	if len(v.titled) == 0 {
		return 0
	}
	words, known := int32(0), int32(0)
	for line := b.line; ; {
		word, rest := nextWord(line)
		if word == "" {
			return share(known, words)
		}
		if words++; v.starts[word[0]] && v.titled[word] {
			known++
		}
		line = rest
	}
}

func log1(n int32) float32 {
	if n = max(n, 0); int(n) < len(smallLogs) {
		return smallLogs[n]
	}
	return float32(math.Log1p(float64(n)))
}

// smallLogs are those of numbers up to which most are.
var smallLogs = func() (logs [1024]float32) {
	for n := range logs {
		logs[n] = float32(math.Log1p(float64(n)))
	}
	return logs
}()

func share(part, whole int32) float32 {
	if whole <= 0 {
		return 0
	}
	return float32(part) / float32(whole)
}

func one(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
