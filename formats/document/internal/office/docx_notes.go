package office

import (
	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// docxNotes are foot- and endnotes, numbered together in the order of their marks.
type docxNotes struct {
	foot, end map[string]*xmltree.Node
	footRels  map[string]relation
	endRels   map[string]relation
	order     []docxNote
	numbers   map[*xmltree.Node]int // of those in order
	writing   bool
}

type docxNote struct {
	node *xmltree.Node
	rels map[string]relation
}

func (d *docx) loadNotes() (err error) {
	n := d.notes
	if n.foot, n.footRels, err = d.notePart("footnotes", "w:footnote"); err != nil {
		return err
	}
	n.end, n.endRels, err = d.notePart("endnotes", "w:endnote")
	return err
}

func (d *docx) notePart(kind, element string) (map[string]*xmltree.Node, map[string]relation, error) {
	name := byKind(d.rels, kind, "word/"+kind+".xml")
	root, err := d.tree(name)
	if err != nil {
		return nil, nil, err
	}
	notes := map[string]*xmltree.Node{}
	for _, k := range root.Kids {
		if kind := k.Attr("type"); k.Name == element && (kind == "" || kind == "normal") { // others are lines between text and notes
			notes[k.Attr("id")] = k
		}
	}
	rels, err := d.relations(name)
	return notes, rels, err
}

// noteMark writes the number of a note and remembers it for the end.
func (d *docx) noteMark(k *xmltree.Node, p *flow.Inline) {
	n := d.notes
	note := docxNote{n.foot[k.Attr("id")], n.footRels}
	if k.Name == "w:endnoteReference" {
		note = docxNote{n.end[k.Attr("id")], n.endRels}
	}
	if note.node == nil || n.writing {
		return
	}
	if number := n.numbers[note.node]; number > 0 { // referred to again
		p.NoteMark(number)
		return
	}
	n.order = append(n.order, note)
	n.numbers[note.node] = len(n.order)
	p.NoteMark(len(n.order))
}

// writeNotes writes the notes that were referred to, as a list whose numbers are their marks.
func (d *docx) writeNotes() {
	if len(d.notes.order) == 0 {
		return
	}
	d.notes.writing = true
	list := d.out.Sub()
	for i, note := range d.notes.order {
		if d.out.Full() {
			break
		}
		sub := *d
		sub.rels, sub.out = note.rels, d.out
		list.Note(i+1, sub.part(note.node))
	}
	d.out.Notes(list)
}
