// Package xmltree reads the XML of untrusted files: as a stream of elements, any of which can be
// taken as a small tree.
//
// It expands no entities of the document's own, opens nothing outside, and bounds depth and size. Names
// come with one fixed prefix per namespace, whatever prefix the document uses ("w:p", "text:p"), so both
// variants of Office Open XML read alike. Malformed XML is read as far as it goes. Start from New.
//
//	reader.go   Reader: elements one after another
//	node.go     Node: an element and all inside it
//	clean.go    bytes to clean UTF-8
//	names.go    namespaces and their prefixes
package xmltree
