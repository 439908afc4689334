// Package parse makes a tree of a page's HTML, in time that grows with its bytes, however they nest.
//
//	parse.go   Document, and HTML for a piece of one: pages that the parser refuses or could choke on
//	reveal.go  pictures and formulas that a page keeps in noscript and script elements
//	pieces.go  Pieces: parts of a long document that are parsed by themselves
//	tame.go    the token filter for such pages
//	shadow.go  declared shadow trees, flattened
//	streamed.go  what React streams out of order, put in its places
package parse
