package local

import (
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// stemmer reduces a word to the stem that its forms share.
type stemmer func(*snowballstem.Env) bool

// stemmerOf returns the stemmer of a language; nil if there is none.
func stemmerOf(language string) stemmer {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch primary {
	case "en":
		return english.Stem
	case "da":
		return danish.Stem
	case "de":
		return german.Stem
	case "es":
		return spanish.Stem
	case "fi":
		return finnish.Stem
	case "fr":
		return french.Stem
	case "hu":
		return hungarian.Stem
	case "it":
		return italian.Stem
	case "nl":
		return dutch.Stem
	case "no", "nb", "nn":
		return norwegian.Stem
	case "pt":
		return portuguese.Stem
	case "ro":
		return romanian.Stem
	case "ru":
		return russian.Stem
	case "sv":
		return swedish.Stem
	case "tr":
		return turkish.Stem
	}
	return nil
}

// stemmed returns the analyzer that reduces a language's words to stems; nil if it has no stemmer.
func stemmed(language string) analysis.Analyzer {
	if stem := stemmerOf(language); stem != nil {
		return words(stems{stem})
	}
	return nil
}

type stems struct{ stem stemmer }

func (s stems) Filter(input analysis.TokenStream) analysis.TokenStream {
	for _, t := range input {
		t.Term = []byte(s.of(string(t.Term)))
	}
	return input
}

func (s stems) of(word string) string {
	env := snowballstem.NewEnv(word)
	s.stem(env)
	return env.Current()
}
