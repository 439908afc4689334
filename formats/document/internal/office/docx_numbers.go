package office

import (
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

const numLevels = 9 // of a list, by the format

// numLevel is one level of a list's definition.
type numLevel struct {
	format, text string
	start        int
}

// numList is a list: a definition with the changes of one w:num.
type numList struct {
	abstract string
	levels   [numLevels]numLevel
	restart  [numLevels]bool // levels that this list restarts
}

// docxNumbers counts the items of all lists.
type docxNumbers struct {
	lists  map[string]*numList
	counts map[string]*[numLevels]int // by definition: lists of one definition go on with each other
}

// mark is what stands before a numbered paragraph.
type mark struct {
	item flow.Item
	text string
	more bool // no item of its own: it goes on with the one before
}

func readDocxNumbers(root *xmltree.Node) *docxNumbers {
	d := &docxNumbers{lists: map[string]*numList{}, counts: map[string]*[numLevels]int{}}
	abstract := map[string][numLevels]numLevel{}
	for _, n := range root.Kids {
		switch n.Name {
		case "w:abstractNum":
			abstract[n.Attr("abstractNumId")] = readLevels(n)
		case "w:num":
			id := n.Find("w:abstractNumId").Attr("val")
			list := &numList{abstract: id, levels: abstract[id]}
			list.override(n)
			d.lists[n.Attr("numId")] = list
		}
	}
	return d
}

func readLevels(n *xmltree.Node) (levels [numLevels]numLevel) {
	for _, k := range n.Kids {
		if i := atoi(k.Attr("ilvl")); k.Name == "w:lvl" && i >= 0 && i < numLevels {
			levels[i] = readLevel(k)
		}
	}
	return levels
}

func readLevel(n *xmltree.Node) numLevel {
	l := numLevel{format: n.Find("w:numFmt").Attr("val"), text: n.Find("w:lvlText").Attr("val"), start: 1}
	if v, ok := n.Find("w:start").Lookup("val"); ok {
		l.start = atoi(v)
	}
	return l
}

func (l *numList) override(n *xmltree.Node) {
	for _, k := range n.Kids {
		i := atoi(k.Attr("ilvl"))
		if k.Name != "w:lvlOverride" || i < 0 || i >= numLevels {
			continue
		}
		if lvl := k.Find("w:lvl"); lvl != nil {
			l.levels[i] = readLevel(lvl)
		}
		if v, ok := k.Find("w:startOverride").Lookup("val"); ok {
			l.levels[i].start, l.restart[i] = atoi(v), true
		}
	}
}

// next counts a paragraph and gives its mark; listed is false when it has none that can be seen.
func (d *docxNumbers) next(look docxLook) (m mark, listed bool) {
	list := d.lists[look.numID]
	if list == nil || look.numID == "0" {
		return m, false
	}
	i := min(max(look.ilvl, 0), numLevels-1)
	level := list.levels[i]
	n := d.count(list, i)
	m.item = flow.Item{Level: i, List: list.abstract, Ordered: level.format != "bullet", Number: n}
	if !m.item.Ordered {
		m.item.Number = 0
		m.more = strings.TrimSpace(level.text) == "" // a bullet of nothing
		return m, true
	}
	m.text = d.label(list, i)
	return m, level.format != "none"
}

func (d *docxNumbers) count(list *numList, i int) int {
	counts := d.counts[list.abstract]
	if counts == nil {
		counts = new([numLevels]int)
		for k := range counts {
			counts[k] = list.levels[k].start - 1
		}
		d.counts[list.abstract] = counts
	}
	if list.restart[i] {
		counts[i], list.restart[i] = list.levels[i].start-1, false
	}
	counts[i]++
	for k := i + 1; k < numLevels; k++ {
		counts[k] = list.levels[k].start - 1
	}
	return counts[i]
}

// label is the number as it is shown, such as "2.1" or "(a)".
func (d *docxNumbers) label(list *numList, i int) string {
	counts := d.counts[list.abstract]
	text := list.levels[i].text
	if list.levels[i].format == "none" || len(text) > 64 {
		return ""
	}
	for k := range numLevels {
		hole := "%" + string(rune('1'+k))
		if strings.Contains(text, hole) {
			text = strings.ReplaceAll(text, hole, ordinal(max(counts[k], list.levels[k].start), list.levels[k].format))
		}
	}
	return strings.TrimSpace(text)
}

// ordinal writes a number in one of the formats of lists.
func ordinal(n int, format string) string {
	switch format {
	case "lowerLetter":
		return letters(n)
	case "upperLetter":
		return strings.ToUpper(letters(n))
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "decimalZero":
		if n < 10 {
			return "0" + itoa(n)
		}
	case "none":
		return ""
	}
	return itoa(n)
}

// letters is a, b, … z, aa, bb, … as word processors count.
func letters(n int) string {
	if n < 1 || n > 26*20 {
		return itoa(n)
	}
	return strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return itoa(n)
	}
	out := ""
	for _, d := range []struct {
		value int
		sign  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for n >= d.value {
			out, n = out+d.sign, n-d.value
		}
	}
	return out
}
