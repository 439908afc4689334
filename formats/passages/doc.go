// Package passages cuts Markdown into pieces that are found, quoted and read by themselves.
//
// Start from [Split]. Blocks are read by lines, in linear time, without a tree; any text is accepted.
//
//	doc.go     Passage, Options and Split
//	blocks.go  Block and Blocks: the blocks of a Markdown text
//	lines.go   what begins and continues a block
//	units.go   parts of a block that is too long: rows, lines, items, sentences
//	pack.go    which blocks make a passage
//	title.go   headings as text, and the path of headings
//
// A passage is a run of whole blocks of one section, or a part of a block that is too long. Its text is verbatim: Markdown[From:To].
// Between passages there is white space alone, so nothing of the Markdown is in none of them, and nothing in two.
//
// A heading is never by itself: it begins the passage of the text that follows, with the headings before it that have no text. Headings at
// the end, which none follows, end the last passage.
//
// Tables are cut between rows and code between lines. Each part but the first has the table's head, or the fence that opens the code, in
// Head, and each part of code but the last the closing fence in Foot: they are beside the text, which stays verbatim.
// [Passage.Markdown] joins the three. A head that would take more than half of a passage isn't repeated.
//
// # Ids
//
// An id is made of the text alone, so a passage keeps it wherever it moves; of equal passages the second has the suffix -2, and so on.
// Where a section is cut depends on the blocks near the cut, not on how many come before: an edit changes the passages around it, and
// the others stay.
package passages

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/formats/tokens"
)

// Kind is what a block, or most of a passage, is.
type Kind string

// The kinds.
const (
	Prose Kind = "prose" // paragraphs; also headings and rules by themselves
	List  Kind = "list"
	Table Kind = "table"
	Code  Kind = "code"
	Quote Kind = "quote"
	HTML  Kind = "html" // elements and comments as they are
)

// Passage is a piece of a Markdown text.
type Passage struct {
	// ID is the same for the same text: see the package comment. 16 hexadecimal digits, and -2, -3 … where a text is there more than once.
	ID string `json:"id"`
	// Headings are those that the passage is under, the outermost first, its own included, as text of at most 200 bytes each. Nil: none.
	Headings []string `json:"headings,omitempty"`
	// Kind of most of the text, by bytes.
	Kind Kind `json:"kind"`
	// Language is, of code, the first word after its fence, and otherwise [Options.Language]. Empty: not known.
	Language string `json:"language,omitempty"`
	// From and To are where the text is in the Markdown, in bytes.
	From int `json:"from"`
	To   int `json:"to"`
	// Tokens of Head, Text and Foot together, as [Options.Count] counts them.
	Tokens int `json:"tokens"`
	// Text is Markdown[From:To].
	Text string `json:"text"`
	// Head are the head of a table, or the opening fence of code, that the passage is a later part of; without a line end. Empty: none.
	Head string `json:"head,omitempty"`
	// Foot is the closing fence of code that goes on after the passage. Empty: none.
	Foot string `json:"foot,omitempty"`
}

// Markdown is the passage by itself: Head, Text and Foot on lines of their own.
func (p Passage) Markdown() string {
	text := p.Text
	if p.Head != "" {
		text = p.Head + "\n" + text
	}
	if p.Foot != "" {
		text += "\n" + p.Foot
	}
	return text
}

// The sizes of passages.
const (
	DefaultTokens = 512
	MinTokens     = 32
	MaxTokens     = 32_768
)

// Options of Split. The zero value works.
type Options struct {
	// MaxTokens of a passage, [MinTokens] to [MaxTokens]; what is out of this range is taken as its nearest end. Zero is [DefaultTokens].
	// One row of a table, or one line of code, that has more is a passage of its own, and headings don't make one smaller than a unit.
	MaxTokens int
	// Language of the page, a BCP 47 tag. Empty: not known.
	Language string
	// Count counts tokens. Nil is [tokens.Bound].
	Count tokens.Counter
}

// Split cuts Markdown into passages, in order. A text of white space alone has none; then the list is empty, not nil. It takes a time that
// is linear in the text, for a counter that is.
func Split(markdown string, o Options) []Passage {
	s := splitter{
		text: markdown, language: o.Language, count: o.Count.Or(), times: map[string]int{}, list: []Passage{},
		limit: min(max(cmp.Or(o.MaxTokens, DefaultTokens), MinTokens), MaxTokens),
	}
	s.run(Blocks(markdown))
	return s.list
}

// id of the passage that has a text.
func (s *splitter) id(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	id := hex.EncodeToString(sum[:8])
	s.times[id]++
	if n := s.times[id]; n > 1 {
		return id + "-" + strconv.Itoa(n)
	}
	return id
}
