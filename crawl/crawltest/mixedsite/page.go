package mixedsite

import (
	"strings"
	"unicode"
)

// Page is what is true of a page of the site.
type Page struct {
	Path     string
	Template string
	Number   int  // within the template, from 0
	Kind     Kind // of the template at that number
	// Needs is whether a browser shows more of the page's text than its HTML has. Labels of buttons, banners and years that scripts
	// add are no text of the page.
	Needs bool
	// Words are in the text that the HTML shows, Added in the text that only scripts add: one word of each sentence and each name, in
	// lower case. No other page has them.
	Words, Added []string
	// Fails says how the page fails. Where that is permanent, it has no words and needs no browser.
	Fails Failure
	// Hidden pages have no link but those that scripts add to other pages.
	Hidden bool
}

// Failure is how a page fails.
type Failure string

// The failures.
const (
	Sound   Failure = ""
	Broken  Failure = "broken"  // 500, always
	Busy    Failure = "busy"    // 503 at the first request, then sound
	Missing Failure = "missing" // 404, always
	Cut     Failure = "cut"     // the connection ends in the middle, always
)

// Permanent reports whether the page is never served.
func (f Failure) Permanent() bool { return f != Sound && f != Busy }

// URL is the page's address on Host.
func (p Page) URL() string { return "https://" + Host + p.Path }

// Missing lists the words of Words and Added that a text does not have. In the text, whatever is no letter separates words, and upper
// and lower case are the same.
func (p Page) Missing(text string) (missing []string) {
	has := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) }) {
		has[w] = true
	}
	for _, list := range [][]string{p.Words, p.Added} {
		for _, w := range list {
			if !has[w] {
				missing = append(missing, w)
			}
		}
	}
	return missing
}

// page is a page as the site knows it.
type page struct {
	id     int // on the site
	of     *family
	number int
	path   string
	fails  Failure
	hidden bool
	leads  *page // the hidden page that its scripts link to; nil: none
}

// public is what is true of a page.
func (s *Site) public(p *page) Page {
	q := Page{Path: p.path, Template: p.of.name, Number: p.number, Kind: p.kind(), Fails: p.fails, Hidden: p.hidden}
	if p.fails.Permanent() {
		return q
	}
	_, q.Words = s.html(p)
	_, late := s.contentOf(p)
	if p.isInline() {
		q.Words = append(q.Words, late...)
	} else {
		q.Added = late
	}
	q.Needs = len(q.Added) > 0
	return q
}
