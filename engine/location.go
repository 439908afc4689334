package engine

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/winnow-go/winnow/browser"
)

// locale is a location made concrete, all parts consistent with each other.
type locale struct {
	// tag is the first language, such as "de-DE".
	tag string
	// languages as navigator.languages shows them: a tag with a region is followed by its bare language.
	languages []string
	// place is where the browser says it is; without a time zone it keeps its own.
	place
}

// geolocation is what a page is told that asks, nil without a place.
func (l locale) geolocation() *browser.Geolocation {
	if l.timezone == "" {
		return nil
	}
	return &browser.Geolocation{Latitude: l.latitude, Longitude: l.longitude}
}

// plainLocale is what a scrape without a location shows.
var plainLocale = locale{tag: "en-US", languages: []string{"en-US", "en"}}

// locate turns a request's location into a locale.
func locate(l *Location) (locale, error) {
	if l == nil {
		return plainLocale, nil
	}
	region, err := parseCountry(l.Country)
	if err != nil {
		return locale{}, err
	}
	tags, err := parseLanguages(l.Languages)
	if err != nil {
		return locale{}, err
	}
	if len(tags) == 0 {
		tags = []language.Tag{countryLanguage(region)}
	}
	there, ok := places[region.String()]
	if !ok { // uninhabited
		there.timezone = "Etc/UTC"
	}
	return locale{tag: withRegion(tags[0], region).String(), languages: navigatorLanguages(tags, region), place: there}, nil
}

// parseCountry accepts ISO 3166-1 alpha-2 codes in any case and the service's two US pools.
func parseCountry(country string) (language.Region, error) {
	code := strings.ToUpper(strings.TrimSpace(country))
	if code == "" || code == "US-GENERIC" || code == "US-WHITELIST" {
		code = "US"
	}
	region, err := language.ParseRegion(code)
	if err != nil || len(code) != 2 || !region.IsCountry() || region.String() != code {
		return region, &OptionError{Field: "location.country", Value: country, Want: "an ISO 3166-1 alpha-2 code"}
	}
	return region, nil
}

// mostLanguages bounds location.languages; browsers' own lists are far shorter.
const mostLanguages = 20

func parseLanguages(names []string) ([]language.Tag, error) {
	if len(names) > mostLanguages {
		return nil, &OptionError{Field: "location.languages", Value: len(names), Want: fmt.Sprintf("at most %d tags", mostLanguages)}
	}
	var tags []language.Tag
	for i, name := range names {
		tag, err := language.Parse(strings.TrimSpace(name))
		if err != nil || tag == language.Und {
			return nil, &OptionError{Field: fmt.Sprintf("location.languages[%d]", i), Value: name, Want: "a BCP 47 language tag", Err: err}
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

// followedByKin tells whether a later tag has the same language, after which the
// bare one then comes.
func followedByKin(rest []language.Tag, base language.Base) bool {
	return slices.ContainsFunc(rest, func(t language.Tag) bool {
		b, _ := t.Base()
		return b == base
	})
}

// acceptLanguage writes languages as Chrome does: quality falls by tenths to 0.1 (RFC 9110 §12.5.4).
func acceptLanguage(languages []string) string {
	parts := make([]string, len(languages))
	for i, l := range languages {
		parts[i] = l
		if i > 0 {
			parts[i] = fmt.Sprintf("%s;q=0.%d", l, max(10-i, 1))
		}
	}
	return strings.Join(parts, ",")
}
