package flow

import "strconv"

// Item is a place in a list.
type Item struct {
	Level   int    // from 0
	List    string // items of one list have the same; another one starts a new list
	Ordered bool
	Number  int // of an ordered item; 0: one more than the one before
}

// openList is a list whose last item is still open.
type openList struct {
	Item
	next int
}

const maxListLevel = 12

// Item writes an item, with the lists around it as far as they aren't open. An empty p writes nothing.
func (f *Flow) Item(it Item, p *Inline) {
	if p.Empty() || f.Full() {
		return
	}
	it.Level = min(max(it.Level, 0), maxListLevel)
	f.closePre()
	f.closeQuote()
	f.closeLists(it)
	if n := len(f.lists); n > 0 && f.lists[n-1].Level == it.Level {
		f.nextItem(it)
	} else {
		f.startList(it)
	}
	f.inline(p)
}

// More writes another paragraph of the item that is open, or an ordinary one where there is none.
func (f *Flow) More(p *Inline) {
	if len(f.lists) == 0 {
		f.Para(p)
		return
	}
	if !p.Empty() && !f.Full() {
		f.wrap("p", p)
	}
}

// closeLists closes what is deeper than it, and a list of its level that it doesn't belong to.
func (f *Flow) closeLists(it Item) {
	for n := len(f.lists); n > 0; n = len(f.lists) {
		top := f.lists[n-1]
		same := top.Level == it.Level && top.Ordered == it.Ordered && top.List == it.List
		if top.Level < it.Level || same {
			return
		}
		f.closeList()
	}
}

func (f *Flow) closeList() {
	n := len(f.lists) - 1
	f.raw("</li>\n" + f.lists[n].end() + "\n")
	f.lists = f.lists[:n]
}

func (f *Flow) startList(it Item) {
	start := ""
	if it.Ordered && it.Number > 1 {
		start = ` start="` + strconv.Itoa(it.Number) + `"`
	}
	tag := "<ul>"
	if it.Ordered {
		tag = "<ol" + start + ">"
	}
	f.block()
	f.raw("\n" + tag + "\n<li>")
	f.lists = append(f.lists, openList{it, max(it.Number, 1) + 1})
}

func (f *Flow) nextItem(it Item) {
	top := &f.lists[len(f.lists)-1]
	value := ""
	if it.Ordered && it.Number > 0 && it.Number != top.next {
		value = ` value="` + strconv.Itoa(it.Number) + `"`
		top.next = it.Number
	}
	top.next++
	f.raw("</li>\n<li" + value + ">")
}

func (l openList) end() string {
	if l.Ordered {
		return "</ol>"
	}
	return "</ul>"
}

// Note writes a foot- or endnote as an item of a list of notes. Nothing else may be in the same Flow.
func (f *Flow) Note(n int, content *Flow) {
	f.block()
	number := strconv.Itoa(n)
	f.raw(`<li id="note-` + number + `">`)
	f.buf = append(f.buf, content.cell()...)
	f.raw(` <a href="#note-ref-` + number + `">↩</a></li>` + "\n")
}

// Notes writes a list of notes after a rule.
func (f *Flow) Notes(list *Flow) {
	f.Rule()
	f.raw(`<section role="doc-endnotes">` + "\n<ol>\n")
	f.buf = append(f.buf, list.HTML()...)
	f.raw("</ol>\n</section>\n")
}
