package searching

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/fetch/weburl"
)

const (
	maxDomains = 100
	maxPlace   = 200 // characters of a location
)

// Terms are what a search is for, as its caller spells it.
type Terms struct {
	Text  string // is valid as it is
	Limit int    // of results for each source; is valid as it is

	Sources                        []Source // each type once; empty: the web
	Common                         Source   // what counts for the sources that don't say otherwise; without a type
	Categories                     []string // in any spelling that search.ParseCategory knows
	IncludeDomains, ExcludeDomains []string // host names
	Safe                           string   // "off", "moderate", "strict" or "active"; "": the provider's choice
}

// Source is one place to search; what is empty is common to all sources.
type Source struct {
	Type                                 search.Source
	TBS, Filter, Lang, Country, Location string
}

// Queries makes a query for each source, and finds who can honour it. The error is an [*option.Error], or a provider's
// [*search.OptionError].
func (t Terms) Queries(providers []search.Provider) (list []Query, err error) {
	base, err := t.base()
	if err != nil {
		return nil, err
	}
	sources := t.Sources
	if len(sources) == 0 {
		sources = []Source{{Type: search.Web}}
	}
	seen := map[search.Source]bool{}
	for i, s := range sources {
		if seen[s.Type] || !slices.Contains([]search.Source{search.Web, search.News, search.Images}, s.Type) {
			return nil, &option.Error{Field: fmt.Sprintf("sources[%d]", i), Value: string(s.Type), Want: "web, news or images, each once"}
		}
		seen[s.Type] = true
		q, err := s.query(base, t.Common)
		if err != nil {
			return nil, err
		}
		planned, err := Plan(q, providers)
		if err != nil {
			return nil, err
		}
		list = append(list, planned)
	}
	return list, nil
}

// base is what the queries of all sources have in common.
func (t Terms) base() (q search.Query, err error) {
	q = search.Query{Text: t.Text, Limit: min(2*t.Limit, search.MaxLimit)} // some results will be dropped
	if q.Categories, err = categories(t.Categories); err != nil {
		return q, err
	}
	if q.IncludeDomains, err = domains("includeDomains", t.IncludeDomains); err != nil {
		return q, err
	}
	if q.ExcludeDomains, err = domains("excludeDomains", t.ExcludeDomains); err != nil {
		return q, err
	}
	switch t.Safe {
	case "", string(search.SafeOff), string(search.SafeModerate), string(search.SafeStrict):
		q.Safe = search.Safe(t.Safe)
	case "active":
		q.Safe = search.SafeStrict
	default:
		return q, &option.Error{Field: "safe", Value: t.Safe, Want: `"off", "moderate" or "strict"`}
	}
	return q, nil
}

func categories(names []string) (list []search.Category, err error) {
	for i, name := range names {
		c, ok := search.ParseCategory(name)
		if !ok || slices.Contains(list, c) {
			field, want := fmt.Sprintf("categories[%d]", i), fmt.Sprintf("one of %q, each once", search.AllCategories)
			return nil, &option.Error{Field: field, Value: name, Want: want}
		}
		list = append(list, c)
	}
	if len(list) > 1 && slices.Contains(list, search.Developer) {
		return nil, &option.Error{Field: "categories", Value: names, Want: "developer alone, or others"}
	}
	return list, nil
}

func domains(field string, names []string) (list []string, err error) {
	if len(names) > maxDomains {
		return nil, &option.Error{Field: field, Value: len(names), Want: fmt.Sprintf("at most %d", maxDomains)}
	}
	for i, name := range names {
		href, err := weburl.Target("https://" + strings.TrimSpace(name) + "/")
		if err != nil || strings.ContainsAny(name, "/:@?#*") {
			return nil, &option.Error{Field: fmt.Sprintf("%s[%d]", field, i), Value: name, Want: "a host name, such as example.com"}
		}
		list = append(list, weburl.Hostname(href))
	}
	return list, nil
}

var (
	languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
	countryCode = regexp.MustCompile(`^[a-z]{2}$`)
)

// query is the query of one source.
func (s Source) query(base search.Query, common Source) (q search.Query, err error) {
	q = base
	q.Source = s.Type
	if q.Span, err = search.ParseSpan(cmp.Or(s.TBS, common.TBS)); err != nil {
		return q, err
	}
	q.Filter, q.Language = cmp.Or(s.Filter, common.Filter), cmp.Or(s.Lang, common.Lang)
	q.Country = strings.ToLower(cmp.Or(s.Country, common.Country))
	q.Location = strings.TrimSpace(cmp.Or(s.Location, common.Location))
	switch {
	case q.Filter != "" && q.Filter != "0" && q.Filter != "1":
		err = &option.Error{Field: "filter", Value: q.Filter, Want: `"0" or "1"`}
	case q.Language != "" && !languageTag.MatchString(q.Language):
		err = &option.Error{Field: "lang", Value: q.Language, Want: "a BCP 47 tag, such as en"}
	case q.Country != "" && !countryCode.MatchString(q.Country):
		err = &option.Error{Field: "country", Value: q.Country, Want: "an ISO 3166-1 alpha-2 code"}
	case utf8.RuneCountInString(q.Location) > maxPlace:
		err = &option.Error{Field: "location", Value: q.Location, Want: fmt.Sprintf("at most %d characters", maxPlace)}
	}
	return q, err
}
