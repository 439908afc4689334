package passages

import (
	"strings"
	"unicode/utf8"
)

// unit is the smallest part that passages are made of: a block, or a row, a line, an item or a sentence of one.
type unit struct {
	from, to int
	tokens   int
	block    *Block
	part     bool // of a block that is cut
}

// units of a block: itself where it fits, else its parts.
func (s *splitter) units(b *Block) []unit {
	u := s.unit(b, b.From, b.To)
	if u.tokens <= s.limit {
		return []unit{u}
	}
	var list []unit
	s.cut(&list, b, b.From, b.To, cutters(b))
	for i := range list {
		list[i].part = len(list) > 1
	}
	return list
}

func (s *splitter) unit(b *Block, from, to int) unit {
	return unit{from: from, to: to, tokens: s.count(s.text[from:to]), block: b}
}

// cutter returns where the first part of a text ends, at most its length.
type cutter func(text string) int

// cutters are the ways to cut a block, the coarsest first. Tables and code aren't cut within a line.
func cutters(b *Block) []cutter {
	switch {
	case b.Kind == Table || b.Kind == Code:
		return []cutter{lineEnd}
	case b.Kind == List:
		return []cutter{itemEnd, textEnd, sentenceEnd, wordEnd, runesEnd}
	}
	return []cutter{textEnd, sentenceEnd, wordEnd, runesEnd}
}

// Fit returns where a part of a block that begins at from can end: at the last row, line, item, sentence, word or character, in this
// order, up to which the count of its parts is at most limit. Tables and code are cut within a line only where one line has more. It is
// greater than from wherever one character fits, and at most the block's To.
func (b Block) Fit(markdown string, from, limit int, count func(string) int) int {
	for _, by := range append(cutters(&b), wordEnd, runesEnd, runeEnd) {
		end, sum := from, 0
		for end < b.To {
			n := by(markdown[end:b.To])
			if end < b.Body && end+n < b.Body {
				n = b.Body - end + by(markdown[b.Body:b.To]) // a head stays with its first row
			}
			if sum += count(markdown[end : end+n]); sum > limit {
				break
			}
			end += n
		}
		if end > from {
			return end
		}
	}
	return from
}

// cut makes units of a range by the first cutter, and cuts those that are too large by the next.
func (s *splitter) cut(list *[]unit, b *Block, from, to int, by []cutter) {
	for at := from; at < to; {
		end := at + by[0](s.text[at:to])
		if at == b.From && end < b.Body {
			end = b.Body // a head stays with its first row
			end += by[0](s.text[end:to])
		}
		u := s.unit(b, at, end)
		switch {
		case len(*list) > 0 && b.endsWith(s.text[at:end]):
			(*list)[len(*list)-1].to = end
		case u.tokens > s.limit && len(by) > 1:
			s.cutBelow(list, u, by[1:])
		default:
			*list = append(*list, u)
		}
		at = end
	}
}

// cutBelow cuts a unit; headings that it begins with stay with the text that follows.
func (s *splitter) cutBelow(list *[]unit, u unit, by []cutter) {
	n, head := len(*list), 0
	if u.block.Kind == List || u.block.Kind == Quote {
		head = headingsEnd(s.text[u.from:u.to])
	}
	if s.cut(list, u.block, u.from+head, u.to, by); len(*list) == n {
		*list = append(*list, u)
	} else if head > 0 {
		(*list)[n] = s.unit(u.block, u.from, (*list)[n].to)
	}
}

// headingsEnd ends after the blank lines and headings, in an item or a quote, that a text begins with.
func headingsEnd(text string) int {
	for at := 0; at < len(text); {
		n := lineEnd(text[at:])
		if line := inner(text[at : at+n]); !isBlank(line) && line[0] != '#' {
			return at
		}
		at += n
	}
	return len(text)
}

// inner is a line without what makes it one of an item or a quote.
func inner(line string) string { return strings.TrimLeft(line, " \t>-+*.)0123456789") }

// endsWith reports what is no part by itself: white space, and the fence that closes code.
func (b *Block) endsWith(text string) bool {
	text = strings.TrimRight(text, "\r\n")
	return isBlank(text) || b.close != "" && closes(text, b.close)
}

func lineEnd(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// textEnd ends after the first line that is neither blank nor a heading in an item or a quote.
func textEnd(text string) int {
	at := headingsEnd(text)
	return at + lineEnd(text[at:])
}

// itemEnd ends before the next item that is not indented.
func itemEnd(text string) int {
	for at := lineEnd(text); at < len(text); {
		n := lineEnd(text[at:])
		if line := strings.TrimRight(text[at:at+n], "\r\n"); !strings.HasPrefix(line, " ") && isItem(line) {
			return at
		}
		at += n
	}
	return len(text)
}

// sentenceEnd ends after the mark and the space that end a sentence.
func sentenceEnd(text string) int {
	for i, r := range text {
		switch end := i + utf8.RuneLen(r); r {
		case '.', '!', '?', '…':
			if end < len(text) && text[end] == ' ' {
				return end + 1
			}
		case '。', '！', '？', '।', '؟':
			return end
		}
	}
	return len(text)
}

func wordEnd(text string) int {
	space := len(text) - len(strings.TrimLeft(text, " "))
	if i := strings.IndexByte(text[space:], ' '); i >= 0 {
		return space + i + 1
	}
	return len(text)
}

// runesEnd ends after some characters, for what has no other place.
func runesEnd(text string) int {
	const bytes = 24
	if len(text) <= bytes {
		return len(text)
	}
	end := bytes
	for end > bytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// runeEnd ends after one character.
func runeEnd(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return n
}
