package pdf

import "testing"

func TestTableGoesOn(t *testing.T) {
	column := func(x0, x1 float64) tableColumn { return tableColumn{text: span{x0, x1}} }
	ruled := func(x0, x1 float64) tableColumn { return tableColumn{span{x0 + 2, x1 - 2}, span{x0, x1}} }
	shape := func(first string, header bool, c ...tableColumn) *tableShape {
		return &tableShape{columns: c, header: header, first: first}
	}
	for name, c := range map[string]struct {
		last, first *tableShape
		want        string
	}{
		"same columns":       {shape("A\tB", true, column(0, 20), column(40, 60)), shape("c\td", false, column(0, 30), column(45, 50)), "<table>\n1\n</tr>\n2\n</tr>\n3</table>"},
		"a repeated header":  {shape("A\tB", true, column(0, 20), column(40, 60)), shape("A\tB", true, column(0, 20), column(40, 60)), "<table>\n1\n</tr>\n3</table>"},
		"another header":     {shape("A\tB", true, column(0, 20), column(40, 60)), shape("C\tD", true, column(0, 20), column(40, 60)), ""},
		"other columns":      {shape("", false, column(0, 20), column(40, 60)), shape("", false, column(0, 20), column(70, 90)), ""},
		"more columns":       {shape("", false, column(0, 20)), shape("", false, column(0, 20), column(40, 60)), ""},
		"the same rules":     {shape("", false, ruled(0, 30), ruled(30, 60)), shape("", false, ruled(0, 30), ruled(30, 60)), "<table>\n1\n</tr>\n2\n</tr>\n3</table>"},
		"other rules":        {shape("", false, ruled(0, 30), ruled(30, 60)), shape("", false, ruled(0, 40), ruled(40, 60)), ""},
		"rules in one alone": {shape("", false, ruled(0, 30), ruled(30, 60)), shape("", false, column(0, 30), column(30, 60)), ""},
		"no table":           {shape("", false, column(0, 20)), nil, ""},
	} {
		last := block{kind: "table", html: "<table>\n1\n</tr>\n</table>", table: c.last}
		first := block{kind: "table", html: "<table>\n2\n</tr>\n3</table>", table: c.first}
		got := ""
		if tableGoesOn(&last, &first) {
			got = last.html
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
