package local

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/winnow-go/winnow/engine/search"
)

// place is a field that is searched for words, with the weight of a match.
type place struct {
	name   string
	weight float64
}

// places are where the words of a query are looked for.
type places struct {
	fields []place
	stems  string
	url    string // of the fields, the one without positions
}

var (
	pagePlaces    = places{[]place{{inTitle, 4}, {inHeadings, 2}, {inText, 1}, {inURL, 1.5}}, inStems, inURL}
	passagePlaces = places{[]place{{inPassage, 1}}, inTerms, ""}

	imagePlaces = places{[]place{{inImage, 4}, {inCaption, 3}, {inNear, 1}, {inImageURL, 1.5}}, inImageStems, inImageURL}
)

// placesOf are those of a source.
func placesOf(source search.Source) places {
	switch source {
	case search.Images:
		return imagePlaces
	case inPages:
		return passagePlaces
	}
	return pagePlaces
}

const stemWeight = 0.6

// compiled is a query for the library, and its terms and stems, which are looked up in the texts again.
type compiled struct {
	all, any query.Query // all words, or one of them at least; any is nil where that is the same
	terms    map[string]bool
	stems    map[string]bool

	words    string      // the query's text without its operators
	filter   query.Query // what a page has to be beside having words: the phrases, too
	filtered bool        // the filter is more than the source
}

// compiler builds queries.
type compiler struct {
	analyzer analysis.Analyzer
	places   places
	language string // of the words; empty: unknown
	out      compiled
}

// compile builds the library's query.
func compile(q search.Query, a analysis.Analyzer, now time.Time) compiled {
	t := parse(q.Text)
	k := &compiler{
		analyzer: a, places: placesOf(q.Source), language: q.Language, out: compiled{terms: map[string]bool{}, stems: map[string]bool{}},
	}
	var words, phrases []query.Query
	for _, w := range t.words {
		if m := k.word(w, true); m != nil {
			words = append(words, m)
			if strings.ContainsFunc(w, unicode.IsSpace) {
				phrases = append(phrases, m)
			}
		}
	}
	var without []query.Query
	for _, w := range t.without {
		if m := k.word(w, false); m != nil {
			without = append(without, m)
		}
	}
	narrow := narrowed(q, t, now)
	for _, host := range slices.Concat(q.ExcludeDomains, t.notOn) {
		without = append(without, term(byHost, host))
	}
	if t.either {
		phrases = nil
	}
	k.out.words = strings.Join(t.words, " ")
	k.out.filter = whole(slices.Concat(narrow, phrases), without)
	k.out.filtered = len(narrow) > 1 || len(phrases)+len(without) > 0 || q.Source == search.News
	switch {
	case len(words) == 0 && len(t.words) > 0: // nothing but punctuation
		k.out.all = bleve.NewMatchNoneQuery()
	case len(words) == 0:
		k.out.all = whole(append(narrow, bleve.NewMatchAllQuery()), without)
	case t.either || len(words) == 1:
		k.out.all = whole(append(narrow, bleve.NewDisjunctionQuery(words...)), without)
	default:
		k.out.all = whole(append(slices.Clone(narrow), words...), without)
		k.out.any = whole(append(slices.Clone(narrow), bleve.NewDisjunctionQuery(words...)), without)
	}
	return k.out
}

func whole(must, without []query.Query) query.Query {
	b := bleve.NewBooleanQuery()
	b.AddMust(must...)
	if len(without) > 0 {
		b.AddMustNot(without...)
	}
	return b
}

// word returns the query for one word or phrase in all fields; nil if it has no terms. The terms of
// wanted words are recorded for the passages.
func (k *compiler) word(text string, wanted bool) query.Query {
	var terms []string
	for _, t := range k.analyzer.Analyze([]byte(text)) {
		terms = append(terms, string(t.Term))
		if wanted {
			k.out.terms[string(t.Term)] = true
		}
	}
	if len(terms) == 0 {
		return nil
	}
	anywhere := bleve.NewDisjunctionQuery()
	for _, f := range k.places.fields {
		if len(terms) == 1 {
			anywhere.AddQuery(one(f.name, terms[0], f.weight))
		} else if f.name != k.places.url {
			p := bleve.NewPhraseQuery(terms, f.name)
			p.SetBoost(f.weight)
			anywhere.AddQuery(p)
		}
	}
	if len(terms) == 1 && wanted {
		for _, s := range k.stems(terms[0]) {
			k.out.stems[s] = true
			anywhere.AddQuery(stem(k.places.stems, s))
		}
	}
	return anywhere
}

// one returns the query for a term. A single character of a script without spaces occurs only in pairs.
func one(field, text string, weight float64) query.Query {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) && unspaced(r) {
		c := regexp.QuoteMeta(text)
		p := bleve.NewRegexpQuery("(" + c + ".?|." + c + ")")
		p.SetField(field)
		p.SetBoost(weight)
		return p
	}
	t := bleve.NewTermQuery(text)
	t.SetField(field)
	t.SetBoost(weight)
	return t
}

func stem(field, text string) query.Query {
	t := bleve.NewTermQuery(text)
	t.SetField(field)
	t.SetBoost(stemWeight)
	return t
}

// languages are tried for stems if the language of the words is unknown.
var languages = []string{"en", "da", "de", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "tr"}

// stems returns the possible stems of a word.
func (k *compiler) stems(word string) (list []string) {
	tried := languages
	if k.language != "" {
		tried = []string{k.language}
	}
	for _, l := range tried {
		if stem := stemmerOf(l); stem != nil {
			list = append(list, safeStem(stem, word))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// safeStem returns the word itself if its stemmer panics.
func safeStem(stem stemmer, word string) (out string) {
	defer func() {
		if recover() != nil {
			out = word
		}
	}()
	return stems{stem}.of(word)
}

// narrowed returns the conditions beside the words; they do not affect the order.
func narrowed(q search.Query, t typed, now time.Time) (list []query.Query) {
	oneOf := func(field string, values ...string) {
		d := bleve.NewDisjunctionQuery()
		for _, v := range values {
			d.AddQuery(term(field, v))
		}
		list = append(list, d)
	}
	oneOf(bySource, string(q.Source))
	if len(q.IncludeDomains) > 0 {
		oneOf(byHost, q.IncludeDomains...)
	}
	if len(t.sites) > 0 {
		oneOf(byHost, t.sites...)
	}
	if len(t.kinds) > 0 {
		oneOf(byKind, t.kinds...)
	}
	if q.Language != "" {
		oneOf(byLanguage, primary(q.Language))
	}
	if len(q.Categories) > 0 {
		list = append(list, inCategory(q.Categories))
	}
	if from, to := q.Span.Bounds(now); !from.IsZero() || !to.IsZero() {
		list = append(list, between(from, to))
	}
	return list
}

func inCategory(categories []search.Category) query.Query {
	d := bleve.NewDisjunctionQuery()
	for _, c := range categories {
		if c == search.PDF {
			d.AddQuery(term(byKind, string(c)))
		}
		for _, host := range c.Domains() {
			d.AddQuery(term(byHost, host))
		}
	}
	return d
}

func term(field, value string) query.Query {
	t := bleve.NewTermQuery(value)
	t.SetField(field)
	t.SetBoost(0)
	return t
}

func between(from, to time.Time) query.Query {
	ms := func(t time.Time) *float64 {
		if t.IsZero() {
			return nil
		}
		return new(float64(t.UnixMilli()))
	}
	r := bleve.NewNumericRangeInclusiveQuery(ms(from), ms(to), new(true), new(false))
	r.SetField(byDate)
	r.SetBoost(0)
	return r
}
