package searching

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/search"
)

var anything = search.Capabilities{
	Sources: []search.Source{search.Web, search.News}, Categories: search.AllCategories, Domains: true, Language: true, Country: true,
	Location: true, Safe: true, Filter: true,
}

func TestTerms_aSourceMayDifferFromTheOthers(t *testing.T) {
	terms := Terms{
		Text: "barley", Limit: 10, IncludeDomains: []string{"A.example"}, Safe: "active", Common: Source{Lang: "en", Country: "US"},
		Sources: []Source{{Type: search.Web}, {Type: search.News, Lang: "de", Country: "at"}},
	}
	list, err := terms.Queries([]search.Provider{&finder{name: "finder", can: anything}})
	if err != nil || len(list) != 2 {
		t.Fatalf("got %+v, %v", list, err)
	}
	want := search.Query{
		Text: "barley", Source: search.Web, Limit: 20, IncludeDomains: []string{"a.example"}, Safe: search.SafeStrict,
		Language: "en", Country: "us",
	}
	if !reflect.DeepEqual(list[0].Query, want) {
		t.Errorf("got %+v\nwant %+v", list[0].Query, want)
	}
	want.Source, want.Language, want.Country = search.News, "de", "at"
	if !reflect.DeepEqual(list[1].Query, want) {
		t.Errorf("got %+v\nwant %+v", list[1].Query, want)
	}
}

func TestTerms_refuseWhatNoSearchHas(t *testing.T) {
	for field, terms := range map[string]Terms{
		"sources[1]":        {Sources: []Source{{Type: search.Web}, {Type: search.Web}}},
		"categories[0]":     {Categories: []string{"tea"}},
		"categories":        {Categories: []string{"pdf", "repo"}},
		"includeDomains[0]": {IncludeDomains: []string{"https://a.example/"}},
		"excludeDomains":    {ExcludeDomains: make([]string, maxDomains+1)},
		"filter":            {Common: Source{Filter: "2"}},
		"lang":              {Common: Source{Lang: "English!"}},
		"country":           {Common: Source{Country: "usa"}},
		"location":          {Common: Source{Location: strings.Repeat("x", maxPlace+1)}},
		"safe":              {Safe: "maybe"},
	} {
		terms.Text, terms.Limit = "barley", 10
		_, err := terms.Queries([]search.Provider{&finder{name: "finder", can: anything}})
		if refused, ok := errors.AsType[*option.Error](err); !ok || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
