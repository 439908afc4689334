package pdf

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// block is a part of a page as it was found. Whether text is a heading is settled when all pages are read.
type block struct {
	kind    string // "text", "list", "code", "table", "figure", "header", "footer", "number"
	html    string // inline markup, or the whole of a table
	text    string
	box     reader.Rect // of the page as shown, in points
	size    float64
	bold    bool
	lines   int
	marker  string // of a list item
	indent  float64
	level   int             // of a heading, if the file says it
	whole   int             // the paragraph of the file's structure that it is of; 0 if the file says none
	picture *reader.Picture // of a figure
	src     string          // the address that it is kept at; "" if it isn't
	open    bool            // text that may go on in the next block: it ends without an end of a sentence
	flush   bool            // all its lines fill their column, the last one too: text that may go on though its sentence has ended
	ocr     float64
	words   int
	table   *tableShape // nil for what is none
	columnPlace
}

// builder makes blocks of a page's lines.
type builder struct {
	out    []block
	dir    int
	body   float64 // size of the document's text
	tags   *reader.Tags
	page   reader.Ref
	number int // of the region
	whole  int // the paragraph of the file's structure that blocks are made of; 0 for none
	hyphens
}

func (b *builder) regions(all [][]line) {
	for i, lines := range all {
		b.number = i + 1
		b.region(lines)
	}
	b.number = 0
}

// region makes blocks of one region. Its first may be the rest of the last one's sentence.
func (b *builder) region(lines []line) {
	start := len(b.out)
	b.lines(lines, hull(lines))
	if start > 0 && start < len(b.out) && b.goesOn(&b.out[start-1], &b.out[start]) {
		b.out = slices.Delete(b.out, start, start+1)
		start--
	}
	for i := range b.out[start:] {
		b.out[start+i].region = b.number
	}
}

// lines makes tables and pictures of the lines that stand for some, and paragraphs of those between them.
func (b *builder) lines(lines []line, column reader.Rect) {
	start := 0
	for i := range lines {
		if lines[i].table == nil && lines[i].image == nil {
			continue
		}
		b.paragraphs(lines[start:i], column.X0, column.X1)
		if lines[i].table != nil {
			b.table(lines[i].table)
		} else {
			b.figure(lines[i])
		}
		start = i + 1
	}
	b.paragraphs(lines[start:], column.X0, column.X1)
}

// contents makes a list of a table of contents whose page numbers were taken for a column. It answers false for
// other tables.
func (b *builder) contents(g *grid) bool {
	dotted := 0
	for _, row := range g.rows {
		if len(row) != 2 || len(row[0].lines) == 0 || len(row[1].lines) > 1 {
			return false
		}
		dotted += bit(strings.HasSuffix(row[0].lines[len(row[0].lines)-1].text(), "..."))
	}
	if dotted*2 < len(g.rows) && !ascending(g.rows) {
		return false
	}
	for _, row := range g.rows {
		lines := append(slices.Clone(row[0].lines), row[1].lines...)
		t := b.inline(lines, true)
		box := hull(lines)
		b.out = append(b.out, block{
			kind: "list", html: leaderDots.ReplaceAllString(t.html, " "), text: leaderDots.ReplaceAllString(t.text, " "),
			box: turnBack(b.dir, box), size: lines[0].size, lines: 1, indent: box.X0, words: len(strings.Fields(t.text)),
		})
	}
	return true
}

// ascending reports whether the second column counts up, as pages do.
func ascending(rows [][]cell) bool {
	last := -1
	for _, row := range rows {
		if len(row[1].lines) == 0 {
			return false
		}
		n, err := strconv.Atoi(strings.TrimSpace(row[1].lines[0].text()))
		if err != nil || n < last {
			return false
		}
		last = n
	}
	return len(rows) > 2
}

func (b *builder) table(g *grid) {
	if b.contents(g) {
		return
	}
	t := b.tableHTML(g)
	b.out = append(b.out, block{kind: "table", html: t.html, text: t.text, box: turnBack(b.dir, g.box), lines: len(g.rows), words: len(strings.Fields(t.text)), table: g.shape(t.text)})
}

func (b *builder) figure(l line) {
	b.out = append(b.out, block{kind: "figure", text: l.image.Alt, html: escape(l.image.Alt), box: turnBack(b.dir, l.box), picture: l.image})
}

// codeRun is how many lines from the first on are set in a typewriter face; 0 if that is none, or usual.
func (b *builder) codeRun(lines []line) int {
	if b.typed {
		return 0
	}
	n := 0
	for n < len(lines) && mono(&lines[n]) && (n == 0 || lines[n].base-lines[n-1].base < 3*lines[n].size) {
		n++
	}
	if n == 1 && len(lines[0].words) < 2 {
		return 0
	}
	return n
}

func mono(l *line) bool {
	return !slices.ContainsFunc(l.words, func(w word) bool { return w.face == nil || !w.face.Mono })
}

// code keeps the lines and their indentation.
func (b *builder) code(lines []line) {
	box := hull(lines)
	var text strings.Builder
	for i, l := range lines {
		if i > 0 {
			text.WriteByte('\n')
			if l.base-lines[i-1].base > 1.9*l.size {
				text.WriteByte('\n')
			}
		}
		x := box.X0
		for _, w := range l.words {
			advance := (w.x1 - w.x0) / float64(max(1, utf8.RuneCountInString(w.text)))
			if gap := w.x0 - x; advance > 0 && gap > 0.4*advance {
				text.WriteString(strings.Repeat(" ", min(200, max(1, int(math.Round(gap/advance))))))
			}
			text.WriteString(w.text)
			x = w.x1
		}
	}
	s := text.String()
	b.out = append(b.out, block{kind: "code", html: escape(s), text: s, box: turnBack(b.dir, box), size: lines[0].size, lines: len(lines), words: len(strings.Fields(s))})
}
