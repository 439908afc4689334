package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/cidmap"
)

// licence is a line of the licence that each file states.
const licence = "Redistributions in binary form must reproduce the above"

// source is a file of Adobe's: codes to CIDs, or CIDs to characters.
type source struct {
	cidmap.Section
	texts map[uint32][]rune
}

var (
	comment = regexp.MustCompile(`(?m)^%.*$`)
	base    = regexp.MustCompile(`/(\S+)\s+usecmap`)
	mode    = regexp.MustCompile(`/WMode\s+(\d)`)
	order   = regexp.MustCompile(`/Ordering\s*\(([^)]*)\)`)
	block   = regexp.MustCompile(`(?s)begin(codespacerange|cidrange|cidchar|bfrange|bfchar)\s(.*?)\send`)
	token   = regexp.MustCompile(`<[^>]*>|\[[^\]]*\]|\d+`)
)

// read reads one file.
func read(path, name string) (*source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(string(data), licence) {
		return nil, fmt.Errorf("%s: it doesn't state the licence", path)
	}
	text := comment.ReplaceAllString(string(data), "")
	s := &source{texts: map[uint32][]rune{}}
	s.Name, s.Base, s.Vertical = name, first(base, text), first(mode, text) == "1"
	s.Collection = "Adobe-" + first(order, text)
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		if err := s.block(b[1], token.FindAllString(b[2], -1)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	slices.SortFunc(s.Spans, cidmap.Compare)
	s.Spans = joined(s.Spans)
	return s, nil
}

func first(r *regexp.Regexp, text string) string {
	if m := r.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// block reads the entries between a "begin" and its "end".
func (s *source) block(kind string, tokens []string) error {
	step := 3
	if !strings.HasSuffix(kind, "range") || kind == "codespacerange" {
		step = 2
	}
	for entry := range slices.Chunk(tokens, step) {
		if len(entry) != step {
			return fmt.Errorf("%s: %q is cut off", kind, entry)
		}
		low, size, err := code(entry[0])
		if err != nil {
			return err
		}
		high := low
		if strings.HasSuffix(kind, "range") {
			if high, _, err = code(entry[1]); err != nil {
				return err
			}
		}
		if err := s.entry(kind, size, low, high, entry[step-1]); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) entry(kind string, size int, low, high uint32, to string) error {
	switch {
	case kind == "codespacerange":
		s.Spaces[size] = append(s.Spaces[size], cidmap.Space{Low: low, High: high})
	case strings.HasPrefix(kind, "cid"):
		cid, err := strconv.ParseUint(to, 10, 32)
		if err != nil {
			return err
		}
		s.Spans = append(s.Spans, cidmap.Span{Size: uint8(size), Low: low, High: high, Value: uint32(cid)})
	case strings.HasPrefix(to, "["):
		for i, t := range token.FindAllString(to[1:], -1) {
			if err := s.text(low+uint32(i), 0, t); err != nil {
				return err
			}
		}
	default:
		for c := low; c <= high; c++ {
			if err := s.text(c, c-low, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// text is one entry of a map of characters: the last one counts up.
func (s *source) text(cid, up uint32, to string) error {
	b, err := hex.DecodeString(strings.Trim(to, "<> "))
	if err != nil || len(b) == 0 || len(b)%2 != 0 {
		return fmt.Errorf("%q isn't a text", to)
	}
	var units []uint16
	for ; len(b) > 0; b = b[2:] {
		units = append(units, uint16(b[0])<<8|uint16(b[1]))
	}
	units[len(units)-1] += uint16(up)
	s.texts[cid] = utf16.Decode(units)
	return nil
}

func code(t string) (uint32, int, error) {
	b, err := hex.DecodeString(strings.Trim(t, "<> "))
	if err != nil || len(b) == 0 || len(b) > 4 {
		return 0, 0, fmt.Errorf("%q isn't a code", t)
	}
	n := uint32(0)
	for _, c := range b {
		n = n<<8 | uint32(c)
	}
	return n, len(b), nil
}

// joined makes one span of those that go on where another ends.
func joined(spans []cidmap.Span) (out []cidmap.Span) {
	for _, s := range spans {
		if n := len(out); n > 0 {
			last := &out[n-1]
			if last.Size == s.Size && last.High+1 == s.Low && last.Value+s.Low-last.Low == s.Value {
				last.High = s.High
				continue
			}
		}
		out = append(out, s)
	}
	return out
}
