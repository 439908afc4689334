// Package clip cuts texts to a bound, between two characters. It may change without notice.
package clip

import (
	"strings"
	"unicode/utf8"
)

// Bytes cuts a text to at most n bytes of valid UTF-8. What is invalid before the cut is dropped too.
func Bytes(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }

// Runes cuts a text to at most n characters.
func Runes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}
