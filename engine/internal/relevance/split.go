package relevance

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord bounds a word, in bytes; what is over is passed over.
const maxWord = 256

// unspaced are the scripts whose words aren't set apart, or not as in a query.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	{R16: []unicode.Range16{{Lo: 'ー', Hi: 'ー', Stride: 1}}}, // belongs to two of them
}

// splitter finds the words of a text: runs of letters and digits with their marks, in
// lower case; in the unspaced scripts each character and each pair of characters.
type splitter struct {
	// word is given each word, in a slice that is good until it returns. counts: it adds
	// to the length of the text. A pair doesn't, having counted as its characters.
	word func(word []byte, counts bool)
	// parts: words of mixed case ("getUserName") are given whole, and in parts too.
	parts bool
	// query: a character of an unspaced script is given only if it stands alone.
	query bool

	run    []byte // the word so far, in lower case
	cuts   []int  // where in run a part begins
	at     int    // where in run the last letter begins
	upper  bool   // whether it was a capital
	upper2 bool   // whether the one before was

	char  []byte // the last character of an unspaced script
	pair  []byte
	chars int // that follow on each other
}

func (s *splitter) split(text string) {
	if !isASCII(text) && !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(text)
	}
	for _, r := range text {
		switch classOf(r, len(s.run) > 0) {
		case letter:
			s.endChars()
			s.letter(r)
		case mark:
			s.add(r)
		case character:
			s.endRun()
			s.character(r)
		default:
			s.endRun()
			s.endChars()
		}
	}
	s.endRun()
	s.endChars()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

type class int

const (
	other     class = iota
	letter          // or digit
	mark            // on the letter before
	character       // of an unspaced script
)

func classOf(r rune, inRun bool) class {
	switch {
	case r < utf8.RuneSelf:
		if '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
			return letter
		}
	case r == utf8.RuneError:
	case unicode.In(r, unspaced...):
		return character
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return letter
	case inRun && unicode.IsMark(r):
		return mark
	}
	return other
}

// letter adds to the run. A part begins with the first capital after others, and with
// the last of several capitals before others: "HTMLPage" is HTML and Page.
func (s *splitter) letter(r rune) {
	upper := unicode.IsUpper(r)
	if s.parts && len(s.run) > 0 && len(s.run) < maxWord {
		switch {
		case upper && !s.upper:
			s.cuts = append(s.cuts, len(s.run))
		case !upper && s.upper && s.upper2:
			s.cuts = append(s.cuts, s.at)
		}
	}
	s.at, s.upper, s.upper2 = len(s.run), upper, s.upper && len(s.run) > 0
	s.add(unicode.ToLower(r))
}

func (s *splitter) add(r rune) {
	if len(s.run) < maxWord {
		s.run = utf8.AppendRune(s.run, r)
	}
}

func (s *splitter) endRun() {
	if len(s.run) == 0 {
		return
	}
	s.word(s.run, len(s.cuts) == 0)
	if len(s.cuts) > 0 {
		begin := 0
		for _, end := range append(s.cuts, len(s.run)) {
			if end > begin {
				s.word(s.run[begin:end], true)
			}
			begin = end
		}
	}
	s.run, s.cuts, s.upper, s.upper2 = s.run[:0], s.cuts[:0], false, false
}

func (s *splitter) character(r rune) {
	s.pair = append(s.pair[:0], s.char...)
	s.char = utf8.AppendRune(s.char[:0], r)
	s.pair = append(s.pair, s.char...)
	if !s.query {
		s.word(s.char, true)
	}
	if s.chars++; s.chars > 1 {
		s.word(s.pair, false)
	}
}

func (s *splitter) endChars() {
	if s.query && s.chars == 1 {
		s.word(s.char, true)
	}
	s.char, s.chars = s.char[:0], 0
}
