package sitemap

import (
	"encoding/xml"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

const (
	maxField = weburl.MaxLength // bytes of one field's text
	maxPath  = 64               // open elements that are remembered by name

	maxImages = 1000
)

// field is a part of an entry that is read.
type field int

const (
	noField field = iota
	fieldLoc
	fieldLastMod
	fieldPublished // of Atom: stands in for a missing lastmod
	fieldChangeFreq
	fieldPriority
	fieldGUID // of RSS: stands in for a missing loc
	fieldTitle
	fieldNews  // when it was published
	fieldImage // of which there may be many
	numFields
)

// entry is the url, sitemap, item or entry that is being read.
type entry struct {
	open bool
	kind Kind
	name xml.Name
	line int

	path   []xml.Name // open elements within
	beyond int        // open elements that path has no room for
	field  field      // whose text is being read
	buf    []byte     // that text
	bad    bool       // and it is unusable
	raw    [numFields]string
	images []string // as they are written
}

// entryKind reports whether an element is an entry of the document. In an index that lists pages and a url
// set that lists sitemaps the entry's name counts.
func (d *document) entryKind(name string) Kind {
	switch d.kind {
	case URLSet, Index:
		if name == "url" {
			return URLSet
		}
		if name == "sitemap" {
			return Index
		}
	case RSS:
		if name == "item" {
			return RSS
		}
	case Atom:
		if name == "entry" {
			return Atom
		}
	}
	return Unknown
}

func (d *document) startEntry(t xml.StartElement) {
	kind := d.entryKind(strings.ToLower(t.Name.Local))
	if kind == Unknown {
		return
	}
	if kind != d.kind {
		d.problem(Malformed, d.in.line, "<"+t.Name.Local+"> in a sitemap of kind "+d.kind.String(), nil)
	}
	d.entry = entry{open: true, kind: kind, name: t.Name, line: d.in.line, path: d.entry.path[:0], buf: d.entry.buf[:0]}
}

func (d *document) startInEntry(t xml.StartElement) {
	e := &d.entry
	if t.Name == e.name {
		d.problem(Malformed, d.in.line, "<"+e.name.Local+"> without its end", nil)
		e.endField()
		d.emit()
		d.startEntry(t)
		return
	}
	if e.field != noField {
		d.problem(Malformed, d.in.line, "<"+t.Name.Local+"> within a text", nil)
		e.endField()
		e.pop()
	}
	switch len(e.path) {
	case 0:
		e.startField(t)
	case 1:
		e.begin(extensionField(e.path[0], t.Name))
	}
	e.push(t.Name)
}

// extensionField is a field of a protocol's extension, which has an element of its own in the entry. Prefixes are not looked up.
func extensionField(parent, name xml.Name) field {
	if parent.Space != name.Space {
		return noField
	}
	switch strings.ToLower(parent.Local + " " + name.Local) {
	case "news title":
		return fieldTitle
	case "news publication_date":
		return fieldNews
	case "image loc":
		return fieldImage
	}
	return noField
}

// startField begins to read a direct child of the entry. It has the entry's own prefix, so that image:loc, video:* and
// xhtml:link are none.
func (e *entry) startField(t xml.StartElement) {
	name := strings.ToLower(t.Name.Local)
	f := noField
	switch {
	case t.Name.Space == e.name.Space:
		f = e.fieldOf(name, t.Attr)
	case t.Name.Space == "dc" && name == "date" && e.kind == RSS:
		f = fieldLastMod
	}
	e.begin(f)
}

// begin begins to read a field, unless the entry has it.
func (e *entry) begin(f field) {
	if f != noField && e.raw[f] == "" && (f != fieldImage || len(e.images) < maxImages) {
		e.field, e.buf, e.bad = f, e.buf[:0], false
	}
}

func (e *entry) fieldOf(name string, attrs []xml.Attr) field {
	switch e.kind {
	case RSS:
		return rssField(name, attrs)
	case Atom:
		return e.atomField(name, attrs)
	}
	switch name {
	case "loc":
		return fieldLoc
	case "lastmod":
		return fieldLastMod
	case "changefreq":
		return fieldChangeFreq
	case "priority":
		return fieldPriority
	}
	return noField
}

func rssField(name string, attrs []xml.Attr) field {
	switch {
	case name == "link":
		return fieldLoc
	case name == "title":
		return fieldTitle
	case name == "pubdate":
		return fieldLastMod
	case name == "guid" && attr(attrs, "isPermaLink") != "false":
		return fieldGUID
	}
	return noField
}

// atomField takes the address from the link's attribute at once.
func (e *entry) atomField(name string, attrs []xml.Attr) field {
	switch name {
	case "link":
		rel := strings.ToLower(attr(attrs, "rel"))
		if href := attr(attrs, "href"); (rel == "" || rel == "alternate") && e.raw[fieldLoc] == "" && len(href) <= maxField {
			e.raw[fieldLoc] = href
		}
	case "title":
		return fieldTitle
	case "updated":
		return fieldLastMod
	case "published":
		return fieldPublished
	}
	return noField
}

func attr(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Space == "" && strings.EqualFold(a.Name.Local, name) {
			return a.Value
		}
	}
	return ""
}

func (d *document) endInEntry(t xml.EndElement) {
	e := &d.entry
	last := t.Name == e.name || t.Name == d.root && d.rootOpen
	if e.field != noField {
		if t.Name != e.path[len(e.path)-1] {
			d.problem(Malformed, d.in.line, "</"+t.Name.Local+"> ends another element", nil)
			e.pop()
		}
		e.endField()
	}
	if last {
		if t.Name != e.name {
			d.problem(Malformed, d.in.line, "<"+e.name.Local+"> without its end", nil)
		}
		d.emit()
		return
	}
	e.popTo(t.Name)
}

func (e *entry) push(name xml.Name) {
	if len(e.path) == maxPath {
		e.beyond++
		return
	}
	e.path = append(e.path, name)
}

func (e *entry) pop() {
	if len(e.path) > 0 {
		e.path = e.path[:len(e.path)-1]
	}
}

// popTo closes the innermost open element of that name and what is open within; an end without a start is nothing.
func (e *entry) popTo(name xml.Name) {
	if e.beyond > 0 {
		e.beyond--
		return
	}
	for i, n := range slices.Backward(e.path) {
		if n == name {
			e.path = e.path[:i]
			return
		}
	}
}

func (e *entry) text(t []byte) {
	if e.field == noField || e.bad {
		return
	}
	if len(e.buf)+len(t) > maxField {
		e.bad = true
		return
	}
	e.buf = append(e.buf, t...)
}

// endField keeps what was read.
func (e *entry) endField() {
	switch text := strings.Trim(string(e.buf), blankRunes); {
	case e.field == noField || e.bad:
	case e.field == fieldImage:
		e.images = append(e.images, text)
	default:
		e.raw[e.field] = text
	}
	e.field = noField
}

// spoil makes the field that is being read worthless: part of it is missing.
func (e *entry) spoil() { e.bad = true }

// emit passes on the entry, if it has an address, and closes it.
func (d *document) emit() {
	e := &d.entry
	e.open = false
	d.give(e.kind, e.line, e.raw, e.images)
}
