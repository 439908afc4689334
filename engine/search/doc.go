// Package search asks search engines: a query in, addresses with titles and descriptions out.
//
// A [Provider] is one search engine. Ready-made are [SearXNG], which speaks the JSON API of a
// SearXNG server, [JSONAPI], which is told by a template how to ask any service that answers in
// JSON, and package engine/search/local, a full-text index of what an engine's cache holds, on
// this machine. searchtest has the tests that every provider must pass.
//
// The package scrapes nothing, knows no cache and counts no credits: that is the engine's part.
// Providers talk to endpoints that the operator has configured, so they keep to no egress policy.
//
//   - query.go — [Provider], [Query], [Result]: start here
//   - capabilities.go — [Capabilities]: what a provider can do, and the refusal of the rest
//   - span.go — [Span]: the tbs parameter
//   - category.go — [Category]: which domains it stands for
//   - operators.go — site: and filetype: terms, and the check that they were obeyed
//   - index.go — [Index] and [Pages]: a provider that the engine feeds
//   - searxng.go — [SearXNG]
//   - jsonapi.go, template.go, path.go — [JSONAPI], its templates, and the paths into an answer
//   - client.go — one HTTP request: bounds, retries, errors without secrets
//   - errors.go — [OptionError], [StatusError] and the sentinels
//
// # Searching with an engine
//
// Engine.Search asks the providers of Options.Search, for each source (web, news, images) the first that can honour
// the options, and the next one when it fails. What none can honour (a period, a category, a language …) is refused
// by name, never ignored. Each page is given once; SearchOptions.Scrape gets the hits' pages too, some at a time,
// and a page that cannot be fetched is that hit's error. Under lockdown and zero data retention only a local
// provider is queried. Three providers are ready-made:
//
//   - search.NewSearXNG: a SearXNG server, by its JSON API (the server's settings must allow json).
//
//   - search.NewJSONAPI: any service that answers in JSON, described by a template: URL, body and headers with
//     placeholders, and paths into the answer.
//
//   - local.New: full text of all that the cache holds, see package engine/search/local.
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
