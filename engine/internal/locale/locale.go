// Package locale makes a country and languages into what a browser shows: locale, languages, time zone and place.
package locale

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/winnow-go/winnow/engine/internal/option"
)

// Locale is a location made concrete, all parts consistent with each other.
type Locale struct {
	// Tag is the first language, such as "de-DE".
	Tag string
	// Languages as navigator.languages shows them: a tag with a region is followed by its bare language.
	Languages []string
	// Place is where the browser says it is; without a time zone it keeps its own.
	Place
}

// Plain is what a scrape without a location shows.
var Plain = Locale{Tag: "en-US", Languages: []string{"en-US", "en"}}

// For makes a locale of a country and languages in order of preference. An empty country is US, no languages are the
// country's own. Its errors are [*option.Error].
func For(country string, names []string) (Locale, error) {
	region, err := parseCountry(country)
	if err != nil {
		return Locale{}, err
	}
	tags, err := parseLanguages(names)
	if err != nil {
		return Locale{}, err
	}
	if len(tags) == 0 {
		tags = []language.Tag{countryLanguage(region)}
	}
	there, ok := places[region.String()]
	if !ok { // uninhabited
		there.Timezone = "Etc/UTC"
	}
	return Locale{Tag: withRegion(tags[0], region).String(), Languages: navigatorLanguages(tags, region), Place: there}, nil
}

// Country is the ISO 3166-1 alpha-2 code that a country's name stands for. Its error is an [*option.Error].
func Country(name string) (string, error) {
	region, err := parseCountry(name)
	if err != nil {
		return "", err
	}
	return region.String(), nil
}

// parseCountry accepts ISO 3166-1 alpha-2 codes in any case and the service's two US pools.
func parseCountry(country string) (language.Region, error) {
	code := strings.ToUpper(strings.TrimSpace(country))
	if code == "" || code == "US-GENERIC" || code == "US-WHITELIST" {
		code = "US"
	}
	region, err := language.ParseRegion(code)
	if err != nil || len(code) != 2 || !region.IsCountry() || region.String() != code {
		return region, &option.Error{Field: "location.country", Value: country, Want: "an ISO 3166-1 alpha-2 code"}
	}
	return region, nil
}

// maxLanguages bounds location.languages; browsers' own lists are far shorter.
const maxLanguages = 20

func parseLanguages(names []string) ([]language.Tag, error) {
	if len(names) > maxLanguages {
		return nil, &option.Error{Field: "location.languages", Value: len(names), Want: fmt.Sprintf("at most %d tags", maxLanguages)}
	}
	var tags []language.Tag
	for i, name := range names {
		tag, err := language.Parse(strings.TrimSpace(name))
		if err != nil || tag == language.Und {
			return nil, &option.Error{Field: fmt.Sprintf("location.languages[%d]", i), Value: name, Want: "a BCP 47 language tag", Err: err}
		}
		tags = append(tags, tag)
	}
	return tags, nil
}

// countryLanguage is the language most likely spoken in region, by the likely
// subtags of CLDR (Unicode TR 35).
func countryLanguage(region language.Region) language.Tag {
	und, _ := language.Compose(region)
	base, _ := und.Base()
	tag, _ := language.Compose(base, region)
	return tag
}

func withRegion(tag language.Tag, region language.Region) language.Tag {
	if _, confidence := tag.Region(); confidence == language.Exact {
		return tag
	}
	if full, err := language.Compose(tag, region); err == nil && likelyThere(tag, region) {
		return full
	}
	return tag
}

// likelyThere keeps "de" in Switzerland "de-CH" but doesn't make up "ja-CH".
func likelyThere(tag language.Tag, region language.Region) bool {
	base, _ := tag.Base()
	own, _ := countryLanguage(region).Base()
	return base == own
}

// navigatorLanguages expands tags as Chrome does its accept-languages preference.
func navigatorLanguages(tags []language.Tag, region language.Region) []string {
	var out []string
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for i, tag := range tags {
		if i == 0 {
			tag = withRegion(tag, region)
		}
		add(tag.String())
		if base, _ := tag.Base(); !followedByKin(tags[i+1:], base) {
			add(base.String())
		}
	}
	return out
}

// followedByKin reports whether a later tag has the same language, after which the
// bare one then comes.
func followedByKin(rest []language.Tag, base language.Base) bool {
	return slices.ContainsFunc(rest, func(t language.Tag) bool {
		b, _ := t.Base()
		return b == base
	})
}

// AcceptLanguage is the header's value as Chrome writes it: quality falls by tenths to 0.1 (RFC 9110 §12.5.4).
func (l Locale) AcceptLanguage() string {
	parts := make([]string, len(l.Languages))
	for i, l := range l.Languages {
		parts[i] = l
		if i > 0 {
			parts[i] = fmt.Sprintf("%s;q=0.%d", l, max(10-i, 1))
		}
	}
	return strings.Join(parts, ",")
}
