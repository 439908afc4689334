package read

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a piece of a text.
type span struct{ start, end int }

// whole are pieces of markdown that no sentence ends in: links, images and code.
var whole = regexp.MustCompile("!?\\[[^\\]\\n]{0,500}\\]\\([^)\\s]{0,1000}[^)\\n]{0,200}\\)|`[^`\\n]{1,500}`|<[^>\\s]{1,500}>")

// shortForms end with a dot that ends no sentence.
var shortForms = []string{
	"mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "cf", "fig", "no", "nr", "approx", "inc", "ltd", "co",
	"jr", "sr", "vol", "pp", "ed", "z.b", "bzw", "ca", "usw", "str", "tel", "abs", "art", "p.ej", "sra", "ex", "env",
}

// sentences cuts the prose text[from:to] into sentences without the white space around them.
func sentences(text string, from, to int) []span {
	part := text[from:to]
	kept := whole.FindAllStringIndex(part, -1)
	var found []span
	begin := 0
	for at := 0; at < len(part); {
		r, size := utf8.DecodeRuneInString(part[at:])
		at += size
		if !strings.ContainsRune(".!?…。！？", r) {
			continue
		}
		for len(kept) > 0 && kept[0][1] < at {
			kept = kept[1:]
		}
		if len(kept) > 0 && kept[0][0] < at && at <= kept[0][1] {
			continue
		}
		if end, ends := sentenceEnd(part, begin, at, r); ends {
			found = appendSpan(found, text, from+begin, from+end)
			begin, at = end, end
		}
	}
	return appendSpan(found, text, from+begin, to)
}

// sentenceEnd tells whether the mark before at ends the sentence that begins at begin, and
// where it ends with its quotes and brackets.
func sentenceEnd(part string, begin, at int, mark rune) (int, bool) {
	for at < len(part) {
		r, size := utf8.DecodeRuneInString(part[at:])
		if !strings.ContainsRune(`.!?…。！？"'”’»)]*_`, r) {
			break
		}
		at += size
	}
	if strings.ContainsRune("。！？", mark) {
		return at, true
	}
	next := strings.TrimLeftFunc(part[at:], unicode.IsSpace)
	if len(next) == len(part[at:]) { // no space, or the end
		return at, false
	}
	r, _ := utf8.DecodeRuneInString(next)
	if unicode.IsLower(r) || mark == '.' && shortForm(part[begin:at]) {
		return at, false
	}
	return at, true
}

// shortForm reports whether a sentence that ends with a dot so far ends with a short form, an
// initial or the number of something.
func shortForm(so string) bool {
	so = strings.TrimRight(so, ".")
	word := so[strings.LastIndexFunc(so, func(r rune) bool { return unicode.IsSpace(r) || r == '(' })+1:]
	if word == "" {
		return true
	}
	if utf8.RuneCountInString(word) == 1 {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(r) || unicode.IsDigit(r)
	}
	return slices.Contains(shortForms, strings.ToLower(word))
}

func appendSpan(found []span, text string, start, end int) []span {
	part := text[start:end]
	start += len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	end = start + len(strings.TrimSpace(part))
	if start >= end {
		return found
	}
	return append(found, span{start, end})
}
