// Package structured reads a page's descriptions of things in the words of a vocabulary.
// It reads JSON-LD, microdata and RDFa Lite, all three to the same items, so that code that looks for a product or
// a menu needn't know how the page wrote it down.
//
// It judges nothing: it doesn't know what a product is, doesn't choose between items and
// completes none. It fetches no context and follows no address. Pages are foreign: depth,
// number and size of what is read are bounded, and what is beyond is left out.
//
// Start with [Read].
//
//   - item.go — [Item], [Value], and the look-up of properties
//   - read.go — [Page], [Read], [Graph]: all items of a page; references between them
//   - jsonld.go — items of JSON-LD
//   - markup.go — items of microdata and RDFa, which are attributes of elements
//   - text.go — the text of elements, within bounds
package structured
