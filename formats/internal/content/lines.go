package content

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
)

// line is the text of a short block or of a link.
type line struct {
	at   int32
	hash uint64
	part int32
}

const (
	shortLine   = 8  // words of a line that can be a control
	manyParts   = 3  // parts that a line must come in
	repeatShare = 60 // percent of the parts that a line must come in
)

// removeRepeatedLines leaves out the short lines that most cards or posts have in common: "Reply", "Share", "Add to cart",
// "Read more", in any language. Lines with figures stay, since prices and dates may well be the same.
func (p *page) removeRepeatedLines(stats []stat, posts bool) {
	var lines []line
	parts := int32(0)
	for _, r := range p.facts.runs.parts {
		if r.post == posts && stats[r.at].words > 0 {
			lines = p.linesOf(r, parts, stats, lines)
			parts++
		}
	}
	count := make(map[uint64]int32)
	last := make(map[uint64]int32)
	for _, l := range lines {
		if last[l.hash] != l.part+1 {
			last[l.hash] = l.part + 1
			count[l.hash]++
		}
	}
	for _, l := range lines {
		if n := count[l.hash]; n >= manyParts && atLeast(n, parts, repeatShare) {
			p.out[l.at] = true
		}
	}
}

// linesOf appends the short lines of one part.
func (p *page) linesOf(r part, number int32, stats []stat, lines []line) []line {
	figures := 0 // a text with figures, for which what holds it is no line
	for i := r.at + 1; i < p.End(r.at); i++ {
		p.steps.Visit()
		e := &p.nodes[i]
		if p.out[i] || stats[i].words == 0 {
			i = p.End(i) - 1
			continue
		}
		if (int(e.block) == i || e.DataAtom == atom.A) && e.words == 0 && stats[i].words <= shortLine &&
			stats[i].h1 == 0 && (r.post || !heading(e)) {
			if i <= figures && figures < p.End(i) {
				continue
			}
			h, at := p.hashLine(i)
			if figures = max(figures, at); at > 0 {
				continue
			}
			lines = append(lines, line{int32(i), h, number})
			i = p.End(i) - 1
		}
	}
	return lines
}

func heading(e *node) bool {
	switch e.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// hashLine hashes the words of what is left of an element. When there are figures among them it gives the text that they are in instead.
func (p *page) hashLine(at int) (hash uint64, figures int) {
	h := uint64(hashStart)
	for i := at; i < p.End(at); i++ {
		p.steps.Visit()
		if p.out[i] {
			i = p.End(i) - 1
			continue
		}
		if p.nodes[i].words == 0 {
			continue
		}
		for word := range strings.FieldsSeq(p.nodes[i].Data) {
			for _, r := range word {
				if unicode.IsDigit(r) {
					return 0, i
				}
				h = (h ^ uint64(unicode.ToLower(r))) * hashPrime
			}
			h = (h ^ ' ') * hashPrime
		}
	}
	return h, 0
}
