package read

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of quotes.
const (
	maxQuote  = 2000    // bytes of one that is looked for
	maxQuotes = 5000    // of one answer
	maxPlace  = 10      // of one place in the data
	maxWork   = 1 << 30 // bytes of text that are looked through for one answer
	ownQuote  = 160     // bytes on each side of a value that is its own quote
	sureLen   = 8       // letters and digits of a value that can be nothing else by chance
)

// grounds are texts in which quotes are looked for, whatever their white space and emphasis.
type grounds struct{ sources []source }

// source is one text, and how it reads without white space runs and emphasis. The step at
// bytes[i] of plain says where in text it stands.
type source struct {
	text, plain string
	steps       []step
}

// step says that plain[at:] up to the next step is text[from:].
type step struct{ at, from int }

func newGrounds(texts ...string) grounds {
	var g grounds
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			g.sources = append(g.sources, newSource(text))
		}
	}
	return g
}

// newSource folds white space to one blank, and drops emphasis, escapes and invisible characters,
// remembering where what is left came from.
func newSource(text string) source {
	s := source{text: text}
	var b strings.Builder
	space, copied := true, -1 // copied: where the running copy goes on
	for i, r := range text {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		out := text[i : i+size]
		if unicode.IsSpace(r) {
			if out = " "; space {
				continue
			}
		} else if unseen(r) {
			continue
		}
		space = out == " "
		if copied != i {
			s.steps = append(s.steps, step{b.Len(), i})
		}
		b.WriteString(out)
		copied = i + len(out)
	}
	s.plain = b.String()
	return s
}

// unseen are the runes that a quote may leave out: emphasis, escapes, invisible characters.
func unseen(r rune) bool {
	return strings.ContainsRune("*_`\\", r) || unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector)
}

// origin is where the byte at of plain stands in text.
func (s source) origin(at int) int {
	i := sort.Search(len(s.steps), func(i int) bool { return s.steps[i].at > at }) - 1
	return s.steps[i].from + at - s.steps[i].at
}

// finder looks for the quotes of one answer. It looks for each but once, and stops finding when it
// has looked through maxWork bytes.
type finder struct {
	grounds
	seen map[string]string
	work int
}

func newFinder(g grounds) *finder { return &finder{grounds: g, seen: map[string]string{}} }

// find returns the piece of a text that quote is, exactly as it stands there; empty if it isn't there.
func (f *finder) find(quote string) string {
	return f.once("q"+quote, func() string { return f.grounds.find(quote) })
}

// around finds a value as grounds do.
func (f *finder) around(value string) string {
	return f.once("v"+value, func() string { return f.grounds.around(value) })
}

func (f *finder) once(key string, look func() string) string {
	found, ok := f.seen[key]
	if ok || f.work > maxWork {
		return found
	}
	for _, s := range f.sources {
		f.work += len(s.plain)
	}
	found = look()
	f.seen[key] = found
	return found
}

func (g grounds) find(quote string) string {
	if len(quote) > maxQuote || len(g.sources) == 0 {
		return ""
	}
	wanted := strings.TrimSpace(newSource(quote).plain)
	if wanted == "" {
		return ""
	}
	for _, s := range g.sources {
		if at := strings.Index(s.plain, wanted); at >= 0 {
			found := s.piece(at, at+len(wanted))
			return s.text[found.start:found.end]
		}
	}
	return ""
}

// piece is plain[start:end] as it stands in the text, with the emphasis right around it.
func (s source) piece(start, end int) span {
	_, last := utf8.DecodeLastRuneInString(s.plain[:end])
	from, to := s.origin(start), s.origin(end-last)
	_, size := utf8.DecodeRuneInString(s.text[to:])
	to += size
	for from > 0 && emphasis(s.text[from-1]) {
		from--
	}
	for to < len(s.text) && emphasis(s.text[to]) {
		to++
	}
	return span{from, to}
}

func emphasis(b byte) bool { return b == '*' || b == '`' }

// around finds a value that stands in a text as it is and is long enough to be no accident, and
// gives the line round it.
func (g grounds) around(value string) string {
	wanted := strings.TrimSpace(newSource(value).plain)
	if len(value) > maxQuote || weight(wanted) < sureLen {
		return ""
	}
	for _, s := range g.sources {
		if at := wordIndex(s.plain, wanted); at >= 0 {
			return lineRound(s.text, s.piece(at, at+len(wanted)))
		}
	}
	return ""
}

// weight counts letters and digits.
func weight(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// wordIndex finds wanted where it neither begins nor ends inside a word.
func wordIndex(s, wanted string) int {
	for from := 0; ; {
		at := strings.Index(s[from:], wanted)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(wanted):])
		first, size := utf8.DecodeRuneInString(wanted)
		last, _ := utf8.DecodeLastRuneInString(wanted)
		if !(wordRune(before) && wordRune(first)) && !(wordRune(last) && wordRune(after)) {
			return at
		}
		from = at + size
	}
}

// wordRune reports letters and digits of scripts that put spaces between words.
func wordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !spaceless(r)
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// lineRound widens a piece of text to its line, at most ownQuote bytes on each side, between words.
func lineRound(text string, s span) string {
	from, to := max(s.start-ownQuote, 0), min(s.end+ownQuote, len(text))
	left, right := text[from:s.start], text[s.end:to]
	if i := strings.LastIndexByte(left, '\n'); i >= 0 {
		left = left[i+1:]
	} else if from > 0 {
		left = left[strings.IndexFunc(left+" ", unicode.IsSpace):]
	}
	if i := strings.IndexByte(right, '\n'); i >= 0 {
		right = right[:i]
	} else if to < len(text) {
		right = right[:strings.LastIndexFunc(" "+right, unicode.IsSpace)]
	}
	return strings.TrimSpace(text[s.start-len(left) : s.end+len(right)])
}
