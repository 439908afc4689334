package search

// Passage is a part of a page's Markdown that can be read by itself: blocks of one section, or a part of a long one, as package
// formats/passages cuts them.
type Passage struct {
	// ID is the same for the same text, and unique on its page.
	ID string
	// Headings are those that the passage is under, the outermost first, its own included. Nil: none.
	Headings []string
	// Kind is prose, list, table, code, quote or html. Language is that of the code, else of the page; empty: unknown.
	Kind, Language string
	// From and To are where the text is in the Markdown of the page's visible main content, in bytes. Tokens are an upper bound.
	From, To, Tokens int
	// Text is that part of the Markdown, verbatim.
	Text string
	// Head and Foot stand before and after a part of a table or of code: the table's head, the fences. Usually empty.
	Head, Foot string
}

// MaxPassages is the maximum number of passages of one page in an index.
const MaxPassages = 2000

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
