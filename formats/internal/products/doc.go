// Package products finds the product that a page sells: its name, brand and category, its variants with prices,
// availability and pictures.
//
// It uses the page's structured data, in JSON-LD, microdata, RDFa and meta elements, and takes from the visible text
// only how a price is written. It guesses nothing: missing data stays missing. It fetches nothing.
//
// Start with [Find].
//
//   - find.go — [Page], Find: the steps in order
//   - own.go — which of several products is the page's own
//   - read.go — a product's own fields, categories and pictures
//   - variants.go — variants, of groups and of offers
//   - offers.go — price, list price and availability of an offer
//   - metas.go — what meta elements say where nothing else does
//   - shown.go — how the page writes its prices
package products
