package main

import (
	"strings"

	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// markup are the characters that mean something in markdown text or in a table.
const markup = "\\`*_{}[]<>()#+!|~&"

// escaped makes one line of markdown that shows s as it is.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range terminal.OneLine(s) {
		if strings.ContainsRune(markup, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// maxTextLen bounds what the index repeats of a page's title or an error, in characters.
const maxTextLen = 200

func short(s string) string {
	if runes := []rune(s); len(runes) > maxTextLen {
		return string(runes[:maxTextLen]) + "…"
	}
	return s
}

// link is a URL that can be followed, or text where that isn't safe to write.
func link(href string) string {
	web := strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://")
	if !web || strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '<' || r == '>' || r == '\\' }) {
		return escaped(href)
	}
	return "<" + strings.ReplaceAll(href, "|", `\|`) + ">"
}
