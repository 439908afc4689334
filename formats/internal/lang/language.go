// Package lang reads language tags and detects the language of a page.
package lang

import (
	"cmp"
	"strings"

	"github.com/abadojack/whatlanggo"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Of is what an element's lang attribute says.
func Of(n *html.Node) string {
	return cmp.Or(Tag(nodes.Attr(n, "lang")), Tag(nodes.Attr(n, "xml:lang")))
}

// Tag is the first language tag (RFC 5646) of a list, as it is spelled; "" for what is none, or says that there is none.
func Tag(s string) string {
	s, _, _ = strings.Cut(s, ",")
	s = strings.TrimSpace(s)
	const maxLen = 35 // RFC 5646, 4.4.1
	if len(s) < 2 || len(s) > maxLen {
		return ""
	}
	main, rest, more := strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	if len(main) > 3 || !isAlphanumeric(main) || strings.ContainsAny(main, "0123456789") {
		return ""
	}
	for sub := range strings.SplitSeq(rest, "-") {
		if more && sub == "" || len(sub) > 8 || !isAlphanumeric(sub) {
			return ""
		}
	}
	switch strings.ToLower(main) {
	case "und", "mul", "zxx", "mis":
		return ""
	}
	return s
}

func isAlphanumeric(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}

// How much text the detection of a language gets, and how little it may be, in bytes. Single words come out wrong.
const (
	maxSample = 1500
	minSample = 200
)

// Detect finds out the language of what a page says in sentences: ISO 639-1, else 639-3; "" where that is not sure.
func Detect(steps *walk.Steps, doc *html.Node) string {
	s := sampler{steps: steps}
	s.add(doc)
	if s.b.Len() < minSample {
		return ""
	}
	sample := s.b.String()
	info := whatlanggo.DetectWithOptions(sample, whatlanggo.Options{Blacklist: spelledOtherwise(sample)})
	if !info.IsReliable() {
		return ""
	}
	return cmp.Or(info.Lang.Iso6391(), info.Lang.Iso6393())
}

// otherLetters are letters that a language of the Cyrillic script doesn't write. The library alone is seldom sure among these.
var otherLetters = map[whatlanggo.Lang]string{
	whatlanggo.Rus: "іїєўјљњћђџ", whatlanggo.Bel: "ищъїє", whatlanggo.Ukr: "ыэёъў", whatlanggo.Bul: "ыэёіїєў", whatlanggo.Srp: "ыэйщъяю", whatlanggo.Mkd: "ыэйщъяю",
}

// spelledOtherwise are the languages that a text can't be in, going by its letters; a few may be of a name or a quote.
func spelledOtherwise(text string) map[whatlanggo.Lang]bool {
	const few = 3
	out := make(map[whatlanggo.Lang]bool)
	for lang, letters := range otherLetters {
		n := 0
		for _, letter := range letters {
			n += strings.Count(text, string(letter))
		}
		if n > few {
			out[lang] = true
		}
	}
	return out
}

// sampler collects running text: texts of several words outside links, menus and forms. It looks at the page only as far as it must.
type sampler struct {
	steps *walk.Steps
	b     strings.Builder
}

// minWords is the number of words from which a text is not taken for a label.
const minWords = 5

// add reads what is below n, and reports whether there is enough.
func (s *sampler) add(n *html.Node) bool {
	for c := range n.ChildNodes() {
		s.steps.Visit()
		switch c.Type {
		case html.TextNode:
			if text := c.Data[:min(len(c.Data), maxSample)]; content.Words(text) >= minWords {
				s.b.WriteString(strings.ToValidUTF8(text, ""))
				s.b.WriteByte(' ')
			}
		case html.ElementNode:
			if !nodes.IsUnseen(c) && !isApart(c) && s.add(c) {
				return true
			}
		}
		if s.b.Len() >= maxSample {
			return true
		}
	}
	return false
}

// isApart reports elements whose words are not running text, or not in the language of the page.
func isApart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Form, atom.Button, atom.Pre, atom.Code,
		atom.Svg, atom.Iframe, atom.Textarea:
		return true
	}
	return false
}
