package decode

import (
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
)

// Limits of the service for maps.
const (
	maxLinks      = 100_000
	maxLinksV1    = 30_000
	maxMapTimeout = 30 * 60 * 1000 // ms
	maxFind       = 1000
)

// MapFields are those of a map, whose links are objects.
func MapFields(url *string, o *engine.MapOptions, zdr bool) Fields {
	return Fields{
		"url":                   URL(url),
		"search":                Text(&o.Search, 0, maxFind),
		"sitemap":               sitemap(&o.Sitemap),
		"includeSubdomains":     flagOr(&o.IncludeSubdomains),
		"ignoreQueryParameters": flagOr(&o.IgnoreQueryParameters),
		"limit":                 Whole(&o.Limit, 1, maxLinks),
		"timeout":               span(&o.Timeout, time.Millisecond, 1, maxMapTimeout),
		"ignoreCache":           Flag(&o.IgnoreCache),
		"location":              nested(&o.Location, locationFields),
		"headers":               texted(&o.Headers),
		"filterByPath":          flagOr(&o.FilterByPath),
		"useIndex":              flagOr(&o.UseIndex),
		"allowExternalLinks":    Flag(&o.AllowExternalLinks),
		"includePaths":          Texts(&o.IncludePaths, MaxPatterns),
		"excludePaths":          Texts(&o.ExcludePaths, MaxPatterns),
		"lockdown":              Flag(&o.Lockdown),
		"zeroDataRetention":     retention(&o.ZeroDataRetention, zdr),
	}
}

// MapV1Fields are those of the first version, which has two flags in place of the mode of sitemaps.
func MapV1Fields(url *string, o *engine.MapOptions, ignoreSitemap **bool, sitemapOnly *bool) Fields {
	return Fields{
		"url":               URL(url),
		"search":            Text(&o.Search, 0, maxFind),
		"ignoreSitemap":     flagOr(ignoreSitemap),
		"sitemapOnly":       Flag(sitemapOnly),
		"includeSubdomains": flagOr(&o.IncludeSubdomains),
		"useIndex":          flagOr(&o.UseIndex),
		"limit":             Whole(&o.Limit, 1, maxLinksV1),
		"timeout":           span(&o.Timeout, time.Millisecond, 1, maxMapTimeout),
		"location":          nested(&o.Location, locationFields),
	}
}

// Marketplace is the source of tools that vendors of data offer at the service. The service's MCP server asks for it wherever a search
// names no source. When that is refused with 403, it asks again for the web alone.
const Marketplace = "alexandria"

// SearchFields are those of a search. highlights reports that it asks for highlights, which clients do by habit.
func SearchFields(query *string, o *engine.SearchOptions, highlights *bool, zdr bool) Fields {
	return Fields{
		"query":             Text(query, 1, maxQuery),
		"limit":             Whole(&o.Limit, 1, maxResults),
		"sources":           List(&o.Sources, maxSources, sourceReader),
		"categories":        List(&o.Categories, maxCategories, categoryReader),
		"includeDomains":    Texts(&o.IncludeDomains, maxDomains),
		"excludeDomains":    Texts(&o.ExcludeDomains, maxDomains),
		"tbs":               Text(&o.TBS, 0, MaxLabel),
		"filter":            Text(&o.Filter, 0, MaxLabel),
		"lang":              Text(&o.Lang, 0, MaxLabel),
		"country":           Text(&o.Country, 0, MaxLabel),
		"location":          Text(&o.Location, 0, MaxLabel),
		"safe":              Text(&o.Safe, 0, MaxLabel),
		"timeout":           span(&o.Timeout, time.Millisecond, minTimeout, maxTimeout),
		"ignoreInvalidURLs": Flag(&o.IgnoreInvalidURLs),
		"scrapeOptions":     nested(&o.Scrape, ScrapeFields),
		"zeroDataRetention": retention(&o.ZeroDataRetention, zdr),
		"asyncScraping":     unsupported,
		"highlights":        noting(highlights),
		"enterprise":        unsupported,
		"domainTools":       unsupported,
		"toolDetail":        Word(new(string), "compact", "summary", "full"), // of tools, of which there are none
	}
}

// NotingMarketplace reports in market whether sources name the marketplace, and reads them as before.
func NotingMarketplace(market *bool, sources Reader) Reader {
	return Reader{sources.Shape, func(raw json.RawMessage) []Issue {
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // the reader refuses what is no list
		for _, item := range list {
			var object struct{ Type string }
			var name string
			*market = *market || json.Unmarshal(item, &name) == nil && name == Marketplace ||
				json.Unmarshal(item, &object) == nil && object.Type == Marketplace
		}
		return sources.Read(raw)
	}}
}

// sourceReader reads a name or an object with options of its own.
func sourceReader(s *engine.SearchSource) Reader {
	return nameOr("SearchSource", Word(&s.Type, search.Web, search.News, search.Images), Fields{
		"tbs": Text(&s.TBS, 0, MaxLabel), "filter": Text(&s.Filter, 0, MaxLabel), "lang": Text(&s.Lang, 0, MaxLabel),
		"country": Text(&s.Country, 0, MaxLabel), "location": Text(&s.Location, 0, MaxLabel),
	})
}

func categoryReader(name *string) Reader {
	return nameOr("SearchCategory", Text(name, 1, MaxLabel), Fields{})
}

// Limits of the service for searches.
const (
	maxResults    = 100
	maxSources    = 10
	maxCategories = 20
	maxDomains    = 100
	maxQuery      = 10_000
)
