package pdf

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// passage is what a page shows of a part of its structure: the words in the order that the file has them in.
type passage struct {
	reader.Part
	words   []markedWord
	objects []line
}

// markedWord is a word with the place of its mark in the file's order.
type markedWord struct {
	word
	order int
}

// Marks that are no paragraphs in reading order, in parts of what could be so. The order of a page goes up again at the top of
// each column, and rarely elsewhere.
const (
	maxMixed  = 0.02 // neighboring words of a line that are of two parts
	maxBroken = 0.3  // parts that go on in the middle of a sentence: lines that were taken for paragraphs
	maxUp     = 0.4  // parts that stand above the one before
)

// passages are those of a page, by their numbers, and what is of none because the file has it as an artifact.
type passages struct {
	b        *builder
	byNumber map[int]*passage
	rest     region
}

// passages are those of a region, in order. It answers false where the file has not marked all of it, or marked it in a way that does not
// fit what the page shows.
func (b *builder) passages(all region) (in []passage, rest region, ok bool) {
	p := passages{b: b, byNumber: map[int]*passage{}}
	if !p.take(all) {
		return nil, region{}, false
	}
	in = p.inOrder()
	return in, p.rest, len(in) > 0 && b.sound(all.words, in)
}

// take answers false at something that has no mark.
func (p *passages) take(all region) bool {
	for _, w := range all.words {
		if to := p.at(w.mark); to != nil {
			to.words = append(to.words, markedWord{w, p.b.partOf(w.mark).Order})
		} else if w.artifact {
			p.rest.words = append(p.rest.words, w)
		} else {
			return false
		}
	}
	for _, o := range all.objects {
		to := p.at(markOf(&o))
		if to == nil && o.image != nil {
			p.rest.objects = append(p.rest.objects, o) // one that only its looks make content
			continue
		}
		if to == nil {
			return false
		}
		to.objects = append(to.objects, o)
	}
	return true
}

// at is the passage of a mark, nil where the structure has none.
func (p *passages) at(mark int32) *passage {
	of := p.b.partOf(mark)
	if mark < 0 || of.Number == 0 {
		return nil
	}
	if p.byNumber[of.Number] == nil {
		p.byNumber[of.Number] = &passage{Part: of}
	}
	return p.byNumber[of.Number]
}

func (p *passages) inOrder() (out []passage) {
	for _, number := range slices.Sorted(maps.Keys(p.byNumber)) {
		next := p.byNumber[number]
		slices.SortStableFunc(next.words, func(a, b markedWord) int { return cmp.Compare(a.order, b.order) })
		out = append(out, *next)
	}
	return out
}

func (b *builder) partOf(mark int32) reader.Part {
	return b.tags.Parts[reader.MarkedPlace{Page: b.page, Mark: mark}]
}

// markOf is the mark of a picture, or of the first word of a table.
func markOf(l *line) int32 {
	if l.image != nil {
		return l.image.Mark
	}
	for _, row := range l.table.rows {
		for w := range wordsIn(row) {
			return w.mark
		}
	}
	return -1
}

// sound reports whether parts are paragraphs in an order in which people may read them. Words of marked tables are left where what is
// marked is none.
func (b *builder) sound(words []word, parts []passage) bool {
	if slices.ContainsFunc(words, func(w word) bool { return b.tags.Cells[reader.MarkedPlace{Page: b.page, Mark: w.mark}].Table > 0 }) {
		return false
	}
	return !b.mixed(words) && !broken(parts) && !upwards(parts)
}

