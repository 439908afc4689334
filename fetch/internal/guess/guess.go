// Package guess finds the encoding in which a text is most probable. It may change without notice.
//
//	guess.go    the most probable encoding, and the words that it is found by
//	letters.go  encodings of single bytes, by the letters of languages
//	wide.go     those of two bytes and more
package guess

import (
	"bytes"
	"math"
	"strings"
	"sync"
)

// guesser says how probable a text is in one encoding and language, as the sum of logarithms over its bytes beyond ASCII.
type guesser interface {
	encoding() string
	score(text []byte) float64
}

// guessers are tables that are made at the first guess. They never change.
var guessers = sync.OnceValue(func() []guesser { return append(wideGuessers(), letterGuessers()...) })

// Western is what the web means when it says nothing.
const Western = "windows-1252"

// Logarithms of how much more often a text without a declaration is in an encoding than in the others: in windows-1252, and in those of
// the ISO, of which windows has its own.
const (
	westernBonus = 2.5
	isoBonus     = -1
)

// Encoding returns the encoding in which a text is most probable; windows-1252 for one that is all ASCII.
func Encoding(text []byte) string {
	best, name := math.Inf(-1), Western
	for _, g := range guessers() {
		s := g.score(text)
		switch {
		case g.encoding() == Western:
			s += westernBonus
		case strings.HasPrefix(g.encoding(), "iso-"):
			s += isoBonus
		}
		if s > best {
			best, name = s, g.encoding()
		}
	}
	return name
}

// Bounds of what a guess looks at, in bytes.
const (
	MaxWords    = 4 << 10 // of what Words returns
	guessWithin = 1 << 20 // of the body
)

// Words are the words of a page's text that have bytes beyond ASCII, of scripts, styles, comments and tags none.
func Words(body []byte) (words []byte) {
	body = body[:min(len(body), guessWithin)]
	for len(body) > 0 && len(words) < MaxWords {
		at := bytes.IndexByte(body, '<')
		if at < 0 {
			at = len(body)
		}
		for word := range bytes.FieldsFuncSeq(body[:at], IsSpace) {
			if len(words) < MaxWords && bytes.ContainsFunc(word, IsBeyondASCII) {
				words = append(append(words, word...), ' ')
			}
		}
		if body = body[at:]; len(body) > 0 {
			body = body[endOfTag(body):]
		}
	}
	return words
}

// IsSpace holds for the white space of HTML.
func IsSpace(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }

// IsBeyondASCII holds for the replacement character that stands for a byte which is no UTF-8, too.
func IsBeyondASCII(r rune) bool { return r >= 0x80 }

// endOfTag is where the markup that begins a text ends: a tag, and the content of a script or style.
func endOfTag(text []byte) int {
	for _, e := range []struct{ begin, end string }{{"<!--", "-->"}, {"<script", "</script"}, {"<style", "</style"}} {
		if len(text) < len(e.begin) || !bytes.EqualFold(text[:len(e.begin)], []byte(e.begin)) {
			continue
		}
		if at := indexFold(text, e.end); at >= 0 {
			return at
		}
		return len(text)
	}
	const longest = 2 << 10
	if at := bytes.IndexByte(text[:min(len(text), longest)], '>'); at >= 0 {
		return at + 1
	}
	return 1
}

// indexFold finds lower-case ASCII in any case.
func indexFold(text []byte, part string) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], part[0])
		if at += next; next < 0 || at+len(part) > len(text) {
			return -1
		}
		if bytes.EqualFold(text[at:at+len(part)], []byte(part)) {
			return at
		}
	}
}
