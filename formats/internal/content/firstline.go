package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxLine = 80 // bytes of a first line
	cutMark = "…"
)

// topicKind is the kind of section that the short first line of a node is the title of; "" for none.
func (s *survey) topicKind(i int) BlockKind {
	words := s.wordsOf(i)
	if words > 2*longTitle {
		return ""
	}
	title := strings.TrimLeftFunc(strings.ToLower(s.line(i)), func(r rune) bool { return !unicode.IsLetter(r) })
	return topicKinds[topicOf(title, words)]
}

// firstText is the first text of a node with words that all keeps. The node must have some.
func (s *survey) firstText(i int) int {
	for s.at[i+1].words == s.at[i].words {
		s.steps.Visit()
		i++
	}
	return i
}

// line is the first line of a node that has words: the part of its first text's block before a line break. It ends soon after
// maxLine.
func (s *survey) line(i int) string {
	first := s.firstText(i)
	var f folder
	for k := first; k < s.End(i) && len(f.b) <= maxLine; k++ {
		s.steps.Visit()
		e := &s.nodes[k]
		if s.all[k] || e.unseen {
			k = s.End(k) - 1
			continue
		}
		if e.DataAtom == atom.Br || e.block != s.nodes[first].block {
			break
		}
		if e.Type == html.TextNode {
			text := e.Data
			if len(f.b) == 0 {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			f.text(text[:min(len(text), 4*maxLine)])
		}
	}
	return strings.ToValidUTF8(f.String(), "")
}

// clip shortens a line to maxLine bytes, between words where it can.
func clip(line string) string {
	if len(line) <= maxLine {
		return line
	}
	end := maxLine - len(cutMark)
	for !utf8.RuneStart(line[end]) {
		end--
	}
	if space := strings.LastIndexByte(line[:end+1], ' '); space > 0 {
		end = space
	}
	return line[:end] + cutMark
}
