package filter

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// maxRegex bounds the text of a regular expression; lists write longer ones than patterns.
const maxRegex = 4 << 10

// maxRegexSize bounds what a regular expression compiles to, roughly: comparing a URL takes as many steps as this times its length. It is
// about what the longest of real lists have, "[a-z]{400,1000}".
const maxRegexSize = 1200

// maxRegexes bounds the sizes of all together; EasyList, EasyPrivacy and uBlock's own filters have some 15,000.
const maxRegexes = 100_000

// ordinaryURL is one that a regular expression may not match, unless its rule names pages or lets through.
const ordinaryURL = "https://www.example.com/"

func isRegex(body string) bool {
	return len(body) > 1 && body[0] == '/' && body[len(body)-1] == '/'
}

// splitRegex cuts the options off that end as a regular expression does: "/x/$domain=/y/".
func splitRegex(body string) (pattern, opts string) {
	for at := len(body) - 1; at > 0; at-- {
		at = strings.LastIndex(body[:at+1], "/$")
		if at <= 0 {
			break
		}
		name, _, _ := strings.Cut(body[at+2:], "=")
		if name, _, _ = strings.Cut(name, ","); isKnownOption(strings.TrimPrefix(name, "~")) {
			return body[:at+1], body[at+2:]
		}
	}
	return body, ""
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
	if r.size = sizeOf(tree); r.size > maxRegexSize {
		return PatternTooLong
	}
	if r.regex, err = regexp.Compile(text); err != nil {
		return RegexRule
	}
	if !r.except && !r.domains.named && r.regex.MatchString(ordinaryURL) {
		return TooGeneral
	}
	r.pattern = pattern{glob: requiredText(tree, r.matchCase)}
	if !r.matchCase {
		r.pattern.glob = lowerASCII(r.pattern.glob)
	}
	return ""
}

// sizeOf is how many steps a regular expression has once its repetitions are written out.
func sizeOf(tree *syntax.Regexp) int {
	size := 1
	if tree.Op == syntax.OpLiteral {
		size = len(tree.Rune)
	}
	for _, sub := range tree.Sub {
		size += sizeOf(sub)
	}
	if tree.Op == syntax.OpRepeat {
		return (size - 1) * max(tree.Min, tree.Max, 1)
	}
	return size
}

// requiredText returns the longest text that is in each match of a regular expression; "" if there is none. With matchCase it is compared
// with upper and lower case as they are, so that a literal of any case is none.
func requiredText(tree *syntax.Regexp, matchCase bool) string {
	switch tree.Op {
	case syntax.OpLiteral:
		if matchCase && tree.Flags&syntax.FoldCase != 0 {
			return ""
		}
		return plainRun(string(tree.Rune))
	case syntax.OpCapture, syntax.OpPlus:
		return requiredText(tree.Sub[0], matchCase)
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return requiredText(tree.Sub[0], matchCase)
		}
	case syntax.OpConcat:
		longest := ""
		for _, sub := range tree.Sub {
			if text := requiredText(sub, matchCase); len(text) > len(longest) {
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
