package css

import (
	"strings"

	"github.com/andybalholm/cascadia"
)

// Compile reads a group of selectors as Cascadia does: CSS without pseudo-elements, and :contains, :containsOwn, :matches, :matchesOwn,
// :haschild and :input.
func Compile(text string) (*Selector, error) {
	if _, err := cascadia.ParseGroup(text); err != nil {
		return nil, err
	}
	s := &Selector{}
	var err error
	s.group, err = s.compileGroup(text)
	return s, err
}

// Rule is a single selector with its weight, as in style sheets.
type Rule struct {
	*Selector
	Specificity cascadia.Specificity
}

// CompileRules is Compile for each selector of a group.
func CompileRules(text string) ([]Rule, error) {
	group, err := cascadia.ParseGroup(text)
	if err != nil {
		return nil, err
	}
	s, err := Compile(text)
	if err != nil {
		return nil, err
	}
	rules := make([]Rule, 0, len(group))
	for i, sel := range group[:min(len(group), len(s.group))] {
		rules = append(rules, Rule{&Selector{group: s.group[i : i+1], memory: s.memory}, sel.Specificity()})
	}
	return rules, nil
}

func (s *Selector) compileGroup(text string) ([]chain, error) {
	var group []chain
	alternatives, _ := cut(text, isComma)
	for _, alternative := range alternatives {
		c, err := s.compileChain(strings.TrimSpace(alternative))
		if err != nil {
			return nil, err
		}
		group = append(group, c)
	}
	return group, nil
}

func (s *Selector) compileChain(text string) (chain, error) {
	c := chain{}
	compounds, combinators := cut(text, isCombinator)
	for i, compound := range compounds {
		if compound == "" { // beside a comment
			continue
		}
		p, err := s.compilePart(compound)
		if err != nil {
			return c, err
		}
		if i > 0 {
			p.combinator = combinatorIn(combinators[i-1])
		}
		c.parts = append(c.parts, p)
	}
	c.above = s.memory
	s.memory += len(c.parts)
	return c, nil
}

// compilePart takes what looks at other elements out of a compound; the rest is for Cascadia.
func (s *Selector) compilePart(text string) (p part, err error) {
	pieces, _ := cut(text, isColon)
	local := pieces[0]
	for _, piece := range pieces[1:] {
		name, argument, rest := pseudoClass(piece)
		t, err := s.compileTest(name, argument)
		switch {
		case err != nil:
			return p, err
		case t != nil:
			p.tests = append(p.tests, t)
			local += rest
		default:
			local += ":" + piece
		}
	}
	if local != "" {
		p.local, err = cascadia.Parse(local)
	}
	return p, err
}

// pseudoClass splits "name(argument)rest".
func pseudoClass(text string) (name, argument, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return (r|0x20 < 'a' || r|0x20 > 'z') && r != '-' })
	if end < 0 {
		return strings.ToLower(text), "", ""
	}
	name, rest = strings.ToLower(text[:end]), text[end:]
	if rest[0] != '(' {
		return name, "", rest
	}
	inner, _ := cut(rest[1:], isClosing)
	return name, strings.TrimSpace(inner[0]), rest[min(len(rest), len(inner[0])+2):]
}

func isComma(s string) int { return one(s[0] == ',') }

func isColon(s string) int { return one(s[0] == ':') }

func isClosing(s string) int { return one(s[0] == ')') }

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// isCombinator takes a combinator with the blanks and comments around it.
func isCombinator(s string) int {
	i := 0
	for i < len(s) {
		if strings.IndexByte(" \t\r\n\f>+~", s[i]) >= 0 {
			i++
			continue
		}
		end := -1
		if strings.HasPrefix(s[i:], "/*") {
			end = strings.Index(s[i+2:], "*/")
		}
		if end < 0 {
			break
		}
		i += end + len("/**/")
	}
	return i
}

// combinatorIn is the combinator among blanks and comments.
func combinatorIn(s string) byte {
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], "/*") {
			i += strings.Index(s[i+2:], "*/") + 3
			continue
		}
		if s[i] == '>' || s[i] == '+' || s[i] == '~' {
			return s[i]
		}
	}
	return ' '
}

// cut splits s where at takes a number of bytes outside of brackets, strings and escapes. There is one piece more than there are signs.
func cut(s string, at func(rest string) int) (pieces, signs []string) {
	depth, from := 0, 0
	quote := byte(0)
	for i := 0; i < len(s); {
		if depth == 0 && quote == 0 && s[i] != '\\' {
			if n := at(s[i:]); n > 0 {
				pieces, signs = append(pieces, s[from:i]), append(signs, s[i:i+n])
				i += n
				from = i
				continue
			}
		}
		switch c := s[i]; {
		case c == '\\':
			i += escapeLength(s[i:]) - 1
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		}
		i++
	}
	return append(pieces, s[min(from, len(s)):]), signs
}

// escapeLength is that of an escape: a sign, or up to six hexadecimal digits and a blank.
func escapeLength(s string) int {
	digits := 1
	for digits < len(s) && digits < 7 && strings.IndexByte("0123456789abcdefABCDEF", s[digits]) >= 0 {
		digits++
	}
	switch {
	case digits == 1:
		return min(2, len(s))
	case digits < len(s) && strings.IndexByte(" \t\r\n\f", s[digits]) >= 0:
		digits++
	}
	return digits
}
