package pdf

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func escape(s string) string { return html.EscapeString(s) }

// rich is text in both forms.
type rich struct{ html, text string }

// hyphens knows the words of the document, to settle what a hyphen at a line's end means.
type hyphens struct {
	seen  map[string]bool
	typed bool // the whole document is typewritten
}

// maxVocabulary bounds the words that are remembered.
const maxVocabulary = 200_000

// learn remembers the words of a line that don't touch its end.
func (h *hyphens) learn(l *line) {
	for i, w := range l.words {
		if i+1 < len(l.words) && len(h.seen) < maxVocabulary && len(w.text) > 3 && len(w.text) < 40 {
			h.seen[strings.ToLower(strings.TrimFunc(w.text, notLetter))] = true
		}
	}
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// joins returns how a line ends that the next one continues: with the hyphen dropped, kept, or a space between.
func (h *hyphens) joins(before, after string) (cut int, space bool) {
	last, size := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	switch last {
	case '\u00ad':
		return size, false
	case '-', '\u2010':
	default:
		return 0, !(isWide(last) && isWide(next))
	}
	head := before[:len(before)-size]
	prev, _ := utf8.DecodeLastRuneInString(head)
	if !unicode.IsLetter(prev) {
		return 0, unicode.IsLetter(next)
	}
	if !unicode.IsLower(next) {
		return 0, false
	}
	start := strings.ToLower(head[strings.LastIndexFunc(head, func(r rune) bool { return notLetter(r) && r != '-' })+1:])
	end := after
	if i := strings.IndexFunc(after, notLetter); i >= 0 {
		end = after[:i]
	}
	end = strings.ToLower(end)
	if !h.seen[start+end] && h.seen[start+"-"+end] {
		return 0, false
	}
	return size, false
}

// style is what a word's face and link mean in markup.
type style struct {
	link                      string
	bold, italic, mono, super bool
}

func (h *hyphens) styleOf(w *word, plainBold bool) style {
	s := style{link: w.link, super: w.super}
	if w.face != nil {
		s.bold, s.italic, s.mono = w.face.Bold && !plainBold, w.face.Italic, w.face.Mono && !h.typed
	}
	return s
}

// inline makes one run of text of lines. plainBold says that all of it is bold, which then needs no markup.
func (h *hyphens) inline(lines []line, plainBold bool) rich {
	var text strings.Builder
	var runs []run
	add := func(s string, st style) {
		if n := len(runs); n > 0 && (runs[n-1].style == st || strings.TrimSpace(s) == "") {
			runs[n-1].text = append(runs[n-1].text, s...)
			return
		}
		runs = append(runs, run{[]byte(s), st})
	}
	for i := range lines {
		l := &lines[i]
		for j := range l.words {
			w := &l.words[j]
			switch {
			case j > 0 && spaced(l.words[j-1], *w):
				add(" ", style{})
				text.WriteByte(' ')
			case j == 0 && i > 0 && len(runs) > 0:
				r := &runs[len(runs)-1]
				cut, space := h.joins(text.String(), w.text)
				if cut > 0 && len(r.text) >= cut {
					r.text = r.text[:len(r.text)-cut]
					s := text.String()
					text.Reset()
					text.WriteString(s[:len(s)-cut])
				}
				if space {
					add(" ", style{})
					text.WriteByte(' ')
				}
			}
			s := strings.ReplaceAll(w.text, "\u00ad", "")
			text.WriteString(s)
			add(s, h.styleOf(w, plainBold))
		}
	}
	return rich{markup(runs), strings.TrimSpace(text.String())}
}

// run is text of one style.
type run struct {
	text  []byte
	style style
}

// markup writes runs with their elements; spaces at a run's end stand outside of them.
func markup(runs []run) string {
	var b strings.Builder
	for _, r := range runs {
		text := string(r.text)
		inner := strings.TrimRight(text, " ")
		tail := text[len(inner):]
		if inner == "" {
			b.WriteString(tail)
			continue
		}
		writeRun(&b, inner, r.style)
		b.WriteString(tail)
	}
	return strings.TrimSpace(b.String())
}

func writeRun(b *strings.Builder, text string, s style) {
	var closing []string
	open := func(on bool, start, end string) {
		if on {
			b.WriteString(start)
			closing = append(closing, end)
		}
	}
	open(s.link != "", `<a href="`+escape(s.link)+`">`, "</a>")
	letters := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	open(s.bold && letters, "<strong>", "</strong>")
	open(s.italic && letters, "<em>", "</em>")
	open(s.mono && letters, "<code>", "</code>")
	open(s.super, "<sup>", "</sup>")
	b.WriteString(escape(text))
	for i := len(closing) - 1; i >= 0; i-- {
		b.WriteString(closing[i])
	}
}

// tableHTML writes a table; its text has tabs between cells and a line for each row.
func (h *hyphens) tableHTML(g *grid) rich {
	var b, text strings.Builder
	b.WriteString("<table>\n")
	for i, row := range g.rows {
		b.WriteString("<tr>")
		tag := "td"
		if i == 0 && g.header {
			tag = "th"
		}
		for j, c := range row {
			if j > 0 {
				text.WriteByte('\t')
			}
			if c.colspan == 0 {
				continue
			}
			t := h.inline(c.lines, tag == "th")
			b.WriteString("<" + tag + spanAttribute("colspan", c.colspan) + spanAttribute("rowspan", c.rowspan) + ">")
			b.WriteString(t.html + "</" + tag + ">")
			text.WriteString(t.text)
		}
		b.WriteString("</tr>\n")
		text.WriteByte('\n')
	}
	b.WriteString("</table>")
	return rich{b.String(), strings.TrimSpace(text.String())}
}

func spanAttribute(key string, n int) string {
	if n < 2 {
		return ""
	}
	return " " + key + `="` + strconv.Itoa(n) + `"`
}
