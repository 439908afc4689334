package cidmap

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Map is a predefined map from codes to CIDs. It doesn't change and is safe for concurrent use.
type Map struct {
	// Collection is what the CIDs are of, as "Adobe-Japan1".
	Collection string
	// Vertical reports that text runs from the top to the bottom.
	Vertical bool

	form   form
	spaces *Spaces
	chain  []*Section // the map, the one that it changes, and so on
}

// form is what the codes of a map are.
type form byte

const (
	legacy form = iota // an older encoding
	ucs2
	utf8Codes
	utf16Codes
	utf32Codes
)

// forms are the parts of names that say the form.
var forms = map[string]form{"-UCS2-": ucs2, "-UTF8-": utf8Codes, "-UTF16-": utf16Codes, "-UTF32-": utf32Codes}

func formOf(name string) form {
	for part, f := range forms {
		if strings.Contains(name, part) {
			return f
		}
	}
	return legacy
}

// stored is the name of the map that the file has for a name: one by UTF-32 for those by UTF-8 and UTF-16 too.
func stored(name string) string {
	return strings.NewReplacer("-UTF8-", "-UTF32-", "-UTF16-", "-UTF32-").Replace(name)
}

// Encoding is the predefined map of a name, as "90ms-RKSJ-H". nil: there is none. Identity-H and Identity-V are none: their
// codes are CIDs of any collection.
func Encoding(name string) *Map {
	s := library().get(stored(name))
	if s == nil || s.Collection == s.Name {
		return nil
	}
	m := &Map{Collection: s.Collection, Vertical: s.Vertical, form: formOf(name)}
	for ; s != nil; s = library().get(s.Base) {
		m.chain, m.spaces = append(m.chain, s), &s.Spaces
	}
	return m
}

// Next cuts one code off a string that isn't empty: the code, and how many bytes it took. A code of a map by UTF-8 or UTF-16
// is its code point.
func (m *Map) Next(s string) (code uint32, size int) {
	switch m.form {
	case utf8Codes:
		r, n := utf8.DecodeRuneInString(s)
		return uint32(r), n
	case utf16Codes:
		return nextUTF16(s)
	}
	return m.spaces.Next(s)
}

func nextUTF16(s string) (code uint32, size int) {
	if len(s) < 2 {
		return uint32(s[0]), 1
	}
	unit := func(at int) rune { return rune(s[at])<<8 | rune(s[at+1]) }
	if len(s) >= 4 {
		if r := utf16.DecodeRune(unit(0), unit(2)); r != utf8.RuneError {
			return uint32(r), 4
		}
	}
	return uint32(unit(0)), 2
}

// CID is the glyph of a code that Next cut off, 0 if there is none.
func (m *Map) CID(code uint32, size int) uint32 {
	if m.form >= utf8Codes {
		size = 4
	}
	for _, s := range m.chain {
		if cid, has := s.find(code, size); has {
			return cid
		}
	}
	return 0
}

// Rune is the character that a code is: 0 if the map's codes aren't Unicode, and for codes of private use.
func (m *Map) Rune(code uint32) rune {
	r := rune(code)
	if m.form == legacy || !utf8.ValidRune(r) || r >= 0xe000 && r < 0xf900 || r >= 0xf0000 {
		return 0
	}
	return r
}
