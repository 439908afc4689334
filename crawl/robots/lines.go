package robots

import (
	"bytes"
	"iter"
	"strings"
)

type kind uint8

const (
	other kind = iota
	userAgent
	allow
	disallow
	crawlDelay
	sitemap
)

// directive is one line that names something known.
type directive struct {
	kind  kind
	value string // trimmed, without comment
	line  string // the whole line, trimmed, without comment
}

// directives goes through the lines of a robots.txt and leaves out what isn't a directive.
// The strings are not shared with body.
func directives(body []byte) iter.Seq[directive] {
	return func(yield func(directive) bool) {
		for line := range lines(limited(body)) {
			if d := readLine(string(line)); d.kind != other && !yield(d) {
				return
			}
		}
	}
}

// limited cuts a body at MaxSize and drops the line that was cut through: "Disallow: /" is not
// what "Disallow: /private" says.
func limited(body []byte) []byte {
	if len(body) > MaxSize {
		body = body[:MaxSize]
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
	}
	return bytes.TrimPrefix(body, []byte("\ufeff"))
}

// lines splits at LF and CR; CRLF makes an empty line more, which is no directive.
func lines(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(body) > 0 {
			end := bytes.IndexAny(body, "\r\n")
			if end < 0 {
				end = len(body)
			}
			if !yield(body[:end]) {
				return
			}
			body = body[min(end+1, len(body)):]
		}
	}
}

func readLine(line string) directive {
	line, _, _ = strings.Cut(line, "#")
	line = trim(line)
	name, value, found := strings.Cut(line, ":")
	if !found {
		name, value = splitAtSpace(line)
	}
	return directive{kind: kindOf(name), value: trim(value), line: line}
}

// splitAtSpace reads "disallow /x": a line without colon counts if it is of two words.
func splitAtSpace(line string) (name, value string) {
	words := strings.Fields(line)
	if len(words) != 2 {
		return "", ""
	}
	return words[0], words[1]
}

func trim(s string) string { return strings.Trim(s, " \t\v\f\x00") }

func kindOf(name string) kind {
	const maxLen = 32
	if len(name) > maxLen {
		return other
	}
	switch fold(name) {
	case "useragent":
		return userAgent
	case "alow":
		return allow
	case "disalow":
		return disallow
	case "crawldelay":
		return crawlDelay
	case "sitemap":
		return sitemap
	}
	return other
}

// fold makes names equal that people mean to be: case, hyphens and doubled letters go ("Disalow", "User agent").
// RFC 9309 leaves such mercy open; here it errs on the side of obeying.
func fold(name string) string {
	var b strings.Builder
	last := byte(0)
	for i := 0; i < len(name); i++ {
		c := lower(name[i])
		if c == '-' || c == '_' || c == ' ' || c == '\t' || c == last {
			continue
		}
		b.WriteByte(c)
		last = c
	}
	return b.String()
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
