package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// longTitle is the number of words from which a heading is about something of its own.
const longTitle = 8

// removeSections leaves out the sections whose heading says that they are about something else, if they look like it: lists of
// other pages, customers' reviews, forms.
func (p *page) removeSections(stats []stat) {
	heads := p.headings(stats)
	before, after := p.nearestRivals(heads)
	gone := 0 // end of what has been left out
	for k, h := range heads {
		if h < gone {
			continue
		}
		t := topicOf(p.title(h, stats), stats[h].words)
		if t == ownSubject || !p.applies(t) {
			continue
		}
		if from, end := p.section(h, before[k], after[k], stats); p.isAbout(t, from, end, stats) {
			p.leaveOut(from, end)
			gone = max(gone, end)
		}
	}
}

// headings lists the headings below h1 that are left and have words.
func (p *page) headings(stats []stat) []int {
	var heads []int
	for i := 0; i < len(p.nodes); i++ {
		p.steps.Visit()
		if p.out[i] {
			i = p.End(i) - 1
			continue
		}
		if e := &p.nodes[i]; (heading(e) || e.DataAtom == atom.Legend) && e.DataAtom != atom.H1 && stats[i].words > 0 {
			heads = append(heads, i)
			i = p.End(i) - 1
		}
	}
	return heads
}

// title is a heading's text in lower case from its first letter, white space folded; "" when it is a long one.
func (p *page) title(h int, stats []stat) string {
	if stats[h].words > 2*longTitle {
		return ""
	}
	var f folder
	for i := h; i < p.End(h); i++ {
		p.steps.Visit()
		if p.nodes[i].words > 0 {
			f.gap()
			f.text(p.nodes[i].Data)
		}
	}
	return strings.TrimLeftFunc(strings.ToLower(f.String()), func(r rune) bool { return !unicode.IsLetter(r) })
}

// beginning is an entry of titles.
type beginning struct {
	text  string
	topic topic
}

// beginnings holds titles by their first letter.
var beginnings = func() map[rune][]beginning {
	out := make(map[rune][]beginning)
	for t := related; t <= discussion; t++ {
		for _, text := range titles[t] {
			first, _ := utf8.DecodeRuneInString(text)
			out[first] = append(out[first], beginning{text, t})
		}
	}
	return out
}()

// topicOf looks a title up.
func topicOf(title string, words int32) topic {
	first, _ := utf8.DecodeRuneInString(title)
	for _, b := range beginnings[first] {
		if words > longTitle && b.topic != opinions {
			continue
		}
		if rest, ok := strings.CutPrefix(title, b.text); ok && endsWord(b.text, rest) &&
			(b.topic != discussion || !strings.ContainsFunc(rest, unicode.IsLetter)) {
			return b.topic
		}
	}
	return ownSubject
}

// endsWord reports that what comes before rest is a whole word; in scripts without spaces every place is an end.
func endsWord(before, rest string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(rest)
	return unspaced(last) || last >= 0xAC00 && last <= 0xD7A3 || !unicode.IsLetter(next)
}

// applies reports whether sections of a topic are foreign to pages of this kind.
func (p *page) applies(t topic) bool {
	switch t {
	case popular:
		return p.kind != Listing && p.kind != Mixed && p.kind != Table
	case discussion:
		return p.kind != Forum && p.kind != Documentation
	case opinions:
		return p.kind == Product || p.facts.schema[schemaProduct] > 0
	}
	return true
}

// section is the range of nodes that a heading stands above: the largest element that begins with it and has no other heading
// of its rank, or, when it has none, what follows up to the next such heading. before and after are these headings.
func (p *page) section(h, before, after int, stats []stat) (from, end int) {
	from, end = h, p.End(h)
	for up := p.parent(h); up > 0 && before < up && after >= p.End(up) && p.begins(up, from, stats); up = p.parent(up) {
		p.steps.Visit()
		from, end = up, p.End(up)
		if p.nodes[up].DataAtom == atom.Body {
			break
		}
	}
	if stats[from].words > stats[h].words {
		return from, end
	}
	// nothing but the heading: its following siblings are the section
	at := from
	limit := p.End(p.parent(at))
	for next := p.End(at); next < limit && after >= p.End(next); next = p.End(next) {
		p.steps.Visit()
		end = p.End(next)
	}
	return from, end
}

// lookBack bounds how many empty elements before a heading are looked at, so that the work stays linear.
const lookBack = 64

// begins reports that an element has no words, and not many elements, before the node at index first.
func (p *page) begins(up, first int, stats []stat) bool {
	looked := 0
	for c := up + 1; c < first; c = p.End(c) {
		p.steps.Visit()
		if looked++; looked > lookBack || !p.out[c] && stats[c].words > 0 {
			return false
		}
	}
	return true
}

// nearestRivals gives for each heading the last one before it and the first one after it that are of at least its rank; -1 and the
// number of nodes where there is none.
func (p *page) nearestRivals(heads []int) (before, after []int) {
	before, after = make([]int, len(heads)), make([]int, len(heads))
	var open []int // headings that none of at least their rank has followed yet
	for k, h := range heads {
		p.steps.Visit()
		before[k], after[k] = -1, len(p.nodes)
		for len(open) > 0 {
			last := open[len(open)-1]
			if p.nodes[heads[last]].Data <= p.nodes[h].Data {
				before[k] = max(before[k], heads[last])
			}
			if p.nodes[heads[last]].Data < p.nodes[h].Data {
				break
			}
			after[last] = h
			open = open[:len(open)-1]
		}
		open = append(open, k)
	}
	return before, after
}

// isAbout reports that a section looks like its topic, and is not most of the page.
func (p *page) isAbout(t topic, from, end int, stats []stat) bool {
	var s stat
	for i := from; i < end; i = p.End(i) {
		p.steps.Visit()
		if !p.out[i] {
			s.add(&stats[i])
		}
	}
	root := &stats[0]
	if s.h1 > 0 || t != opinions && atLeast(s.words, root.words, 50) || atLeast(s.words, root.words, 85) {
		return false
	}
	switch t {
	case related, popular:
		return s.anchors >= 2 && s.prose*2 <= s.words || s.anchors >= 1 && s.prose == 0
	case answering, letters:
		return s.prose*2 <= s.words || s.words < 80
	}
	return true
}

// leaveOut masks a range of siblings.
func (p *page) leaveOut(from, end int) {
	for i := from; i < end; i = p.End(i) {
		p.steps.Visit()
		p.out[i] = true
	}
}
