package documenttest

import (
	"fmt"
	"strings"
)

// Score is how much of a document's structure was found. Each part is 0 to 1, or None where the document has nothing
// of the kind and nothing was found.
type Score struct {
	// Order is Kendall's tau over the headings, paragraphs and items: of all pairs, those whose order is right less
	// those whose order is wrong, by their number, and not less than 0. A block that is not there as a whole, word for
	// word, is wrong in all its pairs.
	Order float64
	// Headings is the similarity of the trees that the headings make of the text (MHS): a heading holds the text and
	// the smaller headings below it.
	Headings float64
	// Tables is the similarity of the tables as trees of rows and cells (TEDS), of those that belong together in the
	// best way that keeps their order. Tables that are missing and tables that are none count 0.
	Tables float64
}

// None is a part of a score that does not apply.
const None = -1

// Compare scores HTML that was read against HTML as it should be.
func Compare(want, got string) (Score, error) {
	w, err := Blocks(want)
	if err != nil {
		return Score{}, fmt.Errorf("want: %w", err)
	}
	g, err := Blocks(got)
	if err != nil {
		return Score{}, fmt.Errorf("got: %w", err)
	}
	return Score{Order: order(w, g), Headings: headings(w, g), Tables: tablesScore(w, g)}, nil
}

// order is None for fewer than two blocks.
func order(want, got []Block) float64 {
	text := flat(got)
	taken := map[int]bool{}
	var at []int
	for _, b := range want {
		if b.Text != "" {
			at = append(at, find(text, b.Text, taken))
		}
	}
	right, pairs := 0, 0
	for i := range at {
		for j := range i {
			pairs++
			if at[i] >= 0 && at[j] >= 0 && at[j] < at[i] {
				right++
			}
		}
	}
	if pairs == 0 {
		return None
	}
	return max(0, float64(2*right-pairs)/float64(pairs))
}

// flat is all text, where each block begins after a line break.
func flat(blocks []Block) string {
	var b strings.Builder
	for _, x := range blocks {
		b.WriteString("\n" + x.Text)
		for _, r := range x.Rows {
			for _, c := range r {
				b.WriteString("\n" + c.Text)
			}
		}
	}
	return b.String() + "\n"
}

// find is the place of a text that no other block has taken, -1 if there is none: best a block by itself, else a part
// of one.
func find(text, what string, taken map[int]bool) int {
	for _, pattern := range []string{"\n" + what + "\n", what} {
		for from := 0; ; {
			i := strings.Index(text[from:], pattern)
			if i < 0 {
				break
			}
			at := from + i
			if !taken[at] {
				taken[at] = true
				return at
			}
			from = at + 1
		}
	}
	return -1
}

// headings is None where neither has one.
func headings(want, got []Block) float64 {
	w, n := outline(want)
	g, m := outline(got)
	if n+m == 0 {
		return None
	}
	return similarity(w, g)
}

// outline is the tree of headings, and how many there are.
func outline(blocks []Block) (*node, int) {
	path, levels := []*node{{kind: "document"}}, []int{0}
	count := 0
	for _, b := range blocks {
		top := path[len(path)-1]
		switch {
		case b.Level > 0:
			count++
			for levels[len(levels)-1] >= b.Level {
				path, levels = path[:len(path)-1], levels[:len(levels)-1]
			}
			h := &node{kind: "heading", words: strings.Fields(b.Text)}
			path[len(path)-1].children = append(path[len(path)-1].children, h)
			path, levels = append(path, h), append(levels, b.Level)
		case b.Text == "":
		case len(top.children) > 0 && top.children[len(top.children)-1].kind == "text":
			last := top.children[len(top.children)-1]
			last.words = append(last.words, strings.Fields(b.Text)...)
		default:
			top.children = append(top.children, &node{kind: "text", words: strings.Fields(b.Text)})
		}
	}
	return path[0], count
}

// tablesScore is None where neither has one.
func tablesScore(want, got []Block) float64 {
	w, g := tableTrees(want), tableTrees(got)
	if len(w)+len(g) == 0 {
		return None
	}
	best := table(len(w)+1, len(g)+1)
	for i := range w {
		for j := range g {
			best[i+1][j+1] = max(best[i][j+1], best[i+1][j], best[i][j]+similarity(w[i], g[j]))
		}
	}
	return best[len(w)][len(g)] / float64(max(len(w), len(g)))
}

func tableTrees(blocks []Block) (out []*node) {
	for _, b := range blocks {
		if len(b.Rows) == 0 {
			continue
		}
		t := &node{kind: "table"}
		for _, r := range b.Rows {
			row := &node{kind: "row"}
			for _, c := range r {
				row.children = append(row.children, &node{kind: fmt.Sprintf("cell %d %d", c.Colspan, c.Rowspan), words: strings.Fields(c.Text)})
			}
			t.children = append(t.children, row)
		}
		out = append(out, t)
	}
	return out
}
