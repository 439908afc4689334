package llm

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens text is. It uses no tokenizer, for each model has its own:
// the estimate leans to the high side, and scripts that tokenizers know badly count for more.
// Two texts together are never more than the sum of both, unless a word goes from one to the other.
func Tokens(text string) int {
	units := 0
	var run tokenRun
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		units += run.add(r)
	}
	return (units + run.end() + unitsPerToken - 1) / unitsPerToken
}

// requestTokens estimates what a request is when the server counts it.
func requestTokens(r Request) int {
	const perMessage, perTool, perRequest = 5, 12, 8
	n := perRequest + Tokens(string(r.Schema))
	for _, m := range r.Messages {
		n += perMessage + Tokens(m.Text)
		for _, c := range m.Calls {
			n += perTool + Tokens(c.Name) + Tokens(string(c.Arguments))
		}
	}
	for _, t := range r.Tools {
		n += perTool + Tokens(t.Name) + Tokens(t.Description) + Tokens(string(t.Parameters))
	}
	return n
}

const unitsPerToken = 20

// kind of a rune, by how tokenizers treat it.
type kind int

const (
	kindNone kind = iota
	kindLower
	kindUpper
	kindDigit
	kindMark // ASCII punctuation
	kindAlphabet
	kindOther
)

// tokenRun sums up a run of runes of one kind. Its beginning is dear, so that cutting a text makes
// it dearer; only letters get dearer late, for very long words are none.
type tokenRun struct {
	kind   kind
	last   rune
	length int
	units  int
}

func (t *tokenRun) add(r rune) (done int) {
	k := kindOf(r)
	starts := k != t.kind || k == kindOther
	if t.kind == kindUpper && k == kindLower { // Word, not W and ord
		starts = false
	}
	if starts {
		done = t.end()
		*t = tokenRun{units: startUnits(k)}
	}
	t.units += t.runeUnits(k, r)
	t.kind, t.last = k, r
	t.length++
	return done
}

func (t *tokenRun) end() int {
	if t.units == 0 {
		return 0
	}
	if t.kind != kindOther {
		return max(t.units, unitsPerToken)
	}
	return t.units
}

func startUnits(k kind) int {
	switch k {
	case kindLower, kindUpper:
		return 10
	case kindMark:
		return 8
	}
	return 0
}

// longWord is how many letters a word has before it is taken for something else.
const longWord = 20

func (t *tokenRun) runeUnits(k kind, r rune) int {
	switch k {
	case kindLower, kindUpper:
		if t.length >= longWord {
			return 11
		}
		return 3
	case kindDigit, kindAlphabet:
		return 13
	case kindMark:
		if r == t.last { // rules and table borders
			return 2
		}
		return 12
	}
	return otherUnits(r)
}

func otherUnits(r rune) int {
	switch {
	case r == ' ':
		return 2
	case r == '\n', r == '\r', r == '\t':
		return 10
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
		return 26
	case unicode.In(r, unicode.L, unicode.M, unicode.N):
		return 20
	}
	return 50
}

func kindOf(r rune) kind {
	switch {
	case 'a' <= r && r <= 'z':
		return kindLower
	case 'A' <= r && r <= 'Z':
		return kindUpper
	case '0' <= r && r <= '9':
		return kindDigit
	case '!' <= r && r <= '~':
		return kindMark
	case unicode.In(r, unicode.Cyrillic, unicode.Greek):
		return kindAlphabet
	}
	return kindOther
}
