package scope

import (
	"fmt"
	"net/url"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Bounds of includePaths and excludePaths together.
const (
	MaxPatterns      = 1000
	MaxPatternLength = 2000    // characters of one
	MaxPatternText   = 100_000 // characters of all
	// maxProgram is the size of all when compiled, in instructions. Ordinary patterns have about one per character;
	// counted repetitions, such as x{1000}, have many and cost as much at every link.
	maxProgram = 200_000
)

// patterns are regular expressions of which one must match.
type patterns []*regexp.Regexp

// match finds the first pattern that matches text, as it is or with its percent-encoding undone.
func (p patterns) match(text string) (pattern string, ok bool) {
	if len(p) == 0 {
		return "", false
	}
	plain := unescaped(text)
	for _, re := range p {
		if re.MatchString(text) || plain != text && re.MatchString(plain) {
			return re.String(), true
		}
	}
	return "", false
}

// unescaped is text as people read it, or text itself where that can't be.
func unescaped(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	plain, err := url.PathUnescape(text)
	if err != nil || !utf8.ValidString(plain) {
		return text
	}
	return plain
}

// compiler compiles lists of patterns under common bounds.
type compiler struct {
	count, text, program int
}

// compile returns an *OptionError for an invalid pattern; none is skipped.
func (c *compiler) compile(field string, list []string) (patterns, error) {
	if c.count += len(list); c.count > MaxPatterns {
		return nil, &OptionError{Field: field, Value: fmt.Sprintf("a list of %d", len(list)), Want: fmt.Sprintf("at most %d patterns, with those of the other list", MaxPatterns)}
	}
	out := make(patterns, 0, len(list))
	for i, expr := range list {
		re, err := c.one(fmt.Sprintf("%s[%d]", field, i), expr)
		if err != nil {
			return nil, err
		}
		out = append(out, re)
	}
	return out, nil
}

func (c *compiler) one(field, expr string) (*regexp.Regexp, error) {
	length := utf8.RuneCountInString(expr)
	if length > MaxPatternLength {
		return nil, &OptionError{Field: field, Value: expr, Want: fmt.Sprintf("at most %d characters", MaxPatternLength)}
	}
	if c.text += length; c.text > MaxPatternText {
		return nil, &OptionError{Field: field, Value: expr, Want: fmt.Sprintf("at most %d characters in all patterns", MaxPatternText)}
	}
	size, err := programSize(expr)
	if err != nil {
		return nil, &OptionError{Field: field, Value: expr, Want: "a Go regular expression", Err: err}
	}
	if c.program += size; c.program > maxProgram {
		return nil, &OptionError{Field: field, Value: expr, Want: "smaller counts of repetition: the patterns are too costly to match"}
	}
	return regexp.MustCompile(expr), nil // it was parsed above
}

func programSize(expr string) (int, error) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, err
	}
	return len(program.Inst), nil
}
