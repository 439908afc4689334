package reader

import (
	"errors"
	"fmt"

	"github.com/ledongthuc/pdf"
)

// File is an open file.
type File struct {
	Budget *Budget
	view   *overlay
	reader *pdf.Reader
	faces  map[string]*Typeface
	names  glyphNames
	off    map[string]bool // optional content groups that are switched off
}

// maxFaces bounds the fonts of a file that are kept.
const maxFaces = 4096

// Open opens a file in the first of three ways that gives pages: by its cross-reference, by a scan for objects,
// and rewritten by pdfcpu, which also decrypts.
func Open(b *Budget, body []byte, password string) (*File, []Leaf, error) {
	f, leaves, err := byCrossReference(b, body)
	if err == nil || fatal(b, err) {
		return f, leaves, err
	}
	if !errors.Is(err, errEncrypted) {
		f, leaves, scanErr := byScan(b, body)
		if scanErr == nil || fatal(b, scanErr) {
			return f, leaves, scanErr
		}
		err = errors.Join(err, scanErr)
	}
	encrypted := errors.Is(err, errEncrypted)
	clear, rewriteErr := rewrite(b, body, "", encrypted)
	if IsPassword(rewriteErr) && password != "" {
		clear, rewriteErr = rewrite(b, body, password, encrypted)
	}
	if rewriteErr != nil {
		if fatal(b, rewriteErr) || encrypted {
			return nil, nil, rewriteErr
		}
		return nil, nil, errors.Join(err, rewriteErr)
	}
	return byCrossReference(b, clear)
}

// errEncrypted is a file that has to be decrypted first.
var errEncrypted = errors.New("encrypted")

// fatal reports whether another way to open the file is of no use.
func fatal(b *Budget, err error) bool {
	return b.Err() != nil || errors.Is(err, ErrUnpacked) || IsPassword(err)
}

// IsPassword reports a *PasswordError.
func IsPassword(err error) bool {
	_, ok := errors.AsType[*PasswordError](err)
	return ok
}

func byCrossReference(b *Budget, body []byte) (*File, []Leaf, error) {
	t, err := lookup(b, body)
	if err != nil {
		return nil, nil, err
	}
	if t.verify(body) > 0 || !isRef(t.trailer["Root"]) {
		found, err := scan(b, body)
		if err != nil {
			return nil, nil, err
		}
		t.complete(found)
	}
	return withTable(b, body, t)
}

func byScan(b *Budget, body []byte) (*File, []Leaf, error) {
	t, err := scan(b, body)
	if err != nil {
		return nil, nil, err
	}
	t.scanned = true
	t.addPacked(b, body)
	if !isRef(t.trailer["Root"]) && len(t.pages) == 0 {
		return nil, nil, errors.New("no pages and no catalog")
	}
	return withTable(b, body, t)
}

func withTable(b *Budget, body []byte, t *table) (*File, []Leaf, error) {
	if t.trailer["Encrypt"] != nil {
		return nil, nil, errEncrypted
	}
	r, view, err := open(b, body, t)
	if err != nil {
		return nil, nil, fmt.Errorf("open: %w", err)
	}
	f := &File{Budget: b, view: view, reader: r, faces: map[string]*Typeface{}, names: glyphNames{}}
	f.off = f.switchedOff()
	leaves, err := f.pages()
	if err != nil {
		return nil, nil, err
	}
	return f, leaves, nil
}

func (f *File) trailer() object { return object{f.reader.Trailer(), f} }
func (f *File) root() object    { return f.trailer().key("Root") }

// face is the typeface of a font dictionary; the same dictionary gives the same typeface.
func (f *File) face(o object) *Typeface {
	if !o.isDict() {
		return nil
	}
	id := o.id()
	if t, ok := f.faces[id]; ok {
		return t
	}
	t := newTypeface(o, f.names)
	if len(f.faces) < maxFaces {
		f.faces[id] = t
	}
	return t
}

// switchedOff are the optional content groups that are not shown (ISO 32000-1, 8.11.4).
func (f *File) switchedOff() map[string]bool {
	out := map[string]bool{}
	list := f.root().path("OCProperties", "D", "OFF")
	for i := range min(list.len(), 10_000) {
		out[list.index(i).id()] = true
	}
	return out
}

// hidden reports whether an optional content group, or all of a membership, is switched off.
func (f *File) hidden(group object) bool {
	if len(f.off) == 0 || !group.isDict() {
		return false
	}
	members := group.key("OCGs")
	if members.isDict() {
		return f.off[members.id()]
	}
	if !members.isArray() {
		return f.off[group.id()]
	}
	for i := range min(members.len(), 100) {
		if !f.off[members.index(i).id()] {
			return false
		}
	}
	return members.len() > 0
}
