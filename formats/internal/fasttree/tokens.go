package fasttree

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// token is a piece of the page.
type token struct {
	kind   html.TokenType // a self-closing tag is a start tag
	closed bool           // as <br/> is
	raw    []byte         // of a text, a comment or a doctype
	plain  bool           // raw has no character references
	el     element
	name   string           // of a tag, in lower case
	attr   []html.Attribute // of a start tag
}

// scanner cuts a page into tokens. The page has no NUL and no carriage return.
type scanner struct {
	texts
	body    []byte
	at      int    // where the next token begins
	rawTag  string // whose text comes next
	foreign bool   // within SVG or MathML
	tok     token
	attrs   []html.Attribute // of the tag
	room    *nodes.Room      // for nodes and their attributes
	refused string           // why the page is left to the other parser; "" as long as it isn't
}

// refuse leaves the page to the other parser.
func (s *scanner) refuse(why string) {
	if s.refused == "" {
		s.refused = why
	}
}

// next scans a token.
func (s *scanner) next() {
	if s.rawTag != "" && s.rawText() {
		return
	}
	for i := s.at; ; {
		open := bytes.IndexByte(s.body[i:], '<')
		if open < 0 {
			s.last()
			return
		}
		i += open
		if i+2 >= len(s.body) {
			s.refuse("breaks off")
			return
		}
		if c := s.body[i+1]; !isLetter(c) && c != '/' && c != '!' && c != '?' {
			i++
			continue
		}
		if i > s.at {
			s.text(i)
			return
		}
		s.markup(s.body[i+1])
		return
	}
}

// last is the text up to the end, or the end.
func (s *scanner) last() {
	if s.at < len(s.body) {
		s.text(len(s.body))
		return
	}
	s.tok = token{kind: html.ErrorToken}
}

func (s *scanner) text(end int) {
	s.tok = token{kind: html.TextToken, raw: s.body[s.at:end]}
	s.at = end
}

// markup scans what begins with <, by the byte that follows.
func (s *scanner) markup(c byte) {
	switch {
	case c == '!':
		s.declaration()
	case c == '?':
		s.bogusComment(s.at + 1)
	case c != '/':
		s.startTag()
	case isLetter(s.body[s.at+2]):
		s.endTag()
	default:
		s.bogusComment(s.at + 2)
	}
}

// declaration scans a comment, a doctype, or what counts as a comment.
func (s *scanner) declaration() {
	rest := s.body[s.at+2:]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		s.comment(s.at + 4)
	case len(rest) > 7 && bytes.EqualFold(rest[:7], []byte("doctype")):
		s.bogusComment(s.at + 9)
		s.tok.kind, s.tok.raw = html.DoctypeToken, bytes.TrimLeft(s.tok.raw, whitespace)
	case s.foreign && bytes.HasPrefix(rest, []byte("[CDATA[")):
		s.refuse("CDATA")
	default:
		s.bogusComment(s.at + 2)
	}
}

// bogusComment ends with the next >.
func (s *scanner) bogusComment(from int) {
	end := bytes.IndexByte(s.body[from:], '>')
	if end < 0 {
		s.refuse("breaks off")
		return
	}
	s.tok = token{kind: html.CommentToken, raw: s.body[from : from+end]}
	s.at = from + end + 1
}

// comment scans up to -->, or --!>. One that begins with > or -> ends there.
func (s *scanner) comment(from int) {
	text := s.body[from:]
	dashes := len(text) - len(bytes.TrimLeft(text, "-"))
	if dashes < 2 && dashes < len(text) && text[dashes] == '>' {
		s.tok = token{kind: html.CommentToken}
		s.at = from + dashes + 1
		return
	}
	for i := 0; ; {
		next := bytes.Index(text[i:], []byte("--"))
		if next < 0 {
			break
		}
		i += next + 2
		for i < len(text) && text[i] == '-' {
			i++
		}
		if closing := closes(text[i:]); closing > 0 {
			s.tok = token{kind: html.CommentToken, raw: text[:i-2]}
			s.at = from + i + closing
			return
		}
	}
	s.refuse("breaks off")
}

// closes is the length of what ends a comment after its dashes; 0 where it goes on.
func closes(rest []byte) int {
	switch {
	case bytes.HasPrefix(rest, []byte(">")):
		return 1
	case bytes.HasPrefix(rest, []byte("!>")):
		return 2
	}
	return 0
}

// rawText scans the text of an element in which tags are text, up to its end tag; false for an empty one.
func (s *scanner) rawText() bool {
	tag := s.rawTag
	s.rawTag = ""
	for i := s.at; ; i++ {
		open := bytes.IndexByte(s.body[i:], '<')
		if open < 0 {
			s.refuse("breaks off")
			return true
		}
		if i += open; isEndOf(s.body[i:], tag) {
			return s.rawUpTo(i, tag)
		}
	}
}

func (s *scanner) rawUpTo(end int, tag string) bool {
	text := s.body[s.at:end]
	if tag == "script" && hidesEnd(text) {
		s.refuse("script in a comment")
		return true
	}
	s.text(end)
	s.tok.plain = tag != "textarea" && tag != "title"
	return len(text) > 0
}

// isEndOf reports the end tag of an element.
func isEndOf(b []byte, tag string) bool {
	if len(b) < len(tag)+3 || b[1] != '/' {
		return false
	}
	for i := range len(tag) {
		if c := b[2+i]; c != tag[i] && c != tag[i]-('a'-'A') {
			return false
		}
	}
	c := b[2+len(tag)]
	return isSpace(c) || c == '/' || c == '>'
}

// hidesEnd reports the text of a script in which an end tag may be no end: within a comment, after a start tag.
func hidesEnd(text []byte) bool {
	comment := bytes.Index(text, []byte("<!--"))
	if comment < 0 {
		return false
	}
	for rest := text[comment:]; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			return false
		}
		if rest = rest[i+1:]; len(rest) >= 6 && bytes.EqualFold(rest[:6], []byte("script")) {
			return true
		}
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

const whitespace = " \t\r\n\f"

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\f' }

// isHidden reports an input that isn't shown.
func (t *token) isHidden() bool {
	for _, a := range t.attr {
		if a.Key == "type" && strings.EqualFold(a.Val, "hidden") {
			return true
		}
	}
	return false
}

// endsStart reports end tags that mean that the body has begun.
func (t *token) endsStart() bool {
	switch t.el.atom {
	case atom.Head, atom.Body, atom.Html, atom.Br:
		return true
	}
	return false
}

// unlessRefused ignores a tag, but for those of elements whose rules aren't followed here.
func (s *scanner) unlessRefused() bool {
	if s.tok.el.start == refused {
		s.refuse(s.tok.name)
	}
	return true
}