// mixed reports whether words of different parts stand in one line of text.
func (b *builder) mixed(words []word) bool {
	pairs, mixed := 0, 0
	for _, r := range rowsByBase(words) {
		slices.SortStableFunc(r.words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
		for i := 1; i < len(r.words); i++ {
			w, next := &r.words[i-1], &r.words[i]
			if w.artifact || next.artifact || next.x0-w.x1 > 0.5*w.size {
				continue
			}
			pairs++
			mixed += bit(b.partOf(w.mark).Number != b.partOf(next.mark).Number)
		}
	}
	return float64(mixed) > maxMixed*float64(pairs)+1
}

// broken reports whether sentences go on from one part to the next, as they do where lines were taken for paragraphs.
func broken(parts []passage) bool {
	pairs, broken := 0, 0
	for i := 1; i < len(parts); i++ {
		a, b := &parts[i-1], &parts[i]
		if len(a.words) == 0 || len(b.words) == 0 || !b.Whole {
			continue
		}
		last, first := a.words[len(a.words)-1], b.words[0]
		pairs++
		r, _ := utf8.DecodeRuneInString(first.text)
		broken += bit(last.face == first.face && !endsSentence(last.text) && unicode.IsLower(r) && !isMarker(first.text))
	}
	return float64(broken) > maxBroken*float64(pairs)+1
}

// upwards reports whether the order goes up more often than columns make it do.
func upwards(parts []passage) bool {
	pairs, up := 0, 0
	for i := 1; i < len(parts); i++ {
		a, b := &parts[i-1], &parts[i]
		pairs++
		up += bit(b.top() < a.top()-1)
	}
	return float64(up) > maxUp*float64(pairs)+2
}

func (p *passage) top() float64 {
	if len(p.words) > 0 {
		return p.words[0].top()
	}
	return p.objects[0].box.Y0
}

// follow makes blocks of a page in the order of its parts. It answers false, and makes none, where the file has no sound tags for it, or
// none for a table that was found by white space.
func (b *builder) follow(a *arranger, all region) bool {
	if len(b.tags.Parts) == 0 {
		return false
	}
	in, rest, ok := b.passages(all)
	if !ok || b.unmarkedTable(a.out, all.objects) {
		return false
	}
	for i := range in {
		b.passage(a, &in[i])
	}
	b.arranged(a, rest)
	return true
}

// unmarkedTable reports whether a table was found that the file has not marked, but that its paragraphs allow: each is in one row.
func (b *builder) unmarkedTable(found [][]line, known []line) bool {
	marked := map[*grid]bool{nil: true}
	for _, l := range known {
		marked[l.table] = true
	}
	return slices.ContainsFunc(slices.Concat(found...), func(l line) bool { return !marked[l.table] && b.inRows(l.table) })
}

func (b *builder) inRows(g *grid) bool {
	rows := map[int]int{}
	for i, row := range g.rows {
		for w := range wordsIn(row) {
			n := b.partOf(w.mark).Number
			if at, has := rows[n]; has && at != i {
				return false
			}
			rows[n] = i
		}
	}
	return true
}

func wordsIn(row []cell) iter.Seq[word] {
	return func(yield func(word) bool) {
		for _, c := range row {
			for _, l := range c.lines {
				for _, w := range l.words {
					if !yield(w) {
						return
					}
				}
			}
		}
	}
}

// passage makes blocks of a part: one of a paragraph, and what stands there of others.
func (b *builder) passage(a *arranger, p *passage) {
	if !p.Whole {
		r := region{objects: p.objects}
		for _, w := range p.words {
			r.words = append(r.words, w.word)
		}
		b.arranged(a, r)
		return
	}
	start := len(b.out)
	for _, words := range p.columns() {
		b.paragraphOf(p.Number, linesOf(words))
		if n := len(b.out); n-start > 1 && b.goesOn(&b.out[n-2], &b.out[n-1]) {
			b.out = b.out[:n-1]
		}
	}
	for _, o := range p.objects {
		b.region([]line{o})
	}
}

// arranged makes blocks of a region by white space.
func (b *builder) arranged(by *arranger, r region) {
	a := &arranger{rules: by.rules, typed: by.typed}
	a.cut(r, 0)
	b.regions(a.out)
}

// goesUp is the least that text of the next column stands above the line before it, in parts of its height: superscripts go up by less.
const goesUp = 0.7

// columns are the words of a paragraph by the columns that it stands in: where it goes on above itself, another begins.
func (p *passage) columns() (out [][]word) {
	last := 0.0
	for i, w := range p.words {
		if i == 0 || w.base < last-goesUp*max(w.size, p.words[i-1].size) {
			out = append(out, nil)
			last = w.base
		}
		n := len(out) - 1
		out[n], last = append(out[n], w.word), max(last, w.base)
	}
	return out
}

// paragraphOf makes a block of the lines of a paragraph, unless it is several by its looks.
func (b *builder) paragraphOf(number int, lines []line) {
	box := hull(lines)
	if b.several(lines) {
		b.paragraphs(lines, box.X0, box.X1)
		return
	}
	b.whole = number
	b.paragraph(lines, box.X1)
	b.whole = 0
}

// several reports whether lines are more than the paragraph that they are marked as: code, a list with line breaks, or entries of a table
// of contents.
func (b *builder) several(lines []line) bool {
	items, leaders := 0, 0
	for i := range lines {
		items, leaders = items+bit(isItem(&lines[i])), leaders+bit(leader(&lines[i]))
	}
	return items > 1 && isItem(&lines[0]) || leaders > 0 || b.codeRun(lines) == len(lines)
}
