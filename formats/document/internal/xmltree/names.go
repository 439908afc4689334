package xmltree

import "encoding/xml"

// prefixes is the one prefix that names of a namespace get. Names of a namespace that isn't here get
// "?", names without one get none.
var prefixes = map[string]string{
	// Office Open XML, transitional and strict.
	"http://schemas.openxmlformats.org/wordprocessingml/2006/main":            "w",
	"http://purl.oclc.org/ooxml/wordprocessingml/main":                        "w",
	"http://schemas.openxmlformats.org/spreadsheetml/2006/main":               "x",
	"http://purl.oclc.org/ooxml/spreadsheetml/main":                           "x",
	"http://schemas.openxmlformats.org/presentationml/2006/main":              "p",
	"http://purl.oclc.org/ooxml/presentationml/main":                          "p",
	"http://schemas.openxmlformats.org/drawingml/2006/main":                   "a",
	"http://purl.oclc.org/ooxml/drawingml/main":                               "a",
	"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing":  "wp",
	"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing":              "wp",
	"http://schemas.openxmlformats.org/drawingml/2006/picture":                "pic",
	"http://purl.oclc.org/ooxml/drawingml/picture":                            "pic",
	"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing":     "xdr",
	"http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing":                 "xdr",
	"http://schemas.openxmlformats.org/drawingml/2006/chart":                  "c",
	"http://purl.oclc.org/ooxml/drawingml/chart":                              "c",
	"http://schemas.openxmlformats.org/drawingml/2006/diagram":                "dgm",
	"http://purl.oclc.org/ooxml/drawingml/diagram":                            "dgm",
	"http://schemas.openxmlformats.org/officeDocument/2006/relationships":     "r",
	"http://purl.oclc.org/ooxml/officeDocument/relationships":                 "r",
	"http://schemas.openxmlformats.org/officeDocument/2006/math":              "m",
	"http://purl.oclc.org/ooxml/officeDocument/math":                          "m",
	"http://schemas.openxmlformats.org/package/2006/relationships":            "rel",
	"http://schemas.openxmlformats.org/package/2006/content-types":            "ct",
	"http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
	"http://schemas.openxmlformats.org/markup-compatibility/2006":             "mc",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingShape":       "wps",
	"urn:schemas-microsoft-com:vml":                                           "v",
	"http://purl.org/dc/elements/1.1/":                                        "dc",
	"http://purl.org/dc/terms/":                                               "dcterms",
	"http://www.w3.org/XML/1998/namespace":                                    "xml",
	"http://www.w3.org/1999/xhtml":                                            "html",
	"http://www.w3.org/1999/xlink":                                            "xlink",
	// OpenDocument.
	"urn:oasis:names:tc:opendocument:xmlns:office:1.0":            "office",
	"urn:oasis:names:tc:opendocument:xmlns:text:1.0":              "text",
	"urn:oasis:names:tc:opendocument:xmlns:table:1.0":             "table",
	"urn:oasis:names:tc:opendocument:xmlns:style:1.0":             "style",
	"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0":           "draw",
	"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0":      "presentation",
	"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0":    "svg",
	"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0": "fo",
	"urn:oasis:names:tc:opendocument:xmlns:meta:1.0":              "meta",
	"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0":          "manifest",
	"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0":         "number",
	"http://www.w3.org/1998/Math/MathML":                          "mathml",
	// EPUB.
	"urn:oasis:names:tc:opendocument:xmlns:container": "container",
	"http://www.idpf.org/2007/opf":                    "opf",
	"http://www.w3.org/2001/04/xmlenc#":               "enc",
	// Feeds. RSS has no namespace in most versions.
	"http://purl.org/rss/1.0/":                    "",
	"http://my.netscape.com/rdf/simple/0.9/":      "",
	"http://backend.userland.com/rss2":            "",
	"http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
	"http://www.w3.org/2005/Atom":                 "atom",
	"http://purl.org/atom/ns#":                    "atom",
	"http://purl.org/rss/1.0/modules/content/":    "content",
	"http://www.itunes.com/dtds/podcast-1.0.dtd":  "itunes",
	"http://search.yahoo.com/mrss/":               "media",
}

// names remembers the names already made, for a document repeats few of them often.
type names map[xml.Name]string

func (n names) of(name xml.Name) string {
	if name.Space == "" {
		return name.Local
	}
	if s, ok := n[name]; ok {
		return s
	}
	s := prefixed(name)
	const many = 4096 // a document with more makes them up
	if len(n) < many {
		n[name] = s
	}
	return s
}

func prefixed(name xml.Name) string {
	prefix, known := prefixes[name.Space]
	switch {
	case !known:
		return "?:" + name.Local
	case prefix == "":
		return name.Local
	}
	return prefix + ":" + name.Local
}
