package fetch

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/fetch/internal/guess"
)

const (
	// prescanLen bounds the search for a meta element, in bytes. The standard requires 1024; browsers go on
	// to the end of the head, and so do pages.
	prescanLen   = 16 << 10
	prescanSure  = 1024
	detectLen    = guess.MaxWords // sample of a detection where there is no text, in bytes
	detectBefore = 256            // of it, in front of the first byte that isn't ASCII
)

// wideASCII knows UTF-16 without a byte order mark by the zero bytes between the ASCII ones: at once where it
// begins with a tag or a declaration, else when most characters are ASCII.
func wideASCII(body []byte) string {
	sample := body[:min(len(body), 512)&^1]
	if len(sample) < 4 {
		return ""
	}
	switch {
	case sample[0] == '<' && sample[1] == 0 && sample[2] != 0 && sample[3] == 0:
		return utf16leName
	case sample[0] == 0 && sample[1] == '<' && sample[2] == 0 && sample[3] != 0:
		return utf16beName
	}
	var zero [2]int
	for i, b := range sample {
		if b == 0 {
			zero[i&1]++
		}
	}
	half := len(sample) / 2
	switch {
	case zero[1] > half*7/10 && zero[0] < half/10+1 && sample[0] != 0:
		return utf16leName
	case zero[0] > half*7/10 && zero[1] < half/10+1 && sample[1] != 0:
		return utf16beName
	}
	return ""
}

// declaredInside is the encoding that a document of a type declares: in the XML declaration, else in a meta element; in HTML the meta
// element comes first. Neither can mean UTF-16, since it was just read as ASCII.
func declaredInside(body []byte, mediaType string) string {
	inXML := canonical(xmlEncoding(body))
	name := inXML
	if name == "" || mediaType == "text/html" {
		name = cmp.Or(metaCharset(body), inXML)
	}
	switch name {
	case utf16leName, utf16beName, "utf-16":
		return utf8Name
	case "x-user-defined":
		return guess.Western
	}
	return name
}

// xmlEncoding is the encoding of an XML declaration, which stands at the very beginning or not at all.
func xmlEncoding(body []byte) string {
	head := body[:min(len(body), 512)]
	end := bytes.Index(head, []byte("?>"))
	if end < 0 || !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	_, after, ok := strings.Cut(string(head[:end]), "encoding")
	if !ok {
		return ""
	}
	after, ok = strings.CutPrefix(strings.TrimSpace(after), "=")
	if after = strings.TrimSpace(after); !ok || len(after) < 2 {
		return ""
	}
	value, _, ok := strings.Cut(after[1:], after[:1])
	if !ok || after[0] != '"' && after[0] != '\'' {
		return ""
	}
	return value
}

// metaCharset looks for a meta element that names a known encoding, to the end of the head.
func metaCharset(body []byte) string {
	z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), prescanLen)]))
	for read := 0; ; {
		kind := z.Next()
		read += len(z.Raw())
		switch kind {
		case html.ErrorToken:
			return ""
		case html.EndTagToken, html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			switch {
			case string(tag) == "meta" && kind != html.EndTagToken:
				if name := canonical(metaLabel(z, more)); name != "" {
					return name
				}
			case read > prescanSure && endsHead(kind, string(tag)):
				return ""
			}
		}
	}
}

// endsHead reports whether a tag can't stand in a head.
func endsHead(kind html.TokenType, tag string) bool {
	if kind == html.EndTagToken {
		return tag == "head"
	}
	switch tag {
	case "html", "head", "title", "meta", "link", "base", "style", "script", "noscript", "template":
		return false
	}
	return true
}

// metaLabel is the label in a meta element's charset, or in its content where http-equiv says content-type.
func metaLabel(z *html.Tokenizer, more bool) string {
	attr := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, twice := attr[string(key)]; !twice {
			attr[string(key)] = string(value)
		}
	}
	if label := strings.TrimSpace(attr["charset"]); label != "" {
		return label
	}
	if strings.EqualFold(attr["http-equiv"], "content-type") {
		return charsetIn(attr["content"])
	}
	return ""
}

// charsetIn finds charset=label anywhere in the content of a meta element.
func charsetIn(content string) string {
	lower := strings.ToLower(content)
	for {
		_, after, ok := strings.Cut(lower, "charset")
		if !ok {
			return ""
		}
		lower = after
		value, ok := strings.CutPrefix(strings.TrimSpace(after), "=")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			quoted, _, _ := strings.Cut(value[1:], value[:1])
			return quoted
		}
		return value[:indexOrEnd(value, "; \t\r\n\f")]
	}
}

func indexOrEnd(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

// detect guesses the encoding of bytes that are neither declared nor valid UTF-8.
func detect(body []byte) string {
	sample := guess.Words(body)
	if len(sample) == 0 {
		sample = detectionSample(body)
	}
	if mostlyUTF8(sample) {
		return utf8Name
	}
	return guess.Encoding(sample)
}

// detectionSample begins shortly before the first byte that is informative.
func detectionSample(body []byte) []byte {
	first := slices.IndexFunc(body, func(b byte) bool { return b >= 0x80 || b == 0x1b })
	start := max(0, first-detectBefore)
	return body[start:min(len(body), start+detectLen)]
}

// mostlyUTF8 distinguishes a UTF-8 page with some broken bytes from one in another encoding: at least ten good
// sequences for each bad byte.
func mostlyUTF8(sample []byte) bool {
	good, bad := 0, 0
	for len(sample) > 0 {
		r, n := utf8.DecodeRune(sample)
		switch {
		case r == utf8.RuneError && n == 1 && len(sample) >= utf8.UTFMax:
			bad++
		case n > 1:
			good++
		}
		sample = sample[n:]
	}
	return good >= 10*bad && good > 0
}
