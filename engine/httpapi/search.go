package httpapi

import (
	"cmp"
	"context"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/engine/search"
)

// Limits of the service for searches.
const (
	defaultResults = 10

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

// handleSearch is POST /v2/search.
func handleSearch(c *call) error {
	var query string
	o := engine.SearchOptions{Owner: c.team}
	market, highlights := false, false
	f := c.labels(decode.WithUnsupported(decode.SearchFields(&query, &o, &highlights, c.limits.ZeroDataRetention)))
	f["sources"] = decode.NotingMarketplace(&market, f["sources"])
	err := c.body(f)
	switch {
	case market:
		return errNoMarketplace
	case err != nil:
		return err
	}
	found, err := searchFor(c, query, o)
	if err != nil {
		return err
	}
	if highlights {
		found.Warning = strings.TrimSpace(found.Warning + " Without effect: highlights, which is not supported.")
	}
	return c.reply(searchBody{true, found.Data, found.Credits, found.ID, found.Warning})
}

// searchFor searches within the limits of the key. Texts are in the words of HTTP.
func searchFor(c *call, query string, o engine.SearchOptions) (*engine.SearchResult, error) {
	if query == "" {
		return nil, decode.Required("query", "what to search for")
	}
	if err := c.credits.Reserve(c.r.Context(), searchPrice(&o)); err != nil {
		return nil, err
	}
	timeout := cmp.Or(o.Timeout, defaultTimeout)
	done, err := c.page(timeout, engine.CodeSearchTimeout)
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := work(c, "search", func(ctx context.Context) (*engine.SearchResult, error) {
		ctx, cancel := c.within(ctx, timeout)
		defer cancel()
		return c.api.engine.Search(ctx, query, o)
	})
	if err != nil {
		return nil, err
	}
	nameForClients(found.Data)
	found.Warning = serverNames.Replace(found.Warning)
	return found, nil
}

// nameForClients puts the errors of hits into the words of HTTP.
func nameForClients(d engine.SearchData) {
	for i := range d.Web {
		d.Web[i].Error = shown(d.Web[i].Code, d.Web[i].Error)
	}
	for i := range d.News {
		d.News[i].Error = shown(d.News[i].Code, d.News[i].Error)
	}
}

// searchPrice is the most that a search costs: for the requested number of results of each source, and their pages.
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

// errNoMarketplace has the text that the MCP server goes by.
var errNoMarketplace = refusal(codeForbidden, "This endpoint is not enabled for this team.",
	decode.Issue{Code: "unsupported", Path: []any{"sources"}, Message: decode.Marketplace + ": not supported"})
