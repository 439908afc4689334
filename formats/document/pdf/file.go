package pdf

import (
	"errors"
	"fmt"

	"github.com/ledongthuc/pdf"
)

// file is an open file.
type file struct {
	budget *budget
	view   *overlay
	reader *pdf.Reader
	faces  map[string]*typeface
	names  glyphNames
	off    map[string]bool // optional content groups that are switched off
}

// maxFaces bounds the fonts of a file that are kept.
const maxFaces = 4096

// openFile opens a file in the first of three ways that gives pages: by its cross-reference, by a scan for objects,
// and rewritten by pdfcpu, which also decrypts.
func openFile(b *budget, body []byte, password string) (*file, []leaf, error) {
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
	if isPassword(rewriteErr) && password != "" {
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
func fatal(b *budget, err error) bool {
	return b.err() != nil || errors.Is(err, errUnpacked) || isPassword(err)
}

func isPassword(err error) bool {
	_, ok := errors.AsType[*PasswordError](err)
	return ok
}

func byCrossReference(b *budget, body []byte) (*file, []leaf, error) {
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

func byScan(b *budget, body []byte) (*file, []leaf, error) {
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

func withTable(b *budget, body []byte, t *table) (*file, []leaf, error) {
	if t.trailer["Encrypt"] != nil {
		return nil, nil, errEncrypted
	}
	r, view, err := open(b, body, t)
	if err != nil {
		return nil, nil, fmt.Errorf("open: %w", err)
	}
	f := &file{budget: b, view: view, reader: r, faces: map[string]*typeface{}, names: glyphNames{}}
	f.off = f.switchedOff()
	leaves, err := f.pages()
	if err != nil {
		return nil, nil, err
	}
	return f, leaves, nil
}

func (f *file) trailer() object { return object{f.reader.Trailer(), f} }
func (f *file) root() object    { return f.trailer().key("Root") }

// face is the typeface of a font dictionary; the same dictionary gives the same typeface.
func (f *file) face(o object) *typeface {
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
func (f *file) switchedOff() map[string]bool {
	out := map[string]bool{}
	list := f.root().path("OCProperties", "D", "OFF")
	for i := range min(list.len(), 10_000) {
		out[list.index(i).id()] = true
	}
	return out
}

// hidden reports whether an optional content group, or all of a membership, is switched off.
func (f *file) hidden(group object) bool {
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
