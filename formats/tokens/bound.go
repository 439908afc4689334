// Package tokens bounds the tokens of a text where the vocabulary of a model isn't known. It may change without notice.
//
//	bound.go  Counter, and Bound, which needs no vocabulary
//	table.go  Table, a vocabulary that the caller has
//	join.go   how bytes become tokens
package tokens

import "unicode/utf8"

// Counter returns how many tokens a text has. It must be safe for concurrent use, give the same number for the same text, 0 for the empty
// one, and take a time that is about linear in the text.
type Counter func(text string) int

// Or returns the counter, or [Bound] where it is nil.
func (c Counter) Or() Counter {
	if c == nil {
		return Bound
	}
	return c
}

// Bound returns a number of tokens that a text doesn't exceed in the vocabularies cl100k_base and o200k_base, in one pass and without
// either. It is a measurement, no proof: of Markdown from web pages it is 1.4 times what they have, and less than neither in any window
// of 1,500 bytes; a text made to have many tokens (random letters) can exceed it. What isn't ASCII counts a token a byte, which no
// vocabulary over bytes exceeds: up to three times what other scripts have. It is never more than the bytes of the text.
func Bound(text string) int {
	n := 0
	for i, opaqueTo := 0, 0; i < len(text); {
		if i >= opaqueTo && isAlphanumeric(text[i]) {
			k, opaque := stretch(text[i:])
			if opaqueTo = i + k; opaque {
				i, n = i+k, n+k
				continue
			}
		}
		k, cost := span(text[i:])
		i += k
		n += cost
	}
	return n
}

// stretch is the length of the letters and digits that a text begins with, and whether they are no words: identifiers, hashes and base64,
// in which small letters, capitals and digits take turns, have nearly a token a byte.
func stretch(s string) (length int, opaque bool) {
	const minOpaque, perTurn = 10, 5
	turns := 0
	n := 1
	for ; n < len(s) && isAlphanumeric(s[n]); n++ {
		if classOf(s[n]) != classOf(s[n-1]) {
			turns++
		}
	}
	return n, n >= minOpaque && turns*perTurn >= n
}

func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func classOf(c byte) int {
	switch {
	case isDigit(c):
		return 0
	case isCapital(c):
		return 1
	}
	return 2
}

// The letters of a word that are taken as one token: small ones, and capitals, which vocabularies have fewer words of.
const (
	letters  = 5
	capitals = 2
)

// span is the length of the run of one class that a text begins with, and how many tokens it counts.
func span(s string) (length, cost int) {
	switch c := s[0]; {
	case isLetter(c):
		n := word(s)
		if n > 1 && isCapital(c) && isCapital(s[1]) {
			return n, 1 + (n-1)/capitals
		}
		return n, 1 + (n-1)/letters
	case isDigit(c):
		n := run(s, isDigit)
		return n, min(n, (n+3)/2) // three at a time, and as much room again as words have
	case c == ' ':
		n := run(s, func(c byte) bool { return c == ' ' })
		if n == 1 && len(s) > 1 && s[1] > ' ' && s[1] < utf8.RuneSelf && !isDigit(s[1]) {
			return 1, 0 // of the token that follows
		}
		return n, 1 + n/16
	case c < utf8.RuneSelf:
		n := run(s, func(b byte) bool { return b == c })
		return n, 1 + n/2
	}
	n := run(s, func(c byte) bool { return c >= utf8.RuneSelf })
	return n, n
}

// word is the length of the letters that a text begins with, up to where a capital follows a small one.
func word(s string) int {
	for i := 1; i < len(s); i++ {
		if !isLetter(s[i]) || isCapital(s[i]) && !isCapital(s[i-1]) {
			return i
		}
	}
	return len(s)
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLetter(c byte) bool { return isCapital(c &^ 0x20) }

// run is the length of what a text begins with of one class.
func run(s string, of func(byte) bool) int {
	n := 1
	for n < len(s) && of(s[n]) {
		n++
	}
	return n
}
