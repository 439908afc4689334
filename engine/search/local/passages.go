package local

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local/internal/vectors"
)

// inPages is the source of passages, which are searched beside the sources that callers know.
const inPages search.Source = "passages"

// The fields that only the documents of passages have.
const (
	inPassage = "passage.text"
	inTerms   = "passage.terms"  // all that it is found by: see termsOf
	byVector  = "passage.vector" // the page and the text in the table of vectors
)

// everyPassage is a term that all passages have: by it their lengths are read.
const everyPassage = "\x00passage"

// passageMark begins the ids of passages.
const passageMark = "\x02"

// passageID is the id of the n-th passage of a page.
func passageID(key string, n int) string { return fmt.Sprintf("%s%04d%s", passageMark, n, key) }

// addressOf is the part of a key that all ways of fetching a page have in common.
func addressOf(key string) string {
	address, _, _ := strings.Cut(key, "\x00")
	return address
}

// digestOf is a page in the table of vectors, as a term. All ways of fetching it are one page there.
func digestOf(key string) string { return pageTerm(vectors.PageOf(addressOf(key))) }

func pageTerm(p vectors.Page) string { return hex.EncodeToString(p[:]) }

// vectorTerm is a vector's place in the table, as a term.
func vectorTerm(p vectors.Page, t vectors.Text) string {
	return hex.EncodeToString(append(p[:], t[:]...))
}

// readVectorTerm is the opposite.
func readVectorTerm(term []byte) (p vectors.Page, t vectors.Text, ok bool) {
	var raw [len(p) + len(t)]byte
	if hex.DecodedLen(len(term)) != len(raw) {
		return p, t, false
	}
	_, err := hex.Decode(raw[:], term)
	copy(p[:], raw[:])
	copy(t[:], raw[len(p):])
	return p, t, err == nil
}

// newPassages returns the documents of a page's passages.
func newPassages(key string, p *search.Page, plain, folded analysis.Analyzer) (list []*document.Document, err error) {
	for n, part := range p.Passages[:min(len(p.Passages), search.MaxPassages)] {
		d := fieldsOf{document.NewDocument(passageID(key, n))}
		text := cut(join(part.Head, part.Text), maxText)
		d.text(inPassage, text, searchable, folded)
		terms := stemmed(p.Language)
		if terms == nil {
			terms = folded
		}
		d.text(inTerms, wordsOf(p, part, text), countable, terms)
		d.text(inTerms, everyPassage, countable, plain)
		page := vectors.PageOf(addressOf(key))
		d.text(byPage, key, exact, plain)
		d.text(byDigest, pageTerm(page), exact, plain)
		d.text(byVector, vectorTerm(page, vectors.TextOf(embeddedText(part))), sortable, plain)
		d.text(bySource, string(inPages), sortable, plain)
		d.common(p, dateOf(p), plain)
		if err := d.show(part); err != nil {
			return nil, err
		}
		list = append(list, d.Document)
	}
	return list, nil
}

// wordsOf are the words that a passage is found by: those of its page's title, of its headings, its own, and the parts of names.
func wordsOf(p *search.Page, part search.Passage, text string) string {
	above := strings.Join(part.Headings, "\n")
	return join(oneLine(p.Title, maxShort), above, text, partsOf(above), partsOf(text))
}

// embeddedText is what a passage's vector is made of: a passage whose text and headings stay keeps its vector.
func embeddedText(p search.Passage) string {
	return join(strings.Join(p.Headings, " > "), p.Markdown())
}
