// Package slides reads presentations of PowerPoint 97 to 2003 (MS-PPT): the texts of slides and their notes, as shapes.
//
// It opens no container, and reads no pictures, charts or master slides. What a damaged file claims beyond its end isn't there.
// Start from Open.
//
//	slides.go   Open, Deck, Slide: which slides there are, in their order
//	records.go  the records that a file consists of
//	shapes.go   the shapes of a slide
//	texts.go    the texts of shapes
package slides

import (
	"encoding/binary"
	"errors"
	"iter"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

var (
	// ErrEncrypted means that the presentation is under a password.
	ErrEncrypted = errors.New("the presentation is encrypted")
	// ErrFormat means that the file holds no presentation of PowerPoint 97 to 2003.
	ErrFormat = errors.New("not a presentation of PowerPoint 97 to 2003")
)

// Deck is a presentation that is open.
type Deck struct {
	stream  []byte
	persist map[uint32]uint32 // where the newest version of each object lies
	outline []entry           // the slides, in their order
	notes   map[uint32][]Paragraph
}

// entry is a slide in the outline, with the texts that its placeholders show.
type entry struct {
	object, id uint32
	texts      []text
}

// Slide is one slide.
type Slide struct {
	Hidden bool
	Shapes []Shape
	Notes  []Paragraph
	// Pictures and Comments are how many there are; they are not read.
	Pictures, Comments int
}

// maxObjects bounds the objects of a presentation.
const maxObjects = 1 << 18

// Open reads which slides there are. Errors are ErrEncrypted, ErrFormat and compound.ErrNoStream.
func Open(f *compound.File) (*Deck, error) {
	const plain, encrypted = 0xE391C05F, 0xF3D1C4DF
	stream, err := f.Root.Stream("PowerPoint Document")
	if err != nil {
		return nil, err
	}
	user, err := f.Root.Stream("Current User")
	if err != nil || len(user) < 20 {
		return nil, ErrFormat
	}
	switch binary.LittleEndian.Uint32(user[12:]) {
	case encrypted:
		return nil, ErrEncrypted
	case plain:
	default:
		return nil, ErrFormat
	}
	d := &Deck{stream: stream, persist: map[uint32]uint32{}, notes: map[uint32][]Paragraph{}}
	document := d.readEdits(binary.LittleEndian.Uint32(user[16:]))
	if document.kind != recDocument {
		return nil, ErrFormat
	}
	d.readDocument(document)
	return d, nil
}

// readEdits follows the edits of the file from the newest to the first, and returns the document.
func (d *Deck) readEdits(at uint32) (document record) {
	const head, each = 24, 4
	root := uint32(0)
	for seen := map[uint32]bool{}; !seen[at]; {
		seen[at] = true
		edit := recordAt(d.stream, at)
		if edit.kind != recUserEdit || len(edit.body) < head {
			break
		}
		if root == 0 {
			root = u32(edit.body, 16)
		}
		d.readPersist(recordAt(d.stream, u32(edit.body, 12)))
		if at = u32(edit.body, 8); at == 0 {
			break
		}
	}
	return d.object(root)
}

// readPersist reads a table of objects: runs of a first number with a count, and a place for each.
func (d *Deck) readPersist(table record) {
	if table.kind != recPersist {
		return
	}
	for b := table.body; len(b) >= 4; {
		first, n := u32(b, 0)&0xFFFFF, u32(b, 0)>>20
		b = b[4:]
		for i := uint32(0); i < n && len(b) >= 4 && len(d.persist) < maxObjects; i++ {
			if _, newer := d.persist[first+i]; !newer {
				d.persist[first+i] = u32(b, 0)
			}
			b = b[4:]
		}
	}
}

func (d *Deck) object(number uint32) record {
	at, ok := d.persist[number]
	if !ok {
		return record{}
	}
	return recordAt(d.stream, at)
}

// readDocument reads the lists of slides and of notes.
func (d *Deck) readDocument(document record) {
	const slides, notes = 0, 2
	for list := range document.children() {
		if list.kind != recList {
			continue
		}
		switch entries := entriesOf(list); list.instance {
		case slides:
			d.outline = append(d.outline, entries...)
		case notes:
			for _, e := range entries {
				d.readNotes(d.object(e.object))
			}
		}
	}
}

// entriesOf are the slides of a list.
func entriesOf(list record) (all []entry) {
	for r := range list.children() {
		if r.kind == recPersistAtom && len(r.body) >= 16 {
			all = append(all, entry{object: u32(r.body, 0), id: u32(r.body, 12)})
		} else if len(all) > 0 {
			e := &all[len(all)-1]
			e.texts = addText(e.texts, r)
		}
	}
	return all
}

func (d *Deck) readNotes(notes record) {
	slide := uint32(0)
	for r := range notes.children() {
		if r.kind == recNotesAtom && len(r.body) >= 4 {
			slide = u32(r.body, 0)
		}
	}
	for _, s := range shapesOf(notes, nil).shapes {
		if s.Kind == Notes {
			d.notes[slide] = append(d.notes[slide], s.Paragraphs...)
		}
	}
}

// Slides gives the slides in the order in which they are shown.
func (d *Deck) Slides() iter.Seq[Slide] {
	return func(yield func(Slide) bool) {
		for _, e := range d.outline {
			if !yield(d.slide(e)) {
				return
			}
		}
	}
}

func (d *Deck) slide(e entry) Slide {
	r := d.object(e.object)
	found := shapesOf(r, e.texts)
	s := Slide{Shapes: found.shapes, Pictures: found.pictures, Comments: found.comments, Notes: d.notes[e.id]}
	const flagsAt, hidden = 10, 4
	for in := range r.children() {
		if in.kind == recSlideInfo && len(in.body) >= flagsAt+2 {
			s.Hidden = binary.LittleEndian.Uint16(in.body[flagsAt:])&hidden != 0
		}
	}
	return s
}
