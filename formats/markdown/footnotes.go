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
func footnotes(root *html.Node) {
	refs := noteRefs(root)
	if len(refs) == 0 {
		return
	}
	f := noteFinder{targets: noteTargets(root, refs), notes: make(map[*html.Node]*note), labels: make(map[string]bool), mixed: make(map[*html.Node]bool)}
	for _, r := range refs {
		f.add(r)
	}
	for _, n := range f.order {
		if f.inMixedList(n) {
			continue
		}
		for _, r := range n.refs {
			r.replace(n.label)
		}
		n.replace()
	}
}

// noteRef is a link that may be a reference to a note.
type noteRef struct {
	link     *html.Node
	fragment string
	place    int // in the order of the page
}

// noteRefs finds the short links to places in a page.
func noteRefs(root *html.Node) []noteRef {
	var refs []noteRef
	place := 0
	walk(root, func(n *html.Node) bool {
		place++
		if n.DataAtom == atom.A {
			if fragment := fragmentOf(n); isNoteName(n, fragment) && isNoteMark(noteMark(n)) {
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
func noteMark(n *html.Node) string { return strings.Trim(strings.TrimSpace(textOf(n)), "[]() \u00a0") }

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
func noteTargets(root *html.Node, refs []noteRef) map[string]noteTarget {
	wanted := make(map[string]bool, len(refs))
	for _, r := range refs {
		wanted[r.fragment] = true
	}
	targets := make(map[string]noteTarget, len(refs))
	place := 0
	walk(root, func(n *html.Node) bool {
		place++
		for _, id := range []string{attr(n, "id"), attr(n, "name")} {
			if id == "" || !wanted[id] || targets[id].block != nil {
				continue
			}
			if block := noteBlock(n); block != nil {
				targets[id] = noteTarget{block, place}
			}
		}
		return true
	})
	return targets
}

// noteBlock is the list item, paragraph or box that n is or begins.
func noteBlock(n *html.Node) *html.Node {
	for range 4 {
		switch n.DataAtom {
		case atom.Li, atom.P, atom.Div, atom.Aside:
			return n
		}
		if n.Parent == nil || hasContentAhead(n) {
			return nil
		}
		n = n.Parent
	}
	return nil
}

// hasContentAhead reports a node that does not begin what it is in.
func hasContentAhead(n *html.Node) bool {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
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
	targets map[string]noteTarget
	notes   map[*html.Node]*note // by block; nil for blocks that are none
	order   []*note
	labels  map[string]bool
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
		n = &note{block: target.block, back: linksBack(target.block)}
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
		n.label = f.labelFor(noteMark(r.link))
		f.order = append(f.order, n)
	}
	n.refs = append(n.refs, r)
}

// labelFor is the mark itself when it is a free number, else the next free one.
func (f *noteFinder) labelFor(mark string) string {
	if _, err := strconv.Atoi(mark); err != nil || f.labels[mark] {
		k := len(f.order) + 1
		for mark = strconv.Itoa(k); f.labels[mark]; mark = strconv.Itoa(k) {
			k++
		}
	}
	f.labels[mark] = true
	return mark
}

// linksBack are the links of a block by where they lead; none when the block is too big for a note.
func linksBack(block *html.Node) map[string][]*html.Node {
	links := make(map[string][]*html.Node)
	size := 0
	walk(block, func(n *html.Node) bool {
		if size++; size > maxNote {
			return false
		}
		if n.DataAtom == atom.A {
			if fragment := fragmentOf(n); fragment != "" {
				links[fragment] = append(links[fragment], n)
			}
		}
		return true
	})
	if size > maxNote {
		return nil
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
		mixed = c.DataAtom == atom.Li && !isVoid(c) && (f.notes[c] == nil || len(f.notes[c].refs) == 0)
	}
	f.mixed[list] = mixed
	return mixed
}

// replace puts the mark in the place of a reference and of what is around it alone.
func (r noteRef) replace(label string) {
	n := r.link
	for n.Parent != nil && (n.Parent.DataAtom == atom.Sup || n.Parent.DataAtom == atom.Span) && isAloneInBrackets(n) {
		n = n.Parent
	}
	if n.Parent == nil {
		return // in another note that is gone
	}
	n.Parent.InsertBefore(verbatim(verbatimInline, "[^"+label+"]"), n)
	remove(n)
}

// isAloneInBrackets reports a node with nothing beside it but blanks and brackets.
func isAloneInBrackets(n *html.Node) bool {
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c != n && (c.Type == html.ElementNode || c.Type == html.TextNode && strings.Trim(c.Data, "[]() \t\r\n\u00a0") != "") {
			return false
		}
	}
	return true
}

// footnote is the element that stands for a note; its attribute label is its mark.
const footnote = "footnote"

// replace makes the block a note of Markdown.
func (n *note) replace() {
	for _, r := range n.refs {
		for _, name := range r.names() {
			for _, link := range n.back[name] {
				removeBackLink(link, n.block)
			}
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

// removeBackLink takes out a link and what around it holds nothing else but signs.
func removeBackLink(link, block *html.Node) {
	n := link
	for n.Parent != nil && n.Parent != block && !isBlock(n.Parent) && !hasWords(n.Parent, n) {
		n = n.Parent
	}
	remove(n)
}

// hasWords reports letters or digits below n that are in no link and not in but.
func hasWords(n, but *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c == but, c.DataAtom == atom.A:
		case c.Type == html.TextNode:
			if strings.IndexFunc(c.Data, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0 {
				return true
			}
		case hasWords(c, but):
			return true
		}
	}
	return false
}
