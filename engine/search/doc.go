// Package search queries search engines: a query in, addresses with titles and descriptions out.
//
// A [Provider] is one search engine. Three exist: [SearXNG] uses the JSON API of a SearXNG server,
// [JSONAPI] uses a template to query any service that answers in JSON, and package
// engine/search/local is a full-text index, on this machine, of an engine's cache. searchtest has
// the tests that every provider must pass.
//
// The package does not scrape, cache or count credits: the engine does. Providers send requests only
// to endpoints that the operator has configured, so no egress policy applies to them.
//
//   - query.go — [Provider], [Query], [Result]: start here
//   - capabilities.go — [Capabilities]: what a provider supports, and the error for the rest
//   - passage.go — [Passage]: a part of a page
//   - span.go — [Span]: the tbs parameter
//   - category.go — [Category] and its domains
//   - operators.go — site: and filetype: terms, and the check that results satisfy them
//   - index.go — [Index] and [Pages]: a provider that the engine updates
//   - searxng.go — [SearXNG]
//   - jsonapi.go, template.go, path.go — [JSONAPI], its templates, and the paths into an answer
//   - client.go — one HTTP request: limits, retries, errors without secrets
//   - errors.go — [OptionError], [StatusError] and the sentinels
//
// # Searching with an engine
//
// Engine.Search queries the providers of Options.Search: for each source (web, news, images) the first that supports
// the options, and the next one if it fails. An option that no provider supports (a period, a category, a language …)
// is an error that names it; none is ignored. Each page is returned once. With SearchOptions.Scrape the pages of the
// hits are fetched too, several at a time; a page that cannot be fetched is that hit's error. Under lockdown and zero
// data retention only local providers are queried. The three providers:
//
//   - search.NewSearXNG: a SearXNG server, by its JSON API (the server's settings must allow json).
//
//   - search.NewJSONAPI: any service that answers in JSON, described by a template: URL, body and headers with
//     placeholders, and paths into the answer.
//
//   - local.New: full text of the whole cache, with its news (articles with a date) and its images (those with a text), see
//     package engine/search/local.
//
// For example:
//
//	e, err := engine.New(engine.Options{
//		Dir:    "data",
//		Search: []search.Provider{local.New(local.Options{})},
//	})
//	…
//	found, err := e.Search(ctx, `barley "dry barn" -oats`, engine.SearchOptions{IncludeDomains: []string{"example.com"}})
//	for _, hit := range found.Data.Web {
//		fmt.Println(hit.URL, hit.Title, hit.Description)
//	}
package search
