package documenttest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Made is a page to print.
type Made struct {
	// Kind is what the page is: an article in columns, slides, invoices …
	Kind string
	// Page is the HTML of the page. It is also what must be read from its print, but for what Blocks leaves out.
	Page string
	// Landscape asks for paper that is wider than high.
	Landscape bool
}

// Kinds are the names of the kinds, in the order that Make takes them in.
func Kinds() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Make makes a page. The same seed makes the same page; seeds that follow each other go through the kinds in turn.
func Make(seed uint64) Made {
	k := kinds[seed%uint64(len(kinds))]
	s := &sheet{Rand: rand.New(rand.NewPCG(seed, 21))}
	s.basics()
	k.write(s)
	page := fmt.Sprintf("<!doctype html><html lang=en><head><meta charset=utf-8><title>%s %d</title><style>%s</style></head><body>%s</body></html>",
		k.name, seed, s.css.String(), s.body.String())
	return Made{Kind: k.name, Page: page, Landscape: k.landscape}
}

// kind writes pages of one make.
type kind struct {
	name      string
	landscape bool
	write     func(s *sheet)
}

// sheet is a page in the making.
type sheet struct {
	*rand.Rand
	css, body strings.Builder
	shy       bool // long words may be parted at a line's end
}

// style adds rules.
func (s *sheet) style(format string, args ...any) { fmt.Fprintf(&s.css, format+"\n", args...) }

// add adds markup.
func (s *sheet) add(format string, args ...any) { fmt.Fprintf(&s.body, format+"\n", args...) }

// within puts what write adds into an element.
func (s *sheet) within(element, class string, write func()) {
	s.add("<%s class=%q>", element, class)
	write()
	s.add("</%s>", element)
}

// one is one of several values.
func one[T any](s *sheet, of ...T) T { return of[s.IntN(len(of))] }

// between is a number from low to high.
func (s *sheet) between(low, high int) int { return low + s.IntN(high-low+1) }

// chance is true in n of 100 cases.
func (s *sheet) chance(n int) bool { return s.IntN(100) < n }

// basics are the face, size and spacing of the text.
func (s *sheet) basics() {
	size := float64(s.between(17, 24)) / 2
	s.style("body{font:%gpt/%g %s;margin:0}", size, one(s, 1.0, 1.15, 1.25, 1.4, 1.6), one(s, "serif", "sans-serif"))
	s.style("@page{margin:%dmm}", s.between(12, 25))
	s.shy = s.chance(20)
}

func (s *sheet) heading(level int) {
	s.add("<h%d>%s</h%d>", level, s.title(), level)
}

func (s *sheet) paragraph(sentences int) { s.add("<p>%s</p>", s.text(sentences)) }

func (s *sheet) paragraphs(n int) {
	for range n {
		s.paragraph(s.between(2, 6))
	}
}

// list adds items; some hold a list of their own.
func (s *sheet) list(depth int) {
	tag := one(s, "ul", "ul", "ol")
	s.add("<%s>", tag)
	for range s.between(2, 5) {
		s.add("<li>%s", s.item())
		if depth > 1 && s.chance(35) {
			s.list(depth - 1)
		}
		s.add("</li>")
	}
	s.add("</%s>", tag)
}
