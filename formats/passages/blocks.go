package passages

import "strings"

// Block is a block of a Markdown text that is in no other one.
type Block struct {
	Kind Kind
	// From and To are where it is, in bytes, without the line end.
	From, To int
	// Level of a heading, 1 to 6. 0: no heading.
	Level int
	// Title of a heading, as text.
	Title string
	// Language of code: the first word after its fence.
	Language string
	// Body is where what can be cut begins: after the head of a table, or the line that opens code; else From.
	Body int
	// Fence closes code; at most 64 bytes. Empty: code by indentation, or no code.
	Fence string

	close string // the fence in full
}

// Blocks lists the blocks of a Markdown text, in order. Between them there are blank lines and line ends alone.
func Blocks(markdown string) []Block {
	s := scanner{text: markdown}
	for s.skipBlank(); s.at < len(s.text); s.skipBlank() {
		s.block()
	}
	return s.blocks
}

// scanner reads a text by lines.
type scanner struct {
	text   string
	at     int // of the line to come
	blocks []Block
}

// line at a place, without its end, and where the next begins.
func (s *scanner) line(at int) (line string, next int) {
	end := strings.IndexByte(s.text[at:], '\n')
	if end < 0 {
		return s.text[at:], len(s.text)
	}
	return strings.TrimSuffix(s.text[at:at+end], "\r"), at + end + 1
}

// skipBlank goes to the next line that isn't blank.
func (s *scanner) skipBlank() {
	for s.at < len(s.text) {
		line, next := s.line(s.at)
		if !isBlank(line) {
			return
		}
		s.at = next
	}
}

// block reads one.
func (s *scanner) block() {
	b := Block{From: s.at, Kind: Prose, Body: s.at}
	line, next := s.line(s.at)
	s.at = next
	b.To = b.From + len(line)
	fence, info := fenceOf(line)
	level, title := headingOf(line)
	switch {
	case fence != "":
		s.fenced(&b, fence, info)
	case isIndented(line):
		b.Kind = Code
		s.indented(&b)
	case level > 0:
		b.Level, b.Title = level, plain(title)
	case isRule(line):
	case isItem(line):
		b.Kind = List
		s.list(&b)
	case isQuote(line):
		b.Kind = Quote
		s.lazy(&b)
	case isHTML(line):
		b.Kind = HTML
		s.html(&b, line)
	case s.tableFollows(line):
		s.table(&b)
	default:
		s.paragraph(&b)
	}
	b.Body = min(b.Body, b.To)
	s.blocks = append(s.blocks, b)
}

// take adds a line to the block.
func (s *scanner) take(b *Block, line string, next int) {
	b.To, s.at = s.at+len(line), next
}

// fenced reads to the closing fence or the end.
func (s *scanner) fenced(b *Block, fence, info string) {
	b.Kind, b.Body, b.close, b.Fence = Code, s.at, fence, fence[:min(len(fence), maxFence)]
	b.Language, _, _ = strings.Cut(info, " ")
	for s.at < len(s.text) {
		line, next := s.line(s.at)
		s.take(b, line, next)
		if closes(line, fence) {
			return
		}
	}
}

// indented reads lines with four spaces, and blank ones between them.
func (s *scanner) indented(b *Block) {
	for at := s.at; at < len(s.text); {
		line, next := s.line(at)
		if !isBlank(line) {
			if !isIndented(line) {
				return
			}
			b.To, s.at = at+len(line), next
		}
		at = next
	}
}

// list reads items, and what is indented below them.
func (s *scanner) list(b *Block) {
	blank := false
	for at := s.at; at < len(s.text); {
		line, next := s.line(at)
		switch {
		case isBlank(line):
			blank = true
		case strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t") || isItem(line) && !isRule(line):
			b.To, s.at, blank = at+len(line), next, false
		case blank || begins(line):
			return
		default: // goes on with the paragraph of an item
			b.To, s.at = at+len(line), next
		}
		at = next
	}
}

// lazy reads a quote, and lines that go on with its paragraph.
func (s *scanner) lazy(b *Block) {
	for s.at < len(s.text) {
		line, next := s.line(s.at)
		if isBlank(line) || !isQuote(line) && begins(line) {
			return
		}
		s.take(b, line, next)
	}
}

// html reads to the end of a comment or of an element whose content is no Markdown, or to a blank line.
func (s *scanner) html(b *Block, first string) {
	end := htmlEnd(first)
	if end != "" && containsFold(first, end) {
		return
	}
	for s.at < len(s.text) {
		line, next := s.line(s.at)
		if end == "" && isBlank(line) {
			return
		}
		s.take(b, line, next)
		if end != "" && containsFold(line, end) {
			return
		}
	}
}

// tableFollows reports whether a line is the head of a table, whose second line comes next.
func (s *scanner) tableFollows(line string) bool {
	if s.at >= len(s.text) || !strings.Contains(line, "|") {
		return false
	}
	second, _ := s.line(s.at)
	return isDelimiter(second)
}

// table reads the second line and the rows.
func (s *scanner) table(b *Block) {
	b.Kind = Table
	line, next := s.line(s.at)
	s.take(b, line, next)
	b.Body = s.at
	s.lazyRows(b)
}

func (s *scanner) lazyRows(b *Block) {
	for s.at < len(s.text) {
		line, next := s.line(s.at)
		if isBlank(line) || begins(line) {
			return
		}
		s.take(b, line, next)
	}
}

// paragraph reads lines up to a blank one or the beginning of another block. A line of = or - below makes it a heading.
func (s *scanner) paragraph(b *Block) {
	for s.at < len(s.text) {
		line, next := s.line(s.at)
		if level := underline(line); level > 0 {
			b.Level, b.Title = level, plain(s.text[b.From:b.To])
			s.take(b, line, next)
			return
		}
		if isBlank(line) || begins(line) || s.headFollows(line, next) {
			return
		}
		s.take(b, line, next)
	}
}

// headFollows reports whether a line within a paragraph is the head of a table.
func (s *scanner) headFollows(line string, next int) bool {
	after := scanner{text: s.text, at: next}
	return after.tableFollows(line)
}
