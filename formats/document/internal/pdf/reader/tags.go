package reader

import "strings"

// Tags are what a tagged file says about its marked content (ISO 32000-1, 14.7): which is a heading, what pictures
// show, which cell of a table or item of a list it is in, and what is read after what.
type Tags struct {
	Parts  map[MarkedPlace]Part
	Levels map[MarkedPlace]int
	Alts   map[MarkedPlace]string
	Cells  map[MarkedPlace]Cell
	Items  map[MarkedPlace]Item
	left   int // elements that may still be looked at
	tables int
	items  int
	part   int
	label  bool // only the mark of an item is noted of the part
}

// Item is an item of a tagged list, by a number from 1. Label reports the mark before its text.
type Item struct {
	Number int
	Label  bool
}

// MarkedPlace is marked content: its number counts on its page.
type MarkedPlace struct {
	Page Ref
	Mark int32
}

// maxTags bounds the elements of a file that are looked at.
const maxTags = 50_000

// element is what an element of the structure passes down.
type element struct {
	page  Ref
	level int
	alt   string
	table *tagTable // nil in none
	cell  *Cell
	item  Item
	whole bool
}

// ReadTags walks the structure tree. A file without one has no tags.
func (f *File) ReadTags() Tags {
	t := Tags{
		Parts: map[MarkedPlace]Part{}, Levels: map[MarkedPlace]int{}, Alts: map[MarkedPlace]string{},
		Cells: map[MarkedPlace]Cell{}, Items: map[MarkedPlace]Item{},
		left: maxTags,
	}
	root := f.root().key("StructTreeRoot")
	if root.isDict() {
		t.walk(root.key("K"), root.key("RoleMap"), element{}, 0)
	}
	return t
}

func (t *Tags) walk(o, roles object, e element, depth int) {
	if t.left--; t.left < 0 || depth > 64 {
		return
	}
	switch {
	case o.isArray():
		for i := range o.len() {
			t.walk(o.index(i), roles, e, depth+1)
		}
	case o.isInt():
		t.note(o.int(), e)
	case o.isDict():
		if page, has := pageOf(o); has {
			e.page = page
		}
		if id := o.key("MCID"); id.isInt() {
			t.note(id.int(), e)
			return
		}
		role := roleOf(o, roles)
		e.read(o, role)
		t.structure(&e, o, role)
		e.whole = t.begins(role, e.whole)
		t.walk(o.key("K"), roles, e, depth+1)
		if !inline[role] {
			t.part++
		}
	}
}

func (t *Tags) note(mark int64, e element) {
	at := MarkedPlace{e.page, int32(mark)}
	t.Parts[at] = Part{Number: t.part, Order: len(t.Parts), Whole: e.whole}
	t.label = e.item.Label
	if e.level > 0 {
		t.Levels[at] = e.level
	}
	if e.alt != "" {
		t.Alts[at] = e.alt
	}
	if e.cell != nil {
		t.Cells[at] = *e.cell
	}
	if e.item.Number > 0 {
		t.Items[at] = e.item
	}
}

// roleOf is an element's role: its own or the one that the file maps it to.
func roleOf(o, roles object) string {
	role := o.key("S").name()
	for range 4 {
		next := roles.key(role).name()
		if next == "" || next == role {
			break
		}
		role = next
	}
	return role
}

// read takes what an element's role says of its content.
func (e *element) read(o object, role string) {
	switch role {
	case "H", "Title":
		e.level = 1
	case "H1", "H2", "H3", "H4", "H5", "H6":
		e.level = int(role[1] - '0')
	case "Table", "L", "TOC", "Figure", "Note":
		e.level = 0
	}
	if role == "Figure" || role == "Formula" {
		e.alt = Tidy(o.key("Alt").text())
	}
}

// pageOf is the reference of an element's page, which only the element's own syntax shows.
func pageOf(o object) (Ref, bool) {
	id := o.id()
	if !strings.Contains(id, "/Pg ") {
		return Ref{}, false
	}
	p := parser{buf: []byte(id), refs: true}
	d, _ := p.object().(map[string]any)
	r, ok := d["Pg"].(Ref)
	return r, ok
}
