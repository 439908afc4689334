package local

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ro"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/lang/tr"
)

// stops are the words of languages that say nothing by themselves, folded.
type stops map[string]map[string]bool

// newStops reads the library's lists.
func newStops(folded analysis.Analyzer) stops {
	all := stops{}
	for language, list := range map[string][]byte{
		"en": en.EnglishStopWords, "da": da.DanishStopWords, "de": de.GermanStopWords, "es": es.SpanishStopWords, "fi": fi.FinnishStopWords,
		"fr": fr.FrenchStopWords, "hu": hu.HungarianStopWords, "it": it.ItalianStopWords, "nl": nl.DutchStopWords,
		"no": no.NorwegianStopWords, "pt": pt.PortugueseStopWords, "ro": ro.RomanianStopWords, "ru": ru.RussianStopWords,
		"sv": sv.SwedishStopWords, "tr": tr.TurkishStopWords,
	} {
		words := analysis.NewTokenMap()
		if words.LoadBytes(list) != nil {
			continue
		}
		all[language] = map[string]bool{}
		for word := range words {
			for _, t := range folded.Analyze([]byte(word)) {
				all[language][string(t.Term)] = true
			}
		}
	}
	return all
}

// languageOf is the language of a query's words if it is known or one has more words that say nothing than others have, else all languages;
// and its words that say nothing.
func (s stops) languageOf(words []string, known string) (spoken []string, stop func(string) bool) {
	if known != "" {
		return []string{known}, func(word string) bool { return s[primary(known)][word] }
	}
	best := 0
	for _, language := range slices.Sorted(maps.Keys(s)) {
		n := 0
		for _, word := range words {
			if s[language][word] {
				n++
			}
		}
		if n > best {
			best, spoken = n, nil
		}
		if n == best && n > 0 {
			spoken = append(spoken, language)
		}
	}
	if best == 0 {
		return languages, func(string) bool { return false }
	}
	return spoken, func(word string) bool {
		return slices.ContainsFunc(spoken, func(l string) bool { return s[l][word] })
	}
}

var (
	identifier     = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*`)
	identifierPart = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+|[0-9]+`)
)

// partsOf are the words that identifiers in a text are made of, as in SetReadDeadline and max_idle: documentation names things so.
func partsOf(text string) string {
	var out strings.Builder
	for _, name := range identifier.FindAllString(text, -1) {
		parts := identifierPart.FindAllString(name, -1)
		if len(parts) < 2 {
			continue
		}
		for _, part := range parts {
			out.WriteString(capital(part) + " ")
		}
	}
	return out.String()
}

// capital divides the capitals of an abbreviation from the word that follows: HTTPServer.
func capital(part string) string {
	n := 0
	for n < len(part) && part[n] >= 'A' && part[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(part) {
		return part[:n-1] + " " + part[n-1:]
	}
	return part
}
