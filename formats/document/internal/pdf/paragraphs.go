package pdf

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// paragraphs cuts lines of running text into paragraphs, list items and code.
func (b *builder) paragraphs(lines []line, left, right float64) {
	usual := leading(lines)
	for i := 0; i < len(lines); {
		if n := b.codeRun(lines[i:]); n > 0 {
			b.code(lines[i : i+n])
			i += n
			continue
		}
		j := i + 1
		for j < len(lines) && b.codeRun(lines[j:]) == 0 && !b.breaks(lines[i:j], lines[j], usual, left, right) {
			j++
		}
		b.paragraph(lines[i:j], right)
		i = j
	}
}

// leading is the usual distance of lines, in parts of their size.
func leading(lines []line) float64 {
	var all []float64
	for i := 1; i < len(lines); i++ {
		a, b := lines[i-1], lines[i]
		if math.Abs(a.size-b.size) < 0.1*b.size {
			if d := (b.base - a.base) / b.size; d > 0.8 && d < 2.6 {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return 1.3
	}
	slices.Sort(all)
	return all[len(all)/3]
}

// breaks reports whether a line starts something new after the lines of a paragraph.
func (b *builder) breaks(par []line, next line, usual, left, right float64) bool {
	first, prev := par[0], par[len(par)-1]
	size := max(prev.size, next.size)
	switch {
	case math.Abs(prev.size-next.size) > 0.12*size && !dropCap(par):
		return true
	case next.base-prev.base > (usual+0.3)*size*1.08 || next.base < prev.base-0.2*size:
		return true
	case isItem(&next) || leader(&prev) || leader(&next) || b.item(&next).Number != b.item(&prev).Number:
		return true
	case bold(&prev) != bold(&next) && (len(par) <= 2 && bold(&prev) || bold(&next)):
		return true
	}
	indent := next.box.X0 - prev.box.X0
	if isItem(&first) {
		return next.box.X0 < first.box.X0+0.5*size && len(par) > 0 && first.box.X0-next.box.X0 > -0.5*size && !hangs(par)
	}
	if len(par) > 1 && indent > 0.8*size && indent < 6*size && math.Abs(prev.box.X0-left) < 1.5*size && !centered(par, next) {
		return true
	}
	if size > 1.35*b.body && next.base-prev.base < 1.45*size && bold(&prev) == bold(&next) {
		return false // a heading of several lines ends them where it likes
	}
	room := right - prev.box.X1
	if firstWord := next.words[0]; room > firstWord.x1-firstWord.x0+2*size && !centered(par, next) {
		return endsSentence(prev.text()) || endsCode(prev.text()) || room > 0.4*(right-left) && startsUpper(next.text())
	}
	return false
}

// hangs reports whether an item's lines after the first start where the first does.
func hangs(par []line) bool {
	return len(par) > 1 && math.Abs(par[1].box.X0-par[0].box.X0) < 0.5*par[0].size ||
		len(par) == 1 && !endsSentence(par[0].text())
}

func dropCap(par []line) bool {
	return len(par) == 1 && utf8.RuneCountInString(par[0].text()) == 1
}

func centered(par []line, next line) bool {
	prev := par[len(par)-1]
	mid := func(l line) float64 { return (l.box.X0 + l.box.X1) / 2 }
	return math.Abs(mid(prev)-mid(next)) < 0.6*next.size && math.Abs(prev.box.X0-next.box.X0) > next.size
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, `"'”’)]»`)
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;。！？：；", r)
}

// endsCode reports whether a line ends as lines of programs do: not all of them are set in a typewriter face.
func endsCode(s string) bool { return strings.HasSuffix(s, "{") || strings.HasSuffix(s, "}") }

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, `"'“‘([«`))
	return unicode.IsUpper(r) || unicode.IsDigit(r)
}

// leader reports whether a line is of a table of contents: dots lead to a number.
func leader(l *line) bool { return leaderPattern.MatchString(l.text()) }

var (
	leaderPattern = regexp.MustCompile(`(?:\.[ \t]?){4,}\s*[0-9ivxlcIVXLC]+\s*$`)
	leaderDots    = regexp.MustCompile(`\s*(?:\.[ \t]?){4,}\s*`)
	bullet        = regexp.MustCompile(`^[•◦▪▫●○■□‣⁃∙·➢➤►▶✓✔❖♦◆–—*\-]$`)
	counter       = regexp.MustCompile(`^(?:\(?(?:[0-9]{1,3}|[a-zA-Z]|[ivxIVX]{1,6})[.)]|\[[0-9]{1,3}\]|[0-9]{1,2}(?:\.[0-9]{1,2}){1,4}\.?)$`)
	decimal       = regexp.MustCompile(`^[0-9]{1,2}(?:\.[0-9]{1,2})+\.?$`)
	private       = regexp.MustCompile(`^[\x{e000}-\x{f8ff}]$`)
)

// isMarker reports whether a text is a list item's mark.
func isMarker(s string) bool {
	return bullet.MatchString(s) || counter.MatchString(s) || private.MatchString(s)
}

// isItem reports whether a line starts a list item: its first word is a mark and text follows.
func isItem(l *line) bool {
	m, n := markerOf(l)
	return m != "" && n < len(l.words)
}

// item is the item of a tagged list that a line begins in.
func (b *builder) item(l *line) reader.Item {
	if len(b.tags.Items) == 0 || len(l.words) == 0 {
		return reader.Item{}
	}
	return b.tags.Items[reader.MarkedPlace{Page: b.page, Mark: l.words[0].mark}]
}

