package filter

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// maxRegex bounds the text of a regular expression; lists write longer ones than patterns.
const maxRegex = 4 << 10

// ordinaryURL is one that a regular expression may not match, unless its rule names pages or lets through.
const ordinaryURL = "https://www.example.com/"

func isRegex(body string) bool {
	return len(body) > 1 && body[0] == '/' && body[len(body)-1] == '/'
}

// parseRegex reads a pattern that is a regular expression. What every URL that it matches must hold becomes the rule's pattern, by which
// the rule is found like others.
func (r *rule) parseRegex(body string) Reason {
	if len(body) > maxRegex {
		return PatternTooLong
	}
	flags := "(?i)"
	if r.matchCase {
		flags = ""
	}
	text := flags + body[1:len(body)-1]
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return RegexRule
	}
	if r.regex, err = regexp.Compile(text); err != nil {
		return RegexRule
	}
	if !r.except && !r.domains.named && r.regex.MatchString(ordinaryURL) {
		return TooGeneral
	}
	r.pattern = pattern{glob: requiredText(tree)}
	if !r.matchCase {
		r.pattern.glob = lowerASCII(r.pattern.glob)
	}
	return ""
}

// requiredText returns the longest text that is in each match of a regular expression; "" if there is none.
func requiredText(tree *syntax.Regexp) string {
	switch tree.Op {
	case syntax.OpLiteral:
		return plainRun(string(tree.Rune))
	case syntax.OpCapture, syntax.OpPlus:
		return requiredText(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return requiredText(tree.Sub[0])
		}
	case syntax.OpConcat:
		longest := ""
		for _, sub := range tree.Sub {
			if text := requiredText(sub); len(text) > len(longest) {
				longest = text
			}
		}
		return longest
	}
	return ""
}

// plainRun leaves out what stands for something else in a pattern, and letters that have other cases than ASCII's.
func plainRun(literal string) string {
	longest := ""
	for run := range strings.FieldsFuncSeq(literal, func(c rune) bool { return c == '*' || c == '^' || c >= 0x80 }) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}
