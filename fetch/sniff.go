package fetch

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

const (
	octetStream = "application/octet-stream"
	// sniffLen is how much of a body is looked at for what stands near its beginning, in bytes.
	sniffLen = 4 << 10
	// maxSniffedJSON bounds the bodies without a type that are tried as JSON, in bytes.
	maxSniffedJSON = 8 << 20
)

// MediaType returns the type of a body, in lower case and without parameters, from its Content-Type and its content, by
// the same rule as Response.MediaType.
func MediaType(contentType string, body []byte) string { return sniff(contentType, body) }

// sniff returns the media type of a body: the declared one unless there is none, it says nothing
// (application/octet-stream), or the content contradicts it: a binary signature or other binary content
// (application/octet-stream then) under a text type, a feed under HTML, or HTML under an image, a PDF, an archive.
func sniff(contentType string, body []byte) string {
	declared := declaredType(contentType)
	if len(body) == 0 {
		return or(declared, "text/plain")
	}
	switch declared {
	case "", octetStream, "application/force-download", "application/x-download", "binary/octet-stream":
		return fromContent(body)
	}
	if IsText(declared) {
		if found := signature(body); found != "" {
			return found
		}
		if isBinary(contentType, body) {
			return octetStream
		}
		if declared == "text/html" && isFeed(textual(body)) {
			return textual(body)
		}
		return declared
	}
	if binaryFamily(declared) && textual(body) == "text/html" {
		return "text/html"
	}
	return declared
}

func isFeed(mediaType string) bool {
	return mediaType == "application/rss+xml" || mediaType == "application/atom+xml"
}

// declaredType is the type of a Content-Type header in lower case, or "" where it isn't one. A broken
// parameter doesn't spoil the type.
func declaredType(contentType string) string {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t, _, _ = strings.Cut(contentType, ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	major, minor, ok := strings.Cut(t, "/")
	known := t != "*/*" && t != "unknown/unknown" && t != "application/unknown"
	if !ok || !known || !httpguts.ValidHeaderFieldName(major) || !httpguts.ValidHeaderFieldName(minor) {
		return ""
	}
	return t
}

// fromContent judges a body without a usable declaration.
func fromContent(body []byte) string {
	if found := signature(body); found != "" {
		return found
	}
	if found := textual(body); found != "" {
		return found
	}
	found, _, _ := strings.Cut(http.DetectContentType(body), ";")
	return found
}

// textual knows the text formats that begin in a way of their own, "" for all others.
func textual(body []byte) string {
	head := bytes.TrimPrefix(body[:min(len(body), sniffLen)], []byte("\xef\xbb\xbf"))
	head = bytes.TrimLeft(head, " \t\r\n\f")
	if len(head) == 0 {
		return ""
	}
	switch head[0] {
	case '{', '[':
		if len(body) <= maxSniffedJSON && json.Valid(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))) {
			return "application/json"
		}
	case '<':
		return markup(head)
	}
	return ""
}

// markup distinguishes HTML, XHTML, SVG, feeds and other XML by their first element.
func markup(head []byte) string {
	lower := bytes.ToLower(head)
	xml := bytes.HasPrefix(lower, []byte("<?xml"))
	switch name := firstElement(lower); {
	case name == "html" && xml:
		return "application/xhtml+xml"
	case name == "svg":
		return "image/svg+xml"
	case name == "rss", name == "rdf:rdf" && (bytes.Contains(lower, []byte("purl.org/rss/")) || bytes.Contains(lower, []byte("netscape.com/rdf"))):
		return "application/rss+xml"
	case name == "feed" && (xml || bytes.Contains(lower, []byte("http://www.w3.org/2005/atom"))):
		return "application/atom+xml"
	case xml:
		return "application/xml"
	}
	if t := http.DetectContentType(head); strings.HasPrefix(t, "text/html") {
		return "text/html"
	}
	return ""
}

// firstElement is the name of the first tag after declarations and comments.
func firstElement(lower []byte) string {
	for range 64 {
		i := bytes.IndexByte(lower, '<')
		if i < 0 {
			return ""
		}
		lower = lower[i+1:]
		switch {
		case bytes.HasPrefix(lower, []byte("!--")):
			end := bytes.Index(lower, []byte("-->"))
			if end < 0 {
				return ""
			}
			lower = lower[end:]
		case len(lower) > 0 && (lower[0] == '?' || lower[0] == '!'):
		default:
			end := bytes.IndexAny(lower, " \t\r\n\f/>")
			return string(lower[:max(end, 0)])
		}
	}
	return ""
}

// binaryFamily reports whether a type can't hold what begins like HTML.
func binaryFamily(t string) bool {
	major, minor, _ := strings.Cut(t, "/")
	switch major {
	case "image", "audio", "video", "font":
		return true
	}
	return minor == "pdf" || minor == "zip" || minor == "msword" || strings.HasPrefix(minor, "vnd.openxmlformats-") ||
		strings.HasPrefix(minor, "vnd.ms-") || strings.HasPrefix(minor, "vnd.oasis.")
}

// IsText reports whether a media type (lower case, no parameters) is text that Text can read: text/*, JSON, XML
// and their families, scripts, YAML, forms.
func IsText(mediaType string) bool {
	major, minor, _ := strings.Cut(mediaType, "/")
	if major == "text" || strings.HasSuffix(minor, "+xml") || strings.HasSuffix(minor, "+json") || strings.HasSuffix(minor, "+yaml") {
		return true
	}
	if major != "application" {
		return false
	}
	switch minor {
	case "json", "ld+json", "ndjson", "x-ndjson", "jsonl", "json5", "xml", "xml-dtd", "javascript", "x-javascript",
		"ecmascript", "typescript", "yaml", "x-yaml", "toml", "graphql", "sql", "x-sh", "x-www-form-urlencoded", "x-httpd-php":
		return true
	}
	return false
}
