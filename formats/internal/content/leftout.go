package content

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// LeftOut is what a page holds of one kind beside its main content.
type LeftOut struct {
	Kind BlockKind `json:"kind"`
	// Blocks is how many separate parts of the page are of the kind. Parts without a word don't count.
	Blocks int `json:"blocks"`
	// Words of all of them.
	Words int `json:"words"`
	// FirstLine is the first line of the block with most words, white space folded, at most 80 bytes. A longer line is cut
	// between words and ends with "…".
	FirstLine string `json:"firstLine"`
}

// LeftOut sums up by kind what all keeps and kept doesn't. Each word of it is in one entry; kinds with most words come first. kept
// leaves out at least what all does, as a mask that [Tree.Find] has made of all.
//
// The kind is read off each outermost element that is left out, not off the rule that left it out: first its tag and role, then the
// names in its class and id, then its style, then its heading. An element without any of these is split into those in it that have
// some, and the rest.
func (t *Tree) LeftOut(all, kept Mask) []LeftOut {
	s := &survey{Tree: t, all: all, kept: kept, sums: make(map[BlockKind]*blockSum)}
	s.read()
	s.readHeadings()
	s.countParts()
	s.sumUp()
	return s.list()
}

// survey is one search for what was left out.
type survey struct {
	*Tree
	all, kept Mask
	at        []surveyed // the nodes, and one after the last
	heads     []int      // headings that are left out
	sums      map[BlockKind]*blockSum
}

// surveyed is what a survey knows of a node. The counts are of the nodes before it.
type surveyed struct {
	kind   BlockKind // "" when it shows none, or is not left out
	out    bool      // it is left out, and all keeps it
	words  int32     // that all keeps
	linked int32     // those of them inside links
	parts  int32     // elements that split what is around them
}

// blockSum is an entry in the making.
type blockSum struct{ blocks, words, largest, most int }

// around are the ends of the elements of some sorts that a walk is inside of.
type around struct{ unseen, out, article, player, head int }

// read notes what each node shows by itself.
func (s *survey) read() {
	s.at = make([]surveyed, len(s.nodes)+1)
	var in around
	for i := range s.nodes {
		s.steps.Visit()
		e, now, next := &s.nodes[i], &s.at[i], &s.at[i+1]
		next.words, next.linked = now.words, now.linked
		if i < in.unseen || s.all[i] {
			in.unseen = max(in.unseen, s.End(i))
			continue
		}
		next.words += e.words
		if e.inLink {
			next.linked += e.words
		}
		if s.kept[i] {
			in.out = max(in.out, s.End(i))
		}
		if i < in.out {
			now.out = true
			s.readOut(i, &in)
		}
		in.enter(e, s.End(i))
	}
}

// readOut notes the kind of a node that is left out.
func (s *survey) readOut(i int, in *around) {
	e := &s.nodes[i]
	switch {
	case i < in.player: // it is for browsers that can't play
		s.at[i].kind = BlockHidden
	case e.Type == html.ElementNode:
		s.at[i].kind = ownKind(e, i < in.article)
	}
	if heading(e) && i >= in.head {
		s.heads, in.head = append(s.heads, i), s.End(i)
	}
}

func (in *around) enter(e *node, end int) {
	switch e.DataAtom {
	case atom.Article, atom.Main, atom.Blockquote:
		in.article = max(in.article, end)
	case atom.Video, atom.Audio:
		in.player = max(in.player, end)
	}
}

// wordsOf are those that all keeps of a node.
func (s *survey) wordsOf(i int) int32 { return s.at[s.End(i)].words - s.at[i].words }

// readHeadings gives each section the kind that its heading says, outermost first.
func (s *survey) readHeadings() {
	_, after := (&page{Tree: s.Tree}).nearestRivals(s.heads)
	done := 0
	for n, h := range s.heads {
		if h < done || s.wordsOf(h) == 0 {
			continue
		}
		if k := s.topicKind(h); k != "" {
			done = s.claim(h, after[n], k)
		}
	}
}

// claim gives a kind to the largest element that begins with a heading and has no other of its rank; where that is nothing but the
// heading, also to what follows up to the next such heading. It returns the end of all that.
func (s *survey) claim(h, after int, k BlockKind) int {
	at := h
	for up := s.parent(h); up > 0 && s.at[up].out && s.at[up].words == s.at[h].words && after >= s.End(up); up = s.parent(up) {
		s.steps.Visit()
		at = up
	}
	s.show(at, k)
	end := s.End(at)
	if at == 0 || s.wordsOf(at) > s.wordsOf(h) {
		return end
	}
	limit := min(after, s.End(s.parent(at)))
	for next := end; next < limit && s.End(next) <= limit && (s.at[next].out || s.wordsOf(next) == 0); next = s.End(next) {
		s.steps.Visit()
		s.show(next, k)
		end = s.End(next)
	}
	return end
}

// show gives a kind to a node that has none of its own.
func (s *survey) show(i int, k BlockKind) {
	if s.at[i].kind == "" {
		s.at[i].kind = k
	}
}

// countParts counts the elements that split what is around them.
func (s *survey) countParts() {
	s.steps.Add(len(s.nodes))
	for i := range s.nodes {
		s.at[i+1].parts = s.at[i].parts
		if k := s.at[i].kind; k != "" && !k.isLine() && s.wordsOf(i) > 0 {
			s.at[i+1].parts++
		}
	}
}

// sumUp counts the outermost elements that are left out, or their parts.
func (s *survey) sumUp() {
	for i := 0; i < len(s.nodes); {
		s.steps.Visit()
		switch {
		case s.all[i]:
			i = s.End(i)
		case !s.at[i].out || s.at[i].kind == "" && s.at[s.End(i)].parts > s.at[i].parts:
			i++
		default:
			s.count(i)
			i = s.End(i)
		}
	}
}

func (s *survey) count(i int) {
	words := int(s.wordsOf(i))
	if words == 0 {
		return
	}
	k := s.at[i].kind
	if k == "" {
		k = s.plainKind(i)
	}
	sum := s.sums[k]
	if sum == nil {
		sum = &blockSum{}
		s.sums[k] = sum
	}
	sum.blocks++
	sum.words += words
	if words > sum.most {
		sum.largest, sum.most = i, words
	}
}

// plainKind is the kind of a block that shows none, by its first line, what is in it, and its links.
func (s *survey) plainKind(i int) BlockKind {
	if k := s.labelKind(i); k != "" {
		return k
	}
	words, linked := s.wordsOf(i), s.at[s.End(i)].linked-s.at[i].linked
	switch {
	case words <= metaWords && s.hasByline(i):
		return BlockByline
	case atLeast(linked, words, linkShare):
		return BlockLinks
	}
	return BlockText
}

// labelKind is the kind that a short first line says, in a block of its own.
func (s *survey) labelKind(i int) BlockKind {
	b := int(s.nodes[s.firstText(i)].block)
	if b <= i {
		return ""
	}
	return s.topicKind(b)
}

func (s *survey) hasByline(i int) bool {
	for k := i; k < s.End(i); k++ {
		s.steps.Visit()
		if s.at[k].kind == BlockByline {
			return true
		}
	}
	return false
}

// list are the entries.
func (s *survey) list() []LeftOut {
	var out []LeftOut
	for k, sum := range s.sums {
		out = append(out, LeftOut{k, sum.blocks, sum.words, clip(s.line(sum.largest))})
	}
	slices.SortFunc(out, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
