package local

import (
	"strings"
	"unicode"
)

// typed is what a person typed, taken apart.
type typed struct {
	words   []string // single words and phrases that all should be there
	without []string
	sites   []string // one of them
	notOn   []string
	kinds   []string // one of them
	either  bool     // OR was typed: one of the words is enough
}

const mostWords = 32 // of a query; further ones are left out

// parse reads words, "phrases in quotes", -without, site:, -site:, filetype: and OR.
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
		case len(t.words) < mostWords:
			t.words = append(t.words, plain)
		}
	}
	return t
}

// split cuts at white space and parentheses outside of quotes; the quotes are dropped.
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
