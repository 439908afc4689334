package script

import (
	"maps"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// readTokens reads the words of a script that does not parse: what it requests by name, the places that it looks for, and its
// short literals.
func readTokens(source []byte) Facts {
	t := tokenReader{facts: Facts{Tokens: true}, names: map[string]struct{}{}}
	lexer := js.NewLexer(parse.NewInputBytes(slices.Clone(source)))
	for {
		kind, data := lexer.Next()
		if kind == js.ErrorToken {
			break
		}
		t.token(kind, data)
	}
	t.facts.Names = slices.Sorted(maps.Keys(t.names))
	slices.SortFunc(t.facts.Writes, compareWrites)
	t.facts.Writes = slices.Compact(t.facts.Writes)
	return t.facts
}

type tokenReader struct {
	facts Facts
	names map[string]struct{}
	last  string // the identifier before, through an open parenthesis
}

func (t *tokenReader) token(kind js.TokenType, data []byte) {
	switch {
	case js.IsIdentifier(kind):
		t.last = string(data)
		t.facts.Requests = t.facts.Requests || requesters[t.last] || requestObjects[t.last]
	case kind == js.StringToken:
		t.literal(unquote(data))
		t.last = ""
	case kind != js.OpenParenToken && kind != js.WhitespaceToken && kind != js.LineTerminatorToken:
		t.last = ""
	}
}

func (t *tokenReader) literal(s string) {
	switch {
	case t.last == "getElementById":
		t.facts.Writes = append(t.facts.Writes, Write{Place: "#" + s, Source: Handed})
	case finders[t.last] || t.last == "$" || t.last == "jQuery":
		t.facts.Writes = append(t.facts.Writes, Write{Place: strings.TrimSpace(s), Source: Handed})
	}
	if len(t.names) < maxNames && len(s) <= 64 && isName(s) {
		t.names[s] = struct{}{}
	}
}
