package office

import (
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// maxGap bounds the blank rows between two that hold something; more are cut.
const maxGap = 100

// grid is the cells of one sheet, as rows of texts.
type grid struct {
	rows       [][]string // nil where they are written as they are read
	first      []string   // row that holds something
	top, left  int        // first row and column that hold something
	bottom     int        // one beyond the last ones
	right      int
	spans      map[[2]int][2]int // row and column → rows and columns covered
	covered    map[[2]int]bool
	links      map[[2]int]string
	stillCover int // cells that merges may still cover, together
}

// newGrid finds the rectangle that is in use.
func newGrid(rows [][]string) *grid {
	g := &grid{rows: rows, top: -1, left: -1, spans: map[[2]int][2]int{}, covered: map[[2]int]bool{},
		links: map[[2]int]string{}, stillCover: 1_000_000}
	for r, row := range rows {
		g.measure(r, row)
	}
	return g
}

// measure takes a row into the rectangle.
func (g *grid) measure(r int, row []string) {
	for c, text := range row {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if g.top < 0 {
			g.top, g.first = r, slices.Clone(row)
		}
		if g.left < 0 || c < g.left {
			g.left = c
		}
		g.bottom, g.right = r+1, max(g.right, c+1)
	}
}

func (g *grid) empty() bool { return g.top < 0 }

// mergeAt lets the cell at r, c cover rows and columns, as far as they are in use.
func (g *grid) mergeAt(r, c, rows, cols int) {
	rows, cols = min(r+rows, g.bottom)-r, min(c+cols, g.right)-c
	if r < g.top || c < g.left || rows < 1 || cols < 1 || rows*cols < 2 || rows*cols > g.stillCover {
		return
	}
	g.stillCover -= rows * cols
	g.spans[[2]int{r, c}] = [2]int{rows, cols}
	for i := range rows {
		for k := range cols {
			g.covered[[2]int{r + i, c + k}] = i+k > 0
		}
	}
}

// write writes the rectangle as a table.
func (g *grid) write(out *flow.Flow) {
	out.BeginTable("")
	w := gridWriter{grid: g, out: out, head: g.headed()}
	for r := g.top; r < g.bottom && !out.Full(); r++ {
		w.row(r, g.rows[r])
	}
	out.EndTable()
}

// gridWriter writes a grid row by row.
type gridWriter struct {
	*grid
	out   *flow.Flow
	head  bool
	cells []flow.Cell
}

func (w *gridWriter) row(r int, row []string) {
	w.cells = w.cells[:0]
	for c := w.left; c < w.right; c++ {
		at := [2]int{r, c}
		if w.covered[at] {
			continue
		}
		span := w.spans[at]
		w.cells = append(w.cells, flow.Cell{Head: w.head && r == w.top, RowSpan: span[0], ColSpan: span[1], Inline: w.inline(at, textAt(row, c))})
	}
	w.out.Row(w.cells, r == w.top)
}

func (g *grid) inline(at [2]int, text string) *flow.Inline {
	if text == "" {
		return nil
	}
	p := &flow.Inline{}
	p.Text(strings.ReplaceAll(text, "\r\n", "\n"), flow.Style{Href: g.links[at]})
	return p
}

func textAt(row []string, c int) string {
	if c < len(row) {
		return strings.TrimSpace(row[c])
	}
	return ""
}

// headed reports a first row of names: all filled, none a number.
func (g *grid) headed() bool {
	if g.bottom-g.top < 2 {
		return false
	}
	for c := g.left; c < g.right; c++ {
		text := textAt(g.first, c)
		if _, err := strconv.ParseFloat(text, 64); text == "" && !g.covered[[2]int{g.top, c}] || text != "" && err == nil {
			return false
		}
	}
	return true
}
