// Package hidden finds the parts of a page that readers don't see: by attributes, inline styles and the page's own
// style elements. Linked style sheets are not read.
//
//	hidden.go  Mask: what is left out of a page
//	style.go   declarations
//	sheet.go   rules
package hidden
