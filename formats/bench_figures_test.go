package formats

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/content/sample"
)

// figures say how well a converter finds main content on the pages of a sample.
type figures struct {
	all           mean
	types         map[string]mean
	low           share // pages with an F1 under 0.5
	with, without share // snippets that the Markdown has
	structure     map[string]share
	speed, memory float64 // pages a second and MB allocated a page
}

// mean adds up the scores of pages.
type mean struct {
	pages                 int
	precision, recall, f1 float64
}

func (m mean) plus(precision, recall, f1 float64) mean {
	return mean{m.pages + 1, m.precision + precision, m.recall + recall, m.f1 + f1}
}

func (m mean) of(sum float64) float64 { return sum / float64(max(m.pages, 1)) }

// figuresOf measures the Markdown that a converter has made of pages.
func figuresOf(pages []sample.Page, markdown []string) (*figures, error) {
	f := &figures{types: map[string]mean{}, structure: map[string]share{}}
	for i, p := range pages {
		if err := f.add(p, markdown[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", p.ID, err)
		}
	}
	return f, nil
}

func (f *figures) add(p sample.Page, markdown string) error {
	out, err := shownMarkdown(markdown)
	if err != nil {
		return err
	}
	page, err := html.Parse(bytes.NewReader(p.HTML))
	if err != nil {
		return err
	}
	text := textOfBlocks(out)
	precision, recall, f1 := sample.Score(text, p.Reference)
	f.all, f.types[p.Type] = f.all.plus(precision, recall, f1), f.types[p.Type].plus(precision, recall, f1)
	f.low = f.low.plus(oneIf(f1 < 0.5))
	f.with, f.without = f.with.plus(snippetsIn(text, p.With)), f.without.plus(snippetsIn(text, p.Without))
	for kind, kept := range structureKept(page, out, p.Reference) {
		f.structure[kind] = f.structure[kind].plus(kept)
	}
	return nil
}

// macro is the mean of the page types' F1, in which each type weighs alike.
func (f *figures) macro() float64 {
	sum := 0.
	for _, m := range f.types {
		sum += m.of(m.f1)
	}
	return sum / float64(max(len(f.types), 1))
}

// column is what the table says of one converter.
type column struct {
	name string
	*figures
}

// writeTable writes the figures of converters on the same pages as a Markdown table.
func writeTable(w io.Writer, name string, columns []column) error {
	var b strings.Builder
	first := columns[0]
	fmt.Fprintf(&b, "\n| %s, %d pages |", name, first.all.pages)
	for _, c := range columns {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", len(columns)))
	for i, row := range first.rows() {
		fmt.Fprintf(&b, "| %s |", row[0])
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", c.rows()[i][1])
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// rows are the names of the figures and the figures. The names are the same for all converters of the same pages.
func (f *figures) rows() [][2]string {
	rows := [][2]string{
		{"F1 of words (precision, recall)", f.all.String()},
		{"mean of the types' F1", fmt.Sprintf("%.3f", f.macro())},
	}
	for _, kind := range slices.Sorted(maps.Keys(f.types)) {
		rows = append(rows, [2]string{fmt.Sprintf("%s, %d pages", kind, f.types[kind].pages), f.types[kind].String()})
	}
	rows = append(rows, [][2]string{
		{"pages with an F1 under 0.5", fmt.Sprintf("%.1f %%", 100*f.low.value())},
		{fmt.Sprintf("kept of %d snippets that must be there", f.with.of), f.with.String()},
		{fmt.Sprintf("kept of %d snippets that must not", f.without.of), f.without.String()},
	}...)
	for _, s := range structures {
		rows = append(rows, [2]string{fmt.Sprintf("kept of %d %s", f.structure[s.name].of, s.name), f.structure[s.name].String()})
	}
	return append(rows, [2]string{"pages a second", fmt.Sprintf("%.0f", f.speed)}, [2]string{"MB allocated a page", fmt.Sprintf("%.1f", f.memory)})
}

func (m mean) String() string {
	return fmt.Sprintf("%.3f (%.3f, %.3f)", m.of(m.f1), m.of(m.precision), m.of(m.recall))
}

func (s share) String() string {
	if s.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", s.value())
}
