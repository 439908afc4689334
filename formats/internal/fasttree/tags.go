package fasttree

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// startTag scans <name key=value …>.
func (s *scanner) startTag() {
	i := s.tagName(s.at + 1)
	s.attrs = s.attrs[:0]
	valueEnd := -1 // of the last attribute
	for i = s.spaces(i); i < len(s.body) && s.body[i] != '>'; i = s.spaces(i) {
		a := s.attribute(i)
		i = a.end
		if len(a.key) > 0 && s.keep(a) {
			valueEnd = a.valueEnd
		}
	}
	if i >= len(s.body) {
		s.refuse("breaks off")
		return
	}
	s.tok.kind, s.tok.closed = html.StartTagToken, s.body[i-1] == '/' && i != valueEnd
	s.tok.attr = s.ownAttrs()
	if s.at = i + 1; s.tok.el.isRaw() {
		s.rawTag = s.tok.name
	}
}

// endTag scans </name …>.
func (s *scanner) endTag() {
	i := s.tagName(s.at + 2)
	for i = s.spaces(i); i < len(s.body) && s.body[i] != '>'; i = s.spaces(i) {
		i = s.attribute(i).end
	}
	if i >= len(s.body) {
		s.refuse("breaks off")
		return
	}
	s.tok.kind = html.EndTagToken
	s.at = i + 1
}

// tagName scans the name that begins at i, and returns where it ends.
func (s *scanner) tagName(i int) int {
	from := i
	for i < len(s.body) && !endsName(s.body[i]) {
		i++
	}
	name := s.lower(s.body[from:i])
	el := known(name)
	s.tok = token{el: el, name: el.name}
	if el.name == "" {
		s.tok.name = s.common(name)
		s.tok.el.atom = atom.Lookup(name)
	}
	return i
}

func endsName(c byte) bool { return isSpace(c) || c == '/' || c == '>' }

func (s *scanner) spaces(i int) int {
	for i < len(s.body) && isSpace(s.body[i]) {
		i++
	}
	return i
}

// scanned is an attribute as the page has it.
type scanned struct {
	key, value []byte
	valueEnd   int
	end        int // where to go on
}

// attribute scans an attribute that begins at i; it has no key where there is only a slash.
func (s *scanner) attribute(i int) (a scanned) {
	from := i
	for i < len(s.body) && !endsName(s.body[i]) && (s.body[i] != '=' || i == from) {
		i++
	}
	a.key, a.valueEnd = s.body[from:i], i
	i = s.spaces(i)
	switch {
	case i >= len(s.body):
	case s.body[i] == '/':
		i++
	case s.body[i] == '=':
		s.value(&a, s.spaces(i+1))
		return a
	}
	a.end = i
	return a
}

// value scans the value that begins at i, after = and white space.
func (s *scanner) value(a *scanned, i int) {
	if a.end = i; i >= len(s.body) || s.body[i] == '>' {
		return
	}
	quote := s.body[i]
	if quote == '"' || quote == '\'' {
		n := bytes.IndexByte(s.body[i+1:], quote)
		if n < 0 {
			a.end = len(s.body)
			return
		}
		a.valueEnd, a.end = i+1+n, i+n+2
		a.value = s.body[i+1 : a.valueEnd]
		return
	}
	from := i
	for i < len(s.body) && !isSpace(s.body[i]) && s.body[i] != '>' {
		i++
	}
	a.value, a.valueEnd, a.end = s.body[from:i], i, i
}

// keep adds an attribute to those of the tag, unless it has one of this key.
func (s *scanner) keep(a scanned) bool {
	key := s.common(s.lower(a.key))
	for i := range s.attrs {
		if s.attrs[i].Key == key {
			return false
		}
	}
	s.attrs = append(s.attrs, html.Attribute{Key: key, Val: s.attrValue(a.value)})
	if len(s.attrs) > maxAttributes {
		s.refuse("many attributes")
	}
	return true
}

// maxAttributes of one tag are compared with each other.
const maxAttributes = 256

// ownAttrs copies the attributes of the tag to memory of their own.
func (s *scanner) ownAttrs() []html.Attribute {
	if len(s.attrs) == 0 {
		return nil
	}
	return s.room.Attributes(s.attrs, s.atOnce())
}

// atOnce is how many nodes or attributes memory is taken for: as many as may come in a small page.
func (s *scanner) atOnce() int { return min(maxAtOnce, 8+(len(s.body)-s.at)/32) }

const maxAtOnce = 256
