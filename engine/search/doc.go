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
package search
