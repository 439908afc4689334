package markdown

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// footnotes makes Markdown's footnotes (GFM) of short links to a later block that links back, where the page names them
// footnotes. The link becomes [^1] and the block [^1]: with its text, without the links back. Others of the kind, such as the
// citations of an encyclopedia, stay links, by which a reader finds the place in the page.
func (w *work) footnotes(root *html.Node) {
	refs := w.noteRefs(root)
	if len(refs) == 0 {
		return
	}
	f := noteFinder{work: w, targets: w.noteTargets(root, refs), notes: make(map[*html.Node]*note),
		labels: make(map[string]bool), mixed: make(map[*html.Node]bool)}
	for _, r := range refs {
		f.add(r)
	}
	w.voids = make(map[*html.Node]bool)
	defer func() { w.voids = nil }()
	for _, n := range f.order {
		if f.inMixedList(n) {
			continue
		}
		for _, r := range n.refs {
			w.replaceRef(r, n.label)
		}
		w.replaceNote(n)
	}
}

// noteRef is a link that may be a reference to a note.
type noteRef struct {
	link     *html.Node
	fragment string
	place    int // in the order of the page
}

// noteRefs finds the short links to places in a page.
func (w *work) noteRefs(root *html.Node) []noteRef {
	var refs []noteRef
	place := 0
	w.walk(root, func(n *html.Node) bool {
		place++
		if n.DataAtom == atom.A {
			if fragment := fragmentOf(n); isNoteName(n, fragment) && isNoteMark(w.noteMark(n)) {
				refs = append(refs, noteRef{n, fragment, place})
			}
		}
		return true
	})
	return refs
}

func fragmentOf(n *html.Node) string {
	_, fragment, _ := strings.Cut(attr(n, "href"), "#")
	if decoded, err := url.PathUnescape(fragment); err == nil {
		return decoded
	}
	return fragment
}

// noteMark is a reference's text without brackets.
func (w *work) noteMark(n *html.Node) string {
	return strings.Trim(strings.TrimSpace(w.textOf(n)), "[]() \u00a0")
}

// isNoteName reports a link that is called a footnote: by its role, or by the name that it leads to, as the tools that make
// footnotes choose them.
func isNoteName(n *html.Node, fragment string) bool {
	if fragment == "" {
		return false
	}
	if attr(n, "role") == "doc-noteref" || attr(n, "rel") == "footnote" {
		return true
	}
	fragment = strings.TrimLeft(strings.ToLower(fragment), "_")
	for _, prefix := range []string{"fn", "ftn", "edn", "footnote", "endnote", "note", "sdfootnote", "user-content-fn"} {
		if strings.HasPrefix(fragment, prefix) {
			return true
		}
	}
	return false
}

// isNoteMark reports a number, a letter or two, or a sign such as an asterisk or dagger.
func isNoteMark(s string) bool {
	digits := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
	return s != "" && (digits && len(s) <= 4 || utf8.RuneCountInString(s) <= 2 || strings.HasPrefix(s, "note "))
}

// names are those under which a link can be reached: its own, that of its only child, and of what is around it alone.
func (r noteRef) names() []string {
	var list []string
	n := r.link
	if c := n.FirstChild; c != nil && c.Type == html.ElementNode {
		list = append(list, attr(c, "id"))
	}
	for range 3 {
		if n == nil || n.DataAtom != atom.A && isBlock(n) {
			break
		}
		list = append(list, attr(n, "id"), attr(n, "name"))
		n = n.Parent
	}
	return list
}

// noteTarget is the block that begins with an element that refs lead to.
type noteTarget struct {
	block *html.Node
	place int
}

// noteTargets finds the blocks that refs lead to.
func (w *work) noteTargets(root *html.Node, refs []noteRef) map[string]noteTarget {
	wanted := make(map[string]bool, len(refs))
	for _, r := range refs {
		wanted[r.fragment] = true
	}
	targets := make(map[string]noteTarget, len(refs))
	place := 0
	w.walk(root, func(n *html.Node) bool {
		place++
		for _, id := range []string{attr(n, "id"), attr(n, "name")} {
			if id == "" || !wanted[id] || targets[id].block != nil {
				continue
			}
			if block := w.noteBlock(n); block != nil {
				targets[id] = noteTarget{block, place}
			}
		}
		return true
	})
	return targets
}

// noteBlock is the list item, paragraph or box that n is or begins.
func (w *work) noteBlock(n *html.Node) *html.Node {
	for range 4 {
		switch n.DataAtom {
		case atom.Li, atom.P, atom.Div, atom.Aside:
			return n
		}
		if n.Parent == nil || w.hasContentAhead(n) {
			return nil
		}
		n = n.Parent
	}
	return nil
}

// hasContentAhead reports a node that does not begin what it is in.
func (w *work) hasContentAhead(n *html.Node) bool {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		w.steps.Visit()
		if !isBlank(s) {
			return true
		}
	}
	return false
}

// note is a block with the links that lead to it.
type note struct {
	block *html.Node
	label string
	refs  []noteRef
	back  map[string][]*html.Node // its own links into the page
}

type noteFinder struct {
	*work
	targets map[string]noteTarget
	notes   map[*html.Node]*note // by block; nil for blocks that are none
	order   []*note
	labels  map[string]bool
	free    int                 // all numbers before it are labels
	mixed   map[*html.Node]bool // lists: whether they have items that are no notes
}

// maxNote is how many elements a note may have.
const maxNote = 400

