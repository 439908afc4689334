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
	counts map[string]int // by place and text
	pages  int
}

var digits = regexp.MustCompile(`[0-9]+`)

// pageNumber is a number by itself, "Page 3 of 10", "- 3 -", "iv".
var pageNumber = regexp.MustCompile(`(?i)^[-–—|\s]*(?:(?:page|seite|p\.|página|pagina)\s*)?([0-9]{1,5}|[ivxlc]{1,7})(?:\s*(?:/|of|von|de|di|sur)\s*[0-9]{1,5})?[-–—|\s]*$`)

// signature is a line at an edge without its numbers.
func signature(l *line, h float64) string {
	text := l.text()
	if pageNumber.MatchString(text) {
		text = "#"
	}
	text = digits.ReplaceAllString(strings.ToLower(text), "#")
	return strconv.Itoa(int(math.Round(l.base/h*120))) + " " + text
}

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

// learn counts the lines at the edges of a page.
func (f *furniture) learn(lines []line, h float64) {
	f.pages++
	edges(rowsOf(lines), h, func(row []line, _ bool) bool {
		for i := range row {
			if len(f.counts) < 1<<16 {
				f.counts[signature(&row[i], h)]++
			}
		}
		return true
	})
}

// repeated reports whether a line stands on several pages.
func (f *furniture) repeated(l *line, h float64) bool {
	text := signature(l, h)
	at, rest, _ := strings.Cut(text, " ")
	y, _ := strconv.Atoi(at)
	n := 0
	for d := -1; d <= 1; d++ {
		n += f.counts[strconv.Itoa(y+d)+" "+rest]
	}
	return n >= 3 || n == 2 && f.pages <= 4
}

// split parts a page's lines into content and furniture. A row is furniture if a part of it repeats, all of it is
// marked as an artifact, or it is the page's number and stands apart.
func (f *furniture) split(lines []line, h float64, number int) (content []line, out []block) {
	drop := map[float64]string{}
	rows := rowsOf(lines)
	edges(rows, h, func(row []line, top bool) bool {
		kind := f.kind(row, h, number, top, apart(rows, row, top))
		if kind == "" {
			return false
		}
		for i := range row {
			drop[row[i].base] = kind
		}
		return true
	})
	if len(drop) == 0 {
		return lines, nil
	}
	for _, l := range lines {
		kind, furniture := drop[l.base]
		if !furniture || l.table != nil || l.image != nil {
			content = append(content, l)
			continue
		}
		out = append(out, block{kind: kind, text: l.text(), box: l.box, size: l.size, lines: 1})
	}
	return content, out
}

func (f *furniture) kind(row []line, h float64, number int, top, apart bool) string {
	kind := "footer"
	if top {
		kind = "header"
	}
	whole := merge(slices.Clone(row))
	text := whole.text()
	repeated := slices.ContainsFunc(row, func(l line) bool { return f.repeated(&l, h) })
	if m := pageNumber.FindStringSubmatch(text); m != nil {
		if repeated || apart && m[1] == strconv.Itoa(number) {
			return "number"
		}
		return ""
	}
	artifact := !slices.ContainsFunc(whole.words, func(w word) bool { return !w.artifact })
	if artifact || repeated && (apart || allRepeated(f, row, h)) {
		return kind
	}
	return ""
}

func allRepeated(f *furniture, row []line, h float64) bool {
	return !slices.ContainsFunc(row, func(l line) bool { return !f.repeated(&l, h) })
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
