package pictures

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
)

const (
	svgType    = "image/svg+xml"
	maxSVG     = 4 << 20 // bytes
	svgWindow  = 4 << 10 // in which the root element begins
	svgScripts = "javascript:"
)

// isSVG reports a text whose root element may be that of SVG.
func isSVG(body []byte) bool {
	head := bytes.TrimLeft(bytes.TrimPrefix(body[:min(len(body), svgWindow)], []byte("\xEF\xBB\xBF")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte("svg"))
}

// inspectSVG reads the whole picture as XML. In an img element no browser runs what it holds; opened by itself it would be a page. So
// there are no scripts, no handlers of events and no foreign elements in it. Texts that aren't UTF-8, or declare entities, are left out.
func inspectSVG(body []byte) (why string) {
	if len(body) > maxSVG {
		return Large
	}
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))))
	for root := true; ; {
		t, err := d.RawToken()
		switch {
		case err == io.EOF && !root:
			return ""
		case err != nil:
			return Damaged
		}
		switch t := t.(type) {
		case xml.Directive:
			if bytes.Contains(t, []byte("[")) {
				return Damaged
			}
		case xml.ProcInst:
			if t.Target != "xml" { // a style sheet can be a program
				return Script
			}
		case xml.StartElement:
			if root && t.Name.Local != "svg" {
				return Kind
			}
			root = false
			if acts(t) {
				return Script
			}
		}
	}
}

// acts reports an element that runs something, or holds elements of pages.
func acts(t xml.StartElement) bool {
	switch strings.ToLower(t.Name.Local) {
	case "script", "handler", "listener", "foreignobject", "iframe", "object", "embed":
		return true
	}
	for _, a := range t.Attr {
		name := strings.ToLower(a.Name.Local)
		value := strings.ToLower(strings.Join(strings.Fields(a.Value), ""))
		page := name == "href" && strings.HasPrefix(value, "data:") && !strings.HasPrefix(value, "data:image/")
		if a.Name.Space == "" && strings.HasPrefix(name, "on") || strings.Contains(value, svgScripts) || page {
			return true
		}
	}
	return false
}
