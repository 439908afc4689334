package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
)

// Limits of the service for searches.
const (
	mostResults    = 100
	defaultResults = 10
	mostSources    = 10
	mostCategories = 20
	mostDomains    = 100
	longestQuery   = 10_000

	tenResultsCredits = 2
)

// searchBody is the answer of a search.
type searchBody struct {
	Success     bool              `json:"success"`
	Data        engine.SearchData `json:"data"`
	CreditsUsed int               `json:"creditsUsed"`
	ID          string            `json:"id"`
	Warning     string            `json:"warning,omitempty"`
}

// search is POST /v2/search.
func (c *call) search() error {
	var query string
	o := engine.SearchOptions{Owner: c.team}
	market := false
	f := c.labels(elsewhere(c.searchFields(&query, &o)))
	f["sources"] = noting(&market, f["sources"])
	err := c.body(f)
	switch {
	case market:
		return errNoMarketplace
	case err != nil:
		return err
	case query == "":
		return required("query", "what to search for")
	}
	if err := c.afford(searchPrice(&o)); err != nil {
		return err
	}
	timeout := cmp.Or(o.Timeout, defaultTimeout)
	done, err := c.page(timeout, engine.CodeSearchTimeout)
	if err != nil {
		return err
	}
	defer done()
	found, err := work(c, "search", func(ctx context.Context) (*engine.SearchResult, error) {
		ctx, cancel := c.within(ctx, timeout)
		defer cancel()
		return c.api.engine.Search(ctx, query, o)
	})
	if err != nil {
		return err
	}
	return c.reply(searchBody{true, found.Data, found.Credits, found.ID, found.Warning})
}

// searchPrice is the most that a search costs: for as many results as are asked for of each source, and their pages.
func searchPrice(o *engine.SearchOptions) int64 {
	results, pages := 0, 0
	for i := range max(1, len(o.Sources)) {
		limit := cmp.Or(o.Limit, defaultResults)
		results += limit
		if len(o.Sources) == 0 || o.Sources[i].Type != search.Images {
			pages += limit
		}
	}
	price := int64(results+9) / 10 * tenResultsCredits
	if o.Scrape != nil {
		price += int64(pages) * priceOf(*o.Scrape, o.ZeroDataRetention)
	}
	return price
}

func (c *call) searchFields(query *string, o *engine.SearchOptions) fields {
	return fields{
		"query":             text(query, 1, longestQuery),
		"limit":             whole(&o.Limit, 1, mostResults),
		"sources":           list(&o.Sources, mostSources, sourceReader),
		"categories":        list(&o.Categories, mostCategories, categoryReader),
		"includeDomains":    texts(&o.IncludeDomains, mostDomains),
		"excludeDomains":    texts(&o.ExcludeDomains, mostDomains),
		"tbs":               text(&o.TBS, 0, longestLabel),
		"filter":            text(&o.Filter, 0, longestLabel),
		"lang":              text(&o.Lang, 0, longestLabel),
		"country":           text(&o.Country, 0, longestLabel),
		"location":          text(&o.Location, 0, longestLabel),
		"safe":              text(&o.Safe, 0, longestLabel),
		"timeout":           span(&o.Timeout, time.Millisecond, leastTimeout, mostTimeout),
		"ignoreInvalidURLs": flag(&o.IgnoreInvalidURLs),
		"scrapeOptions":     nested(&o.Scrape, scrapeFields),
		"zeroDataRetention": c.retention(&o.ZeroDataRetention),
		"asyncScraping":     unsupported,
		"highlights":        unsupported,
		"enterprise":        unsupported,
		"domainTools":       unsupported,
		"toolDetail":        word(new(string), "compact", "summary", "full"), // of tools, of which there are none
	}
}

// marketplace is the source of tools that vendors of data offer at the service. The service's MCP server asks for it wherever a search
// names no source. When the answer is [errNoMarketplace], it asks again for the web alone.
const marketplace = "alexandria"

// errNoMarketplace has the text that the MCP server goes by.
var errNoMarketplace = &problem{status: http.StatusForbidden, code: codeForbidden, text: "This endpoint is not enabled for this team.",
	details: []issue{{Code: "unsupported", Path: []any{"sources"}, Message: marketplace + ": not supported"}}}

// noting tells whether sources name the marketplace, whatever else is read of them.
func noting(market *bool, sources reader) reader {
	return reader{sources.shape, func(raw json.RawMessage) []issue {
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // what is no list is told by who reads it
		for _, item := range list {
			var object struct{ Type string }
			var name string
			*market = *market || json.Unmarshal(item, &name) == nil && name == marketplace ||
				json.Unmarshal(item, &object) == nil && object.Type == marketplace
		}
		return sources.read(raw)
	}}
}

// sourceReader reads a name or an object with options of its own.
func sourceReader(s *engine.SearchSource) reader {
	return nameOr("SearchSource", word(&s.Type, search.Web, search.News, search.Images), fields{
		"tbs": text(&s.TBS, 0, longestLabel), "filter": text(&s.Filter, 0, longestLabel), "lang": text(&s.Lang, 0, longestLabel),
		"country": text(&s.Country, 0, longestLabel), "location": text(&s.Location, 0, longestLabel),
	})
}

func categoryReader(name *string) reader {
	return nameOr("SearchCategory", text(name, 1, longestLabel), fields{})
}

// nameOr reads a name, or an object whose type is that name.
func nameOr(title string, name reader, object fields) reader {
	return shortOr(title, "type", name, object)
}

// shortOr reads a value, or an object which has it under a key. The document of the API calls both by the title.
func shortOr(title, key string, short reader, object fields) reader {
	shape := func() schema {
		f := maps.Clone(object)
		f[key] = short
		return schema{"oneOf": []schema{short.shape(), f.shape().requiring(key)}}.titled(title)
	}
	return reader{shape, func(raw json.RawMessage) []issue {
		if len(raw) > 0 && raw[0] == '"' {
			return short.read(raw)
		}
		there := false
		f := maps.Clone(object)
		f[key] = reader{short.shape, func(raw json.RawMessage) []issue {
			there = true
			return short.read(raw)
		}}
		issues := f.read(raw)
		if issues == nil && !there {
			return []issue{{Code: "required", Path: []any{key}, Message: "required"}}
		}
		return issues
	}}
}
