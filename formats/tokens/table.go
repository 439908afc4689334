package tokens

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a table that is read: those in use have 200,000 tokens of at most 128 bytes.
const (
	maxTokens = 2_000_000
	maxLine   = 1 << 16
)

// Table is the vocabulary of a model whose tokens are pairs of bytes joined in the order of their ranks (BPE). Make one with [ReadTable].
// It may be used by several goroutines at once.
type Table struct {
	ranks   map[string]int
	pattern *regexp.Regexp
	spaces  int // the group of pattern that has spaces before what is none, 0 for none
}

// ReadTable reads a table in the form in which vocabularies such as cl100k_base and o200k_base are published: a line for each token, its
// bytes in base64, a space and its rank. The pattern is the vocabulary's expression that cuts a text into the pieces in which bytes are
// joined, as it is published; of what Go's expressions lack it may have "\s+(?!\S)", and \s is any white space. The error names the
// line, or the part of the pattern, that can't be read. The reader isn't closed.
//
//	table, err := tokens.ReadTable(file, pattern)
//	e, err := engine.New(engine.Options{CountTokens: table.Count})
func ReadTable(r io.Reader, pattern string) (*Table, error) {
	expression, err := regexp.Compile(inGo(pattern))
	if err != nil {
		return nil, fmt.Errorf("the pattern of a table of tokens: %w", err)
	}
	t := &Table{ranks: map[string]int{}, pattern: expression, spaces: max(0, expression.SubexpIndex(spacesGroup))}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if err := t.add(lines.Text()); err != nil {
			return nil, fmt.Errorf("line %d of a table of tokens: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d of a table of tokens: %w", len(t.ranks)+1, err)
	}
	return t, t.complete()
}

func (t *Table) add(line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	encoded, rank, _ := strings.Cut(line, " ")
	token, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.TrimSpace(rank))
	switch _, twice := t.ranks[string(token)]; {
	case err != nil || n < 0:
		return fmt.Errorf("the rank %.20q is not a number from 0 on", rank)
	case len(token) == 0 || twice:
		return fmt.Errorf("the token %.20q is empty, or there twice", encoded)
	case len(t.ranks) == maxTokens:
		return fmt.Errorf("it has more than %d tokens", maxTokens)
	}
	t.ranks[string(token)] = n
	return nil
}

// complete reports a byte that is no token: texts that have it could not be counted.
func (t *Table) complete() error {
	for b := range 256 {
		if _, ok := t.ranks[string([]byte{byte(b)})]; !ok {
			return fmt.Errorf("a table of tokens lacks byte %#x: want each of the 256 bytes to be a token", b)
		}
	}
	return nil
}

const spacesGroup = "spaces"

// inGo writes a pattern of a vocabulary as Go has it: \s of Go is white space of ASCII alone, and it can't look ahead.
func inGo(pattern string) string {
	pattern = strings.ReplaceAll(pattern, `\s+(?!\S)`, "(?P<"+spacesGroup+`>\s+)`)
	var b strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(escaped(pattern[i], class))
			continue
		case c == '[':
			class = true
		case c == ']':
			class = false
		}
		b.WriteByte(c)
	}
	return b.String()
}

// escaped is an escape of a pattern, within a class of characters or outside.
func escaped(c byte, class bool) string {
	const space = `\s\v\x{85}\p{Z}\x{FEFF}`
	switch {
	case c == 's' && class:
		return space
	case c == 's':
		return "[" + space + "]"
	}
	return `\` + string(c)
}

// Count returns how many tokens a text has. Names of special tokens in it count as the text that they are. The time is that of the
// pattern, and for each piece of n bytes n times the logarithm of n.
func (t *Table) Count(text string) int {
	n := 0
	for text != "" {
		at := t.pattern.FindStringSubmatchIndex(text)
		if at == nil || at[1] == at[0] {
			return n + t.tokens(text)
		}
		if at[0] > 0 {
			n += t.tokens(text[:at[0]])
		}
		end := t.end(text, at)
		n += t.tokens(text[at[0]:end])
		text = text[end:]
	}
	return n
}

// end is where a piece ends: the last of several spaces belongs to what follows.
func (t *Table) end(text string, at []int) int {
	if t.spaces == 0 || at[2*t.spaces] < 0 || at[1] == len(text) {
		return at[1]
	}
	if r, _ := utf8.DecodeRuneInString(text[at[1]:]); unicode.IsSpace(r) {
		return at[1]
	}
	_, size := utf8.DecodeLastRuneInString(text[at[0]:at[1]])
	if at[0]+size == at[1] {
		return at[1]
	}
	return at[1] - size
}

// tokens counts those of one piece.
func (t *Table) tokens(piece string) int {
	if _, ok := t.ranks[piece]; ok || piece == "" {
		return min(len(piece), 1)
	}
	return join(piece, t.ranks)
}