// add takes a link for a reference when its target comes later and leads back, or is a note already.
func (f *noteFinder) add(r noteRef) {
	target, ok := f.targets[r.fragment]
	if !ok || target.place <= r.place {
		return
	}
	n, seen := f.notes[target.block]
	if !seen {
		n = &note{block: target.block, back: f.linksBack(target.block)}
		f.notes[target.block] = n
	}
	leadsBack := false
	for _, name := range r.names() {
		leadsBack = leadsBack || name != "" && len(n.back[name]) > 0
	}
	if !leadsBack && len(n.refs) == 0 {
		return
	}
	if len(n.refs) == 0 {
		n.label = f.labelFor(f.noteMark(r.link))
		f.order = append(f.order, n)
	}
	n.refs = append(n.refs, r)
}

// labelFor is the mark itself when it is a free number, else the next free one.
func (f *noteFinder) labelFor(mark string) string {
	if _, err := strconv.Atoi(mark); err != nil || f.labels[mark] {
		k := max(len(f.order)+1, f.free)
		for mark = strconv.Itoa(k); f.labels[mark]; mark = strconv.Itoa(k) {
			k++
		}
		f.free = k
	}
	f.labels[mark] = true
	return mark
}

// linksBack are the links of a block by where they lead; none when the block is too big for a note.
func (w *work) linksBack(block *html.Node) map[string][]*html.Node {
	links := make(map[string][]*html.Node)
	size := 0
	for n := block.FirstChild; n != nil; n = follower(block, n) {
		w.steps.Visit()
		if n.Type != html.ElementNode {
			continue
		}
		if size++; size > maxNote {
			return nil
		}
		if n.DataAtom == atom.A {
			if fragment := fragmentOf(n); fragment != "" {
				links[fragment] = append(links[fragment], n)
			}
		}
	}
	return links
}

// inMixedList reports a note in a list with items that are none; the list stays one.
func (f *noteFinder) inMixedList(n *note) bool {
	list := n.block.Parent
	if n.block.DataAtom != atom.Li || list == nil {
		return false
	}
	mixed, known := f.mixed[list]
	for c := list.FirstChild; c != nil && !mixed && !known; c = c.NextSibling {
		mixed = c.DataAtom == atom.Li && !f.isVoid(c) && (f.notes[c] == nil || len(f.notes[c].refs) == 0)
	}
	f.mixed[list] = mixed
	return mixed
}

// replaceRef puts the mark in the place of a reference and of what is around it alone.
func (w *work) replaceRef(r noteRef, label string) {
	n := r.link
	for n.Parent != nil && (n.Parent.DataAtom == atom.Sup || n.Parent.DataAtom == atom.Span) && w.isAloneInBrackets(n) {
		n = n.Parent
	}
	if n.Parent == nil {
		return // in another note that is gone
	}
	n.Parent.InsertBefore(verbatim(verbatimInline, "[^"+label+"]"), n)
	remove(n)
}

// isAloneInBrackets reports a node with nothing beside it but blanks and brackets.
func (w *work) isAloneInBrackets(n *html.Node) bool {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		w.steps.Visit()
		if !isBracket(s) {
			return false
		}
	}
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		w.steps.Visit()
		if !isBracket(s) {
			return false
		}
	}
	return true
}

// isBracket reports blanks, brackets and what is neither text nor element.
func isBracket(n *html.Node) bool {
	return n.Type != html.ElementNode && (n.Type != html.TextNode || strings.Trim(n.Data, "[]() \t\r\n\u00a0") == "")
}

// footnote is the element that stands for a note; its attribute label is its mark.
const footnote = "footnote"

// replaceNote makes the block a note of Markdown.
func (w *work) replaceNote(n *note) {
	words := make(map[*html.Node]bool)
	for _, r := range n.refs {
		for _, name := range r.names() {
			for _, link := range n.back[name] {
				w.removeBackLink(link, n.block, words)
			}
			delete(n.back, name)
		}
	}
	if list := n.block.Parent; n.block.DataAtom == atom.Li && list != nil && (list.DataAtom == atom.Ol || list.DataAtom == atom.Ul) {
		dropLineAbove(list)
		rename(list, atom.Div)
	}
	n.block.DataAtom, n.block.Data = 0, footnote
	n.block.Attr = []html.Attribute{{Key: "label", Val: n.label}}
}

// dropLineAbove takes out the line that sets notes apart from the text.
func dropLineAbove(list *html.Node) {
	s := list.PrevSibling
	for s != nil && isBlank(s) {
		s = s.PrevSibling
	}
	if s != nil && s.DataAtom == atom.Hr {
		remove(s)
	}
}

// removeBackLink takes out a link and what around it holds nothing else but signs. words remembers what has words: taking out what has
// none changes nothing in that.
func (w *work) removeBackLink(link, block *html.Node, words map[*html.Node]bool) {
	n := link
	for n.Parent != nil && n.Parent != block && !isBlock(n.Parent) && !w.hasWords(n.Parent, words) {
		w.steps.Visit()
		n = n.Parent
	}
	remove(n)
}

// hasWords reports letters or digits below n that are in no link.
func (w *work) hasWords(n *html.Node, known map[*html.Node]bool) bool {
	found, ok := known[n]
	if ok {
		return found
	}
	for c := n.FirstChild; c != nil && !found; c = c.NextSibling {
		w.steps.Visit()
		if c.Type == html.TextNode {
			found = strings.IndexFunc(c.Data, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
		} else if c.DataAtom != atom.A {
			found = w.hasWords(c, known)
		}
	}
	known[n] = found
	return found
}