// labelOf is the mark that the file has before an item, and how many words it takes. Some mark it as content of its own, but not as what
// it is.
func (b *builder) labelOf(l *line) (m string, n int) {
	for n < len(l.words) && b.tags.Items[reader.MarkedPlace{Page: b.page, Mark: l.words[n].mark}].Label {
		m += l.words[n].text
		n++
	}
	if n == 0 && len(l.words) > 1 && l.words[0].mark != l.words[1].mark {
		return l.words[0].text, 1
	}
	return m, n
}

// attached is a mark that stands at a word without a space: in items of tagged lists no other text does.
var attached = regexp.MustCompile(`^([•◦▪▫●○■□‣⁃∙·➢➤►▶✓✔❖♦◆–—]|\(?(?:[0-9]{1,3}|[a-zA-Z])[.)])(\pL.*)$`)

// withoutMark takes the mark off the first of an item's lines; "" for what is no item.
func (b *builder) withoutMark(l line) (m string, rest line) {
	rest = l
	tagged := b.item(&l).Number > 0
	if m, n := b.labelOf(&l); tagged && isMarker(m) && n < len(l.words) {
		rest.words = l.words[n:]
		return m, rest
	}
	if m, n := markerOf(&l); m != "" && n < len(l.words) && !decimal.MatchString(m) {
		rest.words = l.words[n:]
		return m, rest
	}
	if found := attached.FindStringSubmatch(l.words[0].text); tagged && found != nil {
		rest.words = slices.Clone(l.words)
		rest.words[0].text = found[2]
		return found[1], rest
	}
	return "", l
}

// markerOf is a line's mark and how many words it takes.
func markerOf(l *line) (string, int) {
	m := ""
	for i, w := range l.words[:min(len(l.words), 4)] {
		m += w.text
		if i+1 < len(l.words) && spaced(w, l.words[i+1]) {
			if isMarker(m) {
				return m, i + 1
			}
			return "", 0
		}
	}
	return "", 0
}

func bold(l *line) bool {
	letters := false
	for _, w := range l.words {
		if w.face != nil && !w.face.Bold && strings.ContainsFunc(w.text, unicode.IsLetter) {
			return false
		}
		letters = letters || w.face != nil && w.face.Bold
	}
	return letters
}

// paragraph makes one block of lines.
func (b *builder) paragraph(lines []line, right float64) {
	box := hull(lines)
	p := block{kind: "text", box: turnBack(b.dir, box), size: lines[0].size, bold: true, lines: len(lines), indent: lines[0].box.X0}
	p.level, p.whole = levelOf(b.tags, b.page, lines), b.whole
	for i := range lines {
		p.bold = p.bold && bold(&lines[i])
		p.words += len(lines[i].words)
	}
	if m, rest := b.withoutMark(lines[0]); m != "" {
		p.kind, p.marker = "list", m
		lines = slices.Clone(lines)
		lines[0] = rest
	}
	t := b.inline(lines, p.bold)
	p.html, p.text = t.html, t.text
	if leader(&lines[0]) {
		p.html, p.text = leaderDots.ReplaceAllString(p.html, " "), leaderDots.ReplaceAllString(p.text, " ")
		p.kind, p.marker = "list", ""
	}
	if p.text == "" {
		return
	}
	p.open = !endsSentence(p.text) && p.words > 3 && right-lines[len(lines)-1].box.X1 < 4*p.size
	p.flush = justified(lines)
	b.out = append(b.out, p)
}

// justified reports whether all lines end at one edge, the last one too, as those of a paragraph do that goes on.
func justified(lines []line) bool {
	box := hull(lines)
	return len(lines) > 1 && !slices.ContainsFunc(lines, func(l line) bool { return box.X1-l.box.X1 > 0.1*l.size })
}

// restOf reports whether text may be the rest of a paragraph before it, of another column or page: of its sentence, or of
// its lines.
func restOf(last, first *block) bool {
	if last.whole > 0 && first.whole > 0 {
		return last.whole == first.whole
	}
	if last.open && continuesText(first.text) {
		return true
	}
	return last.flush && last.kind == first.kind && !first.bold && math.Abs(first.indent-first.box.X0) < 0.5*first.size &&
		first.box.Width() < last.box.Width()+first.size
}

// goesOn joins a block to the one before it, of another column or page, if it is the rest of its sentence.
func (h *hyphens) goesOn(last, first *block) bool {
	if last.kind == "table" && first.kind == "table" {
		return tableGoesOn(last, first)
	}
	if !restOf(last, first) || last.kind != "text" && last.kind != "list" || last.level > 0 || first.kind != "text" || first.level > 0 ||
		math.Abs(last.size-first.size) > 0.1*last.size {
		return false
	}
	cut, space := h.joins(last.html, first.text)
	last.html, last.text = last.html[:len(last.html)-cut], last.text[:max(0, len(last.text)-cut)]
	if space {
		last.html, last.text = last.html+" ", last.text+" "
	}
	last.html, last.text, last.open = last.html+first.html, last.text+first.text, first.open
	last.flush = first.flush
	last.lines, last.words, last.bold = last.lines+first.lines, last.words+first.words, last.bold && first.bold
	return true
}

// levelOf is the heading that all words of lines are marked as, 0 if they aren't.
func levelOf(t *reader.Tags, page reader.Ref, lines []line) int {
	level := 0
	for i := range lines {
		for j := range lines[i].words {
			n := t.Levels[reader.MarkedPlace{Page: page, Mark: lines[i].words[j].mark}]
			if n == 0 || level > 0 && n != level {
				return 0
			}
			level = n
		}
	}
	return level
}
