package local

import (
	"strings"
	"unicode"
)

// typed is a query's text, parsed.
type typed struct {
	words   []string // words and phrases that should all be found
	without []string
	sites   []string // one of them
	notOn   []string // sites that are excluded
	kinds   []string // one of them
	either  bool     // the text has OR: one of the words is enough
}

const maxWords = 32 // of a query; more are ignored

// parse parses words, "phrases in quotes", -without, site:, -site:, filetype: and OR.
func parse(text string) typed {
	var t typed
	for _, part := range split(text) {
		plain, negated := strings.CutPrefix(part, "-")
		name, value, _ := strings.Cut(plain, ":")
		switch name = strings.ToLower(name); {
		case part == "OR" || part == "|":
			t.either = true
		case part == "AND" || plain == "":
		case name == "site" && value != "":
			host, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(value, "https://"), "http://")), "/")
			if negated {
				t.notOn = append(t.notOn, host)
			} else {
				t.sites = append(t.sites, host)
			}
		case (name == "filetype" || name == "ext") && value != "" && !negated:
			t.kinds = append(t.kinds, strings.ToLower(value))
		case negated:
			t.without = append(t.without, plain)
		case len(t.words) < maxWords:
			t.words = append(t.words, plain)
		}
	}
	return t
}

// split splits a text at white space and parentheses outside quotes; the quotes are dropped.
func split(text string) (parts []string) {
	var part strings.Builder
	quoted := false
	end := func() {
		if part.Len() > 0 {
			parts = append(parts, part.String())
		}
		part.Reset()
	}
	for _, r := range text {
		switch {
		case r == '"' || r == '“' || r == '”' || r == '„':
			quoted = !quoted
		case quoted:
			part.WriteRune(r)
		case unicode.IsSpace(r) || r == '(' || r == ')':
			end()
		default:
			part.WriteRune(r)
		}
	}
	end()
	return parts
}
