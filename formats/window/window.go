// Package window gives the part of a Markdown text that fits a budget of tokens, and says what the rest is.
//
// Start from [Read]. It makes no calls and keeps nothing.
//
//	window.go   Budget, Window, Options and Read
//	pages.go    the part from a place on
//	relevant.go the most relevant passages, in reading order
//	outline.go  what is not in the part
package window

import (
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/passages"
	"github.com/winnow-go/winnow/formats/tokens"
)

// The bounds of a budget.
const (
	MinTokens = 64
	MaxTokens = 10_000_000
	MaxQuery  = 10_000 // characters
)

// Budget is how much of a Markdown text is wanted, and of what.
type Budget struct {
	// Tokens that the part has at most, [MinTokens] to [MaxTokens]. Zero: no budget.
	Tokens int `json:"tokens"`
	// Query chooses the passages that are most relevant for it; at most [MaxQuery] characters. Where the most relevant one has no room, the
	// part begins with it; where none is relevant, at the start. Empty: the part begins at From.
	Query string `json:"query,omitempty"`
	// From is where the part begins, in bytes: [Window.Next], or the From of a [Section]. Zero: at the start. Not with Query.
	From int `json:"from,omitempty"`
}

// Window says which part of a Markdown text a budget gave. Places are bytes of the whole Markdown.
type Window struct {
	// From and To are where the part begins and ends.
	From int `json:"from"`
	To   int `json:"to"`
	// Next is the [Budget.From] of the part that follows: all parts from zero on, joined with nothing between them, are the whole. Zero: none
	// follows, or the part was chosen by a query.
	Next int `json:"next,omitempty"`
	// Spans are, of a part chosen by a query, the pieces that it is made of, which blank lines (in a table or code one line end) join where
	// they don't follow each other: from and to of each. Headings, heads of tables and fences are there for their passages. Nil: the part
	// is one piece.
	Spans [][2]int `json:"spans,omitempty"`
	// Tokens of the part, and TotalTokens of the whole. Outline, Headings, Head and Foot don't count in them, nor in the budget.
	Tokens      int `json:"tokens"`
	TotalTokens int `json:"totalTokens"`
	// Headings that the beginning of the part is under, the outermost first. Nil: none, or chosen by a query.
	Headings []string `json:"headings,omitempty"`
	// Head is the head of the table, or the opening fence of the code, that the part begins in; Foot closes code that the part ends in.
	// A head of more than half of the budget is left out. Empty: none.
	Head string `json:"head,omitempty"`
	Foot string `json:"foot,omitempty"`
	// Outline lists the sections that aren't in the part, in order: at most [MaxOutline], deep ones counted in those above them where there
	// are more.
	Outline []Section `json:"outline,omitempty"`
}

// MaxOutline is the most sections of an outline.
const MaxOutline = 50

// Section is one that isn't in a part, or not all of it.
type Section struct {
	// From is the [Budget.From] with which to read it: its heading, or where the part ends within it.
	From int `json:"from"`
	// Level of the heading, 1 to 6, and its text, at most 200 bytes. 0 and empty: before the first heading.
	Level int    `json:"level,omitempty"`
	Title string `json:"title,omitempty"`
	// Tokens of what isn't in the part: up to the next section of the outline.
	Tokens int `json:"tokens"`
}

// Options of Read. The zero value works.
type Options struct {
	// Count counts tokens. Nil is [tokens.Bound].
	Count tokens.Counter
	// Rank returns the indexes of the passages that are relevant for a query, the most relevant first. Nil: no query counts.
	Rank func(query string, list []passages.Passage) []int
}

// Read returns the part of a Markdown text that a budget gives, which has at most as many tokens, and what it is. It is cut between blocks;
// within one only where one block has more, as package passages cuts them. A text that fits is the part as it is, whatever the query. From
// beyond the end gives an empty part. A budget without tokens gives the whole and nil.
func Read(markdown string, b Budget, o Options) (part string, w *Window) {
	if b.Tokens <= 0 {
		return markdown, nil
	}
	r := reader{text: markdown, limit: b.Tokens, count: o.Count.Or(), sizes: map[piece]int{}}
	w = &Window{TotalTokens: r.count(markdown), To: len(markdown)}
	if w.TotalTokens <= b.Tokens && b.From <= 0 {
		w.Tokens = w.TotalTokens
		return markdown, w
	}
	r.blocks = passages.Blocks(markdown)
	if b.Query != "" && o.Rank != nil {
		part = r.relevant(w, b.Query, o.Rank)
	} else {
		part = r.page(w, runeStart(markdown, b.From))
	}
	w.Tokens = r.count(part)
	w.Outline = r.outline(w)
	return part, w
}

// reader reads one text.
type reader struct {
	text   string
	limit  int
	count  func(string) int
	blocks []passages.Block
	sizes  map[piece]int
}

// runeStart is a place within a text that no character goes across.
func runeStart(text string, at int) int {
	at = min(max(at, 0), len(text))
	for start := at - 1; start >= 0 && start > at-utf8.UTFMax; start-- {
		if _, n := utf8.DecodeRuneInString(text[start:]); n > at-start {
			return start
		}
	}
	return at
}
