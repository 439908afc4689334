package pdf

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Furniture is what repeats at the edges of pages: running headers, footers, page numbers.
const (
	edgeZone = 0.2 // of a page's height
	edgeRows = 3
)

// furniture remembers the lines at the edges of pages.
type furniture struct {
	seen  map[string][]int // by words and size: the pages
	pages int
}

// maxSeen bounds the lines that are remembered.
const maxSeen = 1 << 16

var number = regexp.MustCompile(`[0-9]+`)

// pageNumber is a number by itself, "Page 3 of 10", "- 3 -", "iv".
var pageNumber = regexp.MustCompile(`(?i)^[-–—|\s]*(?:(?:page|seite|p\.|página|pagina)\s*)?([0-9]{1,5}|[ivxlc]{1,7})(?:\s*(?:/|of|von|de|di|sur)\s*[0-9]{1,5})?[-–—|\s]*$`)

// signatures are what a line is known by on other pages: its words and size, also with the number that counts
// the pages left out.
func signatures(l *line, page int) []string {
	text := strings.ToLower(l.text())
	size := " " + strconv.Itoa(int(math.Round(l.size*2)))
	if pageNumber.MatchString(text) {
		return []string{"#" + size}
	}
	out := []string{text + size}
	for _, at := range number.FindAllStringIndex(text, maxPageNumbers) {
		n, err := strconv.Atoi(text[at[0]:at[1]])
		if off := n - page; err == nil && off >= -maxFrontMatter && off <= maxFrontMatter {
			out = append(out, text[:at[0]]+"#"+strconv.Itoa(off)+text[at[1]:]+size)
		}
	}
	return out
}

// maxFrontMatter is how far a page's number may be from its place in the file, maxPageNumbers how many numbers of
// a line may be it.
const (
	maxFrontMatter = 40
	maxPageNumbers = 4
)

// height is a line's place on a page of height h, in steps that are near enough to be the same.
func height(l *line, h float64) int { return int(math.Round(l.base / h * 120)) }

func seenAt(signature string, height int) string { return strconv.Itoa(height) + " " + signature }

// edges visits the rows at the top and the bottom of a page, from the outside in, until visit answers false.
func edges(rows [][]line, h float64, visit func(row []line, top bool) bool) {
	for i := range min(edgeRows, len(rows)) {
		if hull(rows[i]).Y1 > edgeZone*h || !visit(rows[i], true) {
			break
		}
	}
	for i := range min(edgeRows, len(rows)) {
		row := rows[len(rows)-1-i]
		if hull(row).Y0 < (1-edgeZone)*h || !visit(row, false) {
			break
		}
	}
}

// learn remembers the lines at the edges of a page.
func (f *furniture) learn(lines []line, h float64, page int) {
	f.pages++
	edges(rowsOf(lines), h, func(row []line, _ bool) bool {
		for i := range row {
			for _, text := range signatures(&row[i], page) {
				key := seenAt(text, height(&row[i], h))
				if pages := f.seen[key]; len(pages) > 0 && pages[len(pages)-1] != page || len(f.seen) < maxSeen {
					f.seen[key] = append(pages, page)
				}
			}
		}
		return true
	})
}

// repeated reports whether a line stands on most pages, with the same words in the same size at the same place. What
// is no larger than the text may also stand on most of the pages around it, as a chapter's title does.
func (f *furniture) repeated(l *line, h float64, page int, body float64) bool {
	large := l.size > 1.12*body || bold(l) && l.size > 0.98*body
	for i, text := range signatures(l, page) {
		if large && i > 0 {
			break // "Step 2" on the page after "Step 1" is a heading
		}
		all, around := map[int]bool{}, 0
		for d := -1; d <= 1; d++ {
			for _, p := range f.seen[seenAt(text, height(l, h)+d)] {
				if !all[p] {
					around += bit(p >= page-4 && p <= page+4)
				}
				all[p] = true
			}
		}
		if n := len(all); n >= 3 && n*5 >= f.pages*3 || n == 2 && f.pages <= 3 || !large && around >= 3 {
			return true
		}
	}
	return false
}

// take moves a page's furniture from its words into blocks. A row is furniture if a part of it repeats, all of it is
// marked as an artifact, or it is the page's number and stands apart. What is tagged as a heading is none.
func (r *reading) takeFurniture(s *shown) (out []block) {
	rows := rowsOf(s.lines[0])
	gone := map[place]bool{}
	edges(rows, s.h, func(row []line, top bool) bool {
		kind := r.furnitureKind(row, s, top, apart(rows, row, top))
		if kind == "" {
			return false
		}
		for i := range row {
			if row[i].table != nil || row[i].image != nil {
				continue
			}
			for _, w := range row[i].words {
				gone[place{w.x0, w.base}] = true
			}
			out = append(out, block{kind: kind, text: row[i].text(), box: row[i].box, size: row[i].size, lines: 1})
		}
		return true
	})
	s.words[0] = slices.DeleteFunc(s.words[0], func(w word) bool { return gone[place{w.x0, w.base}] })
	return out
}

// place is where a word begins.
type place struct{ x, base float64 }

func (r *reading) furnitureKind(row []line, s *shown, top, apart bool) string {
	kind := "footer"
	if top {
		kind = "header"
	}
	whole := merge(slices.Clone(row))
	text := whole.text()
	repeats := func(l line) bool { return r.edge.repeated(&l, s.h, s.number, r.bodySize()) }
	repeated := slices.ContainsFunc(row, repeats)
	if levelOf(&r.tags, s.leaf.Ref, row) > 0 {
		return ""
	}
	if m := pageNumber.FindStringSubmatch(text); m != nil {
		if repeated || apart && m[1] == strconv.Itoa(s.number) {
			return "number"
		}
		return ""
	}
	artifact := len(whole.words) > 0 && !slices.ContainsFunc(whole.words, func(w word) bool { return !w.artifact })
	if artifact || repeated && (apart || !slices.ContainsFunc(row, func(l line) bool { return !repeats(l) })) {
		return kind
	}
	return ""
}

// apart reports whether a row stands off from its inner neighbor by more than lines of text do.
func apart(rows [][]line, row []line, top bool) bool {
	i := slices.IndexFunc(rows, func(r []line) bool { return r[0].base == row[0].base })
	next := i + 1
	if !top {
		next = i - 1
	}
	if next < 0 || next >= len(rows) {
		return len(rows) > 1
	}
	return math.Abs(rows[next][0].base-row[0].base) > 1.6*max(row[0].size, rows[next][0].size)
}
