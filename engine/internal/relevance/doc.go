// Package relevance puts pages into the order of a query from what is known of them
// without reading them: title, URL and description. It is BM25 over three weighted
// fields (the form known as BM25F), with the counts of the given pages alone. It knows
// no synonyms, no word stems and no languages, and keeps nothing between calls.
//
//   - rank.go — [Doc], [Rank] and [Matching], all there is
//   - count.go — which words of the query a page has, and how long it is
//   - split.go — words of a text, of any script
//   - address.go — the text in a URL
package relevance
