package office

import (
	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// maxPoints bounds the points of a series and the series of a chart that are written.
const maxPoints = 1000

// chart writes the values of a chart, which the file holds as they were last shown: one row a category, one column a series.
func (o *opc) chart(out *flow.Flow, part string) error {
	root, err := o.tree(part)
	if err != nil {
		return err
	}
	c := readChart(root)
	if len(c.series) == 0 {
		return nil
	}
	t := flow.Table{Caption: c.title, Rows: [][]flow.Cell{{{Head: true}}}}
	for _, ser := range c.series {
		t.Rows[0] = append(t.Rows[0], textCell(ser.name, true))
	}
	for i := range c.points() {
		row := []flow.Cell{textCell(c.categories[i], false)}
		for _, ser := range c.series {
			row = append(row, textCell(ser.values[i], false))
		}
		t.Rows = append(t.Rows, row)
	}
	out.Table(&t)
	return nil
}

// diagram writes the texts of a SmartArt diagram as a list.
func (o *opc) diagram(out *flow.Flow, part string) error {
	root, err := o.tree(part)
	if err != nil {
		return err
	}
	s := &slide{opc: o}
	orEmpty(root.Find("dgm:ptLst")).All(func(body *xmltree.Node) {
		p := &flow.Inline{}
		for _, k := range body.Kids {
			if k.Name == "a:p" {
				s.text(k, p)
			}
		}
		out.Item(flow.Item{List: part}, p)
	}, "dgm:t")
	return nil
}

func textCell(text string, head bool) flow.Cell {
	p := &flow.Inline{}
	p.Text(text, flow.Style{})
	return flow.Cell{Head: head, Inline: p}
}

type chart struct {
	title      string
	categories map[int]string
	series     []chartSeries
}

type chartSeries struct {
	name   string
	values map[int]string
}

func readChart(root *xmltree.Node) chart {
	c := chart{categories: map[int]string{}}
	n := root.Find("c:chart")
	orEmpty(n.Find("c:title")).All(func(t *xmltree.Node) { c.title += t.Content() }, "a:t")
	n.All(func(ser *xmltree.Node) {
		if len(c.series) >= maxPoints/10 {
			return
		}
		name := points(ser.Find("c:tx"))[0]
		c.series = append(c.series, chartSeries{name, points(firstOf(ser, "c:val", "c:yVal"))})
		for i, text := range points(firstOf(ser, "c:cat", "c:xVal")) {
			c.categories[i] = text
		}
	}, "c:ser")
	return c
}

func firstOf(n *xmltree.Node, names ...string) *xmltree.Node {
	for _, name := range names {
		if k := n.Find(name); k != nil {
			return k
		}
	}
	return nil
}

// points are the cached values below n by their index.
func points(n *xmltree.Node) map[int]string {
	out := map[int]string{}
	n.All(func(pt *xmltree.Node) {
		if i := atoi(pt.Attr("idx")); i >= 0 && i < maxPoints {
			out[i] = clean(pt.Find("c:v").Content())
		}
	}, "c:pt")
	return out
}

// points is one more than the highest index of a value.
func (c chart) points() int {
	n := 0
	for _, ser := range c.series {
		for i := range ser.values {
			n = max(n, i+1)
		}
	}
	return n
}
