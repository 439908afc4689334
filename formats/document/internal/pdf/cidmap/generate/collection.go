package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/cidmap"
)

// collection reads the maps of a collection, and what its CIDs stand for.
func collection(folder, name string) ([]cidmap.Section, error) {
	entries, err := os.ReadDir(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	var out []cidmap.Section
	inverse := map[uint32]rune{}
	for _, e := range entries {
		if skipped(e.Name()) {
			continue
		}
		s, err := read(filepath.Join(folder, name, e.Name()), e.Name())
		if err != nil {
			return nil, err
		}
		if s.Collection != name || len(s.Spans) == 0 && s.Base == "" {
			continue // of another collection, or to Unicode
		}
		if strings.Contains(s.Name, "-UTF32-H") {
			invert(inverse, s.Spans)
		}
		out = append(out, s.Section)
	}
	texts, err := read(filepath.Join(folder, name, name+"-UCS2"), name)
	if err != nil {
		return nil, err
	}
	return append(out, texts.characters(name, inverse)), nil
}

// skipped are the maps of CIDs to CIDs, those of codes to Unicode, and those that are made of the maps by UTF-32.
func skipped(name string) bool {
	return strings.HasPrefix(name, "Adobe-") || strings.HasPrefix(name, "UCS2-") || strings.Contains(name, "-UCS2C") ||
		strings.HasSuffix(name, "-UCS2") || strings.Contains(name, "-UTF8-") || strings.Contains(name, "-UTF16-")
}

// invert adds the characters of CIDs: the first one, but any other before one of private use.
func invert(to map[uint32]rune, spans []cidmap.Span) {
	for _, s := range spans {
		for c := s.Low; c <= s.High; c++ {
			cid := s.Value + c - s.Low
			if had, has := to[cid]; !has || private(had) {
				to[cid] = rune(c)
			}
		}
	}
}

func private(r rune) bool { return unicode.Is(unicode.Co, r) }

// characters are the texts of CIDs. Where the file has none that is one, those of the maps by UTF-32.
func (s *source) characters(name string, inverse map[uint32]rune) cidmap.Section {
	out := cidmap.Section{Name: name, Collection: name, Long: map[uint32]string{}}
	for cid, r := range inverse {
		if !sound(s.texts[cid]) {
			s.texts[cid] = []rune{r}
		}
	}
	for cid, text := range s.texts {
		text = slices.DeleteFunc(text, func(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) })
		switch {
		case !sound(text):
		case len(text) == 1:
			out.Spans = append(out.Spans, cidmap.Span{Low: cid, High: cid, Value: uint32(text[0])})
		default:
			out.Long[cid] = string(text)
		}
	}
	slices.SortFunc(out.Spans, cidmap.Compare)
	out.Spans = joined(out.Spans)
	return out
}

// sound reports whether a text has characters, and only such that mean something.
func sound(text []rune) bool {
	return len(text) > 0 && !slices.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || private(r) || r == unicode.ReplacementChar
	})
}
