package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxTokens  = 5_000_000 // tags and texts of one document: far more than 50 000 full entries have in 50 MiB
	maxFaults  = 100_000   // broken tokens after which a document is given up: each costs a new decoder
	maxProlog  = 32        // elements before the root that are looked at
	blankRunes = " \t\r\n\v\f\u00a0\u200b\ufeff"
)

// looksLikeXML distinguishes XML, also behind blanks or junk, from text.
func looksLikeXML(src *source) bool {
	head, _ := src.Peek(headSize)
	if bytes.HasPrefix(bytes.TrimLeft(head, blankRunes), []byte("<")) {
		return true
	}
	for _, sign := range []string{"<?xml", "urlset", "<sitemapindex", ":sitemapindex", "<rss", "<feed"} {
		if bytes.Contains(head, []byte(sign)) && bytes.IndexByte(head, '<') >= 0 {
			return true
		}
	}
	return false
}

// document reads one XML document.
type document struct {
	*stream
	in  *input
	dec *xml.Decoder

	kind     Kind
	root     xml.Name
	rootOpen bool
	first    string // name of the first element
	prolog   int    // elements before the root
	junk     bool   // text before the root
	budget   int    // tokens that may still be read
	faults   int
	entry    entry
}

func newDocument(s *stream, src *source) *document {
	d := &document{stream: s, in: &input{src: src, line: 1}, budget: maxTokens}
	d.restart()
	return d
}

// restart makes a decoder that goes on where the input is; an old one stays in its error.
func (d *document) restart() {
	d.dec = xml.NewDecoder(d.in)
	d.dec.Strict = false
	d.dec.Entity = xml.HTMLEntity
	d.dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // UTF-8 by now
}

// read goes through the document and returns why it ended: nil when the reading stopped by itself.
func (d *document) read() error {
	for !d.done {
		tok, err := d.token()
		if err != nil {
			return d.close(err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			d.start(t)
		case xml.EndElement:
			d.end(t)
		case xml.CharData:
			d.text(t)
		}
	}
	return nil
}

// token reads up to the next good token. RawToken, since this package decides about elements that aren't closed in order.
func (d *document) token() (xml.Token, error) {
	for !d.done {
		if d.budget--; d.budget < 0 {
			return nil, errTooLarge
		}
		d.in.begin()
		tok, err := d.dec.RawToken()
		switch {
		case err == nil:
			return tok, nil
		case d.in.err == io.EOF && err != io.EOF: // within a token
			return nil, io.ErrUnexpectedEOF
		case d.in.err != nil:
			return nil, d.in.err
		}
		d.fault(err)
	}
	return nil, io.EOF
}

// fault reports a broken token and goes on behind it. Only a field that was being read is lost. A token that is only long
// and of no use here isn't reported.
func (d *document) fault(err error) {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		err = errors.New(syntax.Msg) // its line counts from the last fault
	}
	if err != errLongToken || d.entry.field != noField || d.in.inTag() {
		d.problem(Malformed, d.in.line, "", err)
	}
	if d.faults++; d.faults > maxFaults {
		d.finally(Malformed, d.in.line, fmt.Sprintf("stopped after %d faults", maxFaults), nil)
		d.done = true
		return
	}
	d.entry.spoil()
	d.in.resync()
	d.restart()
	if name, ok := d.in.brokenTag(); ok {
		d.start(xml.StartElement{Name: name})
	}
}

func (d *document) start(t xml.StartElement) {
	switch {
	case d.kind == Unknown:
		d.findRoot(t)
	case d.entry.open:
		d.startInEntry(t)
	default:
		d.startEntry(t)
	}
}

// findRoot looks for the root among the first elements: there are error messages before it, and envelopes around it.
func (d *document) findRoot(t xml.StartElement) {
	name := strings.ToLower(t.Name.Local)
	d.prolog++
	if d.prolog == 1 {
		d.first = t.Name.Local
	}
	switch d.kind = rootKind(name); {
	case d.kind != Unknown:
		d.root, d.rootOpen = t.Name, true
		if d.junk || d.prolog > 1 {
			d.problem(Malformed, d.in.line, "text or elements before the root", nil)
		}
	case d.prolog == 1 && (name == "url" || name == "sitemap"):
		d.problem(Malformed, d.in.line, "no root element", nil)
		d.kind = rootless(name)
		d.startEntry(t)
	case name == "html" || name == "body" || d.prolog >= maxProlog:
		d.notSitemap()
		d.done = true
	}
}

func rootKind(name string) Kind {
	switch name {
	case "urlset":
		return URLSet
	case "sitemapindex":
		return Index
	case "rss", "rdf":
		return RSS
	case "feed":
		return Atom
	}
	return Unknown
}

func rootless(name string) Kind {
	if name == "sitemap" {
		return Index
	}
	return URLSet
}

func (d *document) notSitemap() {
	detail := "no element"
	if d.first != "" {
		detail = fmt.Sprintf("begins with <%s>", d.first)
	}
	d.finally(NotSitemap, 0, detail, nil)
}

func (d *document) end(t xml.EndElement) {
	if d.entry.open {
		d.endInEntry(t)
	}
	if !d.entry.open && t.Name == d.root {
		d.rootOpen = false
	}
}

func (d *document) text(t xml.CharData) {
	switch {
	case d.entry.open:
		d.entry.text(t)
	case d.kind == Unknown && !d.junk:
		d.junk = len(bytes.Trim(t, blankRunes)) > 0
	}
}

// close returns what is left at the end of the bytes and says why that is the end.
func (d *document) close(end error) error {
	cut := d.rootOpen || d.entry.open
	if d.entry.open {
		d.entry.field = noField // it may lack its end
		d.emit()
	}
	if d.in.err != io.EOF {
		return end
	}
	switch {
	case d.kind == Unknown:
		d.notSitemap()
	case cut:
		return io.ErrUnexpectedEOF
	case end != io.EOF:
		d.problem(Malformed, d.in.line, "broken markup after the root", nil)
	}
	return io.EOF
}
