package read

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a piece of a text.
type span struct{ start, end int }

// maxWhole is how long a piece is, in bytes, that no sentence ends in.
const maxWhole = 1000

// wholes are the pieces of markdown that no sentence ends in: links, images, code and addresses.
func wholes(part string) []span {
	var found []span
	for at := 0; at < len(part); {
		size := 0
		switch part[at] {
		case '[':
			if size = upTo(part[at:], ']'); size > 0 && strings.HasPrefix(part[at+size:], "(") {
				size += upTo(part[at+size:], ')')
			} else {
				size = 0
			}
		case '`':
			size = upTo(part[at:], '`')
		case '<':
			size = upTo(part[at:], '>')
			if strings.ContainsAny(part[at:at+size], " \t") {
				size = 0
			}
		}
		if size > 0 {
			found = append(found, span{at, at + size})
		}
		at += max(size, 1)
	}
	return found
}

// upTo is how many bytes of text there are up to mark, on the same line and not too far; 0 if it
// isn't there.
func upTo(text string, mark byte) int {
	near := text[1:min(len(text), maxWhole)]
	i := strings.IndexByte(near, mark)
	if i < 0 || strings.IndexByte(near[:i], '\n') >= 0 {
		return 0
	}
	return i + 2
}

// shortForms end with a dot that ends no sentence.
var shortForms = []string{
	"mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "cf", "fig", "no", "nr", "approx", "inc", "ltd", "co",
	"jr", "sr", "vol", "pp", "ed", "z.b", "bzw", "ca", "usw", "str", "tel", "abs", "art", "p.ej", "sra", "ex", "env",
}

// sentences cuts the prose text[from:to] into sentences without the white space around them.
func sentences(text string, from, to int) []span {
	part := text[from:to]
	kept := wholes(part)
	var found []span
	begin := 0
	for at := 0; at < len(part); {
		r, size := utf8.DecodeRuneInString(part[at:])
		at += size
		if !strings.ContainsRune(".!?…。！？", r) {
			continue
		}
		for len(kept) > 0 && kept[0].end < at {
			kept = kept[1:]
		}
		if len(kept) > 0 && kept[0].start < at {
			at = kept[0].end
			continue
		}
		end, ends := sentenceEnd(part, begin, at, r)
		if ends {
			found = appendSpan(found, text, from+begin, from+end)
			begin = end
		}
		at = end
	}
	return appendSpan(found, text, from+begin, to)
}

// sentenceEnd reports whether the mark before at ends the sentence that begins at begin, and
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
