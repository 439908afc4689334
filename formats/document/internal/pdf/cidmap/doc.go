// Package cidmap has Adobe's character maps for Chinese, Japanese and Korean: how the codes of a string fall into the
// glyphs (CIDs) of a collection, and which characters these glyphs stand for. It may change without notice.
//
// A PDF names such a map and doesn't carry it (ISO 32000-1, 9.7.5.2). All maps of the collections Adobe-GB1, Adobe-CNS1,
// Adobe-Japan1, Adobe-Korea1 and Adobe-KR are here, except those that lead from one of Adobe's own numberings to another.
// The file cidmaps.zst has 306,754 bytes, and 1,363,665 unpacked. The first use of a map unpacks it, and the first use of each map
// decodes that one; both stay until the program ends.
//
// The maps are Adobe's, under a BSD licence (LICENSE.adobe.txt). Command generate makes cidmaps.zst of them. Nothing here
// reads maps that a PDF embeds: package reader does.
//
// Start from Encoding, which finds a map, and Find, which finds a collection.
//
//	encoding.go  Encoding: maps by name, codes to CIDs
//	spaces.go    where a code ends
//	text.go      Find: collections, CIDs to characters
//	library.go   the embedded file
//	section.go   the form of a map in it
package cidmap
