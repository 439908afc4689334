package local

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	tokens "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"golang.org/x/text/unicode/norm"
)

// words returns an analyzer that splits text at the word boundaries of Unicode (UAX #29), folds case,
// width and the accents of Latin and Greek, and splits scripts without spaces into pairs of characters.
// Pages and queries both pass through it, so searching works without knowing the language.
func words(more ...analysis.TokenFilter) analysis.Analyzer {
	return guarded{&analysis.DefaultAnalyzer{
		Tokenizer:    splitter{tokens.NewUnicodeTokenizer()},
		TokenFilters: append([]analysis.TokenFilter{fold{}, cjk.NewCJKBigramFilter(false)}, more...),
	}}
}

// guarded recovers panics of the library and then returns no terms: the library analyzes in
// goroutines of its own, where a panic would end the process.
type guarded struct{ analysis.Analyzer }

// Analyze implements analysis.Analyzer.
func (g guarded) Analyze(text []byte) (stream analysis.TokenStream) {
	defer func() {
		if recover() != nil {
			stream = nil
		}
	}()
	return g.Analyzer.Analyze(text)
}

// splitter adds the characters of scripts that the library's tokenizer omits: those that need a
// dictionary to be split into words.
type splitter struct{ analysis.Tokenizer }

// Tokenize implements analysis.Tokenizer.
func (s splitter) Tokenize(text []byte) analysis.TokenStream {
	var out analysis.TokenStream
	end := 0
	for _, t := range s.Tokenizer.Tokenize(text) {
		out = append(characters(out, text, end, t.Start), t)
		end = max(end, t.End)
	}
	return characters(out, text, end, len(text))
}

// characters appends the characters of such scripts within a part of the text as tokens.
func characters(out analysis.TokenStream, text []byte, start, end int) analysis.TokenStream {
	for start < end {
		r, size := utf8.DecodeRune(text[start:end])
		if size > 1 && unicode.In(r, undivided...) {
			term := text[start : start+size : start+size]
			out = append(out, &analysis.Token{Term: term, Start: start, End: start + size, Type: analysis.Ideographic})
		}
		start += size
	}
	return out
}

// maxTerm is the maximum length of a term in bytes; longer ones, which are not words, are cut.
const maxTerm = 100

// fold normalizes tokens to terms. Their places in the text do not change.
type fold struct{}

func (fold) Filter(input analysis.TokenStream) analysis.TokenStream {
	for _, t := range input {
		if r, _ := utf8.DecodeRune(t.Term); unicode.In(r, undivided...) {
			continue
		}
		t.Term = foldTerm(t.Term)
		if r, _ := utf8.DecodeRune(t.Term); unspaced(r) {
			t.Type = analysis.Ideographic
		}
	}
	return input
}

func foldTerm(term []byte) []byte {
	if len(term) > maxTerm {
		term = bytes.ToValidUTF8(term[:maxTerm], nil)
	}
	if ascii(term) {
		return bytes.ToLower(term)
	}
	term = bytes.ToLower(norm.NFKC.Bytes(term))
	var out []byte
	base := rune(0)
	for _, r := range string(norm.NFD.Bytes(term)) {
		if unicode.Is(unicode.Mn, r) && unicode.In(base, unicode.Latin, unicode.Greek) {
			continue
		}
		if !unicode.Is(unicode.Mn, r) {
			base = r
		}
		out = utf8.AppendRune(out, r)
	}
	return norm.NFC.Bytes(out)
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unspaced reports whether a character's script has no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || unicode.In(r, undivided...)
}

// undivided are scripts whose words cannot be separated without a dictionary.
var undivided = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}
