package office

import (
	"html"
	"strings"
	"unicode"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// addMath writes an equation of Office Math (ECMA-376 part 1, 22.1) as MathML.
func addMath(p *flow.Inline, n *xmltree.Node) {
	if n.Name == "m:oMathPara" {
		for _, k := range n.Kids {
			if k.Name == "m:oMath" {
				mathElement(p, k, ` display="block"`)
			}
		}
		return
	}
	mathElement(p, n, "")
}

func mathElement(p *flow.Inline, n *xmltree.Node, attr string) {
	var m mathWriter
	m.row(n)
	if text := m.plain.String(); strings.TrimSpace(text) != "" {
		p.Markup("<math"+attr+"><mrow>"+m.b.String()+"</mrow></math>", text)
	}
}

// mathWriter writes MathML, and beside it the signs alone.
type mathWriter struct{ b, plain strings.Builder }

func (m *mathWriter) row(n *xmltree.Node) {
	if n == nil {
		return
	}
	for _, k := range n.Kids {
		m.part(k)
	}
}

// element writes an element whose children are rows.
func (m *mathWriter) element(name string, rows ...*xmltree.Node) {
	m.b.WriteString("<" + name + ">")
	for _, r := range rows {
		m.group(r)
	}
	m.b.WriteString("</" + name + ">")
}

func (m *mathWriter) group(n *xmltree.Node) {
	var sub mathWriter
	sub.row(n)
	inner := sub.b.String()
	if strings.Count(inner, "</") != 1 { // one sign needs no row
		inner = "<mrow>" + inner + "</mrow>"
	}
	m.b.WriteString(inner)
	m.plain.WriteString(sub.plain.String())
}

// mathForms are the constructs that have a counterpart in MathML with the same parts: its name and the parts in order.
var mathForms = map[string]struct {
	element string
	parts   []string
}{
	"m:f":       {"mfrac", []string{"m:num", "m:den"}},
	"m:sSup":    {"msup", []string{"m:e", "m:sup"}},
	"m:sSub":    {"msub", []string{"m:e", "m:sub"}},
	"m:sSubSup": {"msubsup", []string{"m:e", "m:sub", "m:sup"}},
	"m:limLow":  {"munder", []string{"m:e", "m:lim"}},
	"m:limUpp":  {"mover", []string{"m:e", "m:lim"}},
}

func (m *mathWriter) part(n *xmltree.Node) {
	if form, ok := mathForms[n.Name]; ok {
		parts := make([]*xmltree.Node, len(form.parts))
		for i, name := range form.parts {
			parts[i] = n.Find(name)
		}
		m.element(form.element, parts...)
		return
	}
	switch n.Name {
	case "m:r":
		m.run(n)
	case "m:rad":
		m.radical(n)
	case "m:nary":
		m.nary(n)
	case "m:d":
		m.delimited(n)
	case "m:acc":
		m.over(n, "mover", n.Find("m:accPr", "m:chr").Attr("val"), "\u0302")
	case "m:bar":
		m.bar(n)
	case "m:m":
		m.matrix(n, "m:mr")
	case "m:eqArr":
		m.matrix(n, "m:e")
	case "w:del", "w:moveFrom": // tracked changes count as accepted
	default:
		if !strings.HasSuffix(n.Name, "Pr") { // properties
			m.row(n)
		}
	}
}

// run writes text: numbers, signs, and letters, each of which is a name unless the run is upright.
func (m *mathWriter) run(n *xmltree.Node) {
	var text string
	n.All(func(t *xmltree.Node) { text += t.Content() }, "m:t", "w:t")
	props := n.Find("m:rPr")
	upright := props.Find("m:sty").Attr("val") == "p"
	if props.Find("m:nor") != nil {
		m.token("mtext", text)
		return
	}
	for text != "" {
		name, size := mathToken(text, upright)
		m.token(name, text[:size])
		text = text[size:]
	}
}

// mathToken is the kind and length of the first token of a text.
func mathToken(text string, whole bool) (name string, size int) {
	kind := ""
	for i, r := range text {
		next := "mo"
		switch {
		case unicode.IsDigit(r), r == '.' && kind == "mn":
			next = "mn"
		case unicode.IsLetter(r):
			next = "mi"
		}
		single := kind == "mo" || kind == "mi" && !whole
		if i > 0 && (next != kind || single) {
			return kind, i
		}
		kind = next
	}
	return kind, len(text)
}

func (m *mathWriter) token(name, text string) {
	m.plain.WriteString(text)
	if text = strings.TrimSpace(text); text != "" || name == "mtext" {
		m.b.WriteString("<" + name + ">" + html.EscapeString(text) + "</" + name + ">")
	}
}

func (m *mathWriter) radical(n *xmltree.Node) {
	m.plain.WriteString("√")
	if degree := n.Find("m:deg"); degree != nil && clean(degree.Content()) != "" {
		m.element("mroot", n.Find("m:e"), degree)
		return
	}
	m.element("msqrt", n.Find("m:e"))
}

// nary writes a sum, product or integral with its bounds.
func (m *mathWriter) nary(n *xmltree.Node) {
	sign := n.Find("m:naryPr", "m:chr").Attr("val")
	if sign == "" {
		sign = "∫"
	}
	m.b.WriteString("<munderover>")
	m.token("mo", sign)
	m.group(n.Find("m:sub"))
	m.group(n.Find("m:sup"))
	m.b.WriteString("</munderover>")
	m.group(n.Find("m:e"))
}

// delimited writes what stands between brackets.
func (m *mathWriter) delimited(n *xmltree.Node) {
	sign := func(name, usual string) string {
		if v, ok := n.Find("m:dPr", name).Lookup("val"); ok {
			return v
		}
		return usual
	}
	m.b.WriteString("<mrow>")
	m.token("mo", sign("m:begChr", "("))
	first := true
	for _, k := range n.Kids {
		if k.Name != "m:e" {
			continue
		}
		if !first {
			m.token("mo", sign("m:sepChr", "|"))
		}
		first = false
		m.group(k)
	}
	m.token("mo", sign("m:endChr", ")"))
	m.b.WriteString("</mrow>")
}

func (m *mathWriter) over(n *xmltree.Node, element, sign, usual string) {
	if sign == "" {
		sign = usual
	}
	m.b.WriteString("<" + element + ">")
	m.group(n.Find("m:e"))
	m.token("mo", sign)
	m.b.WriteString("</" + element + ">")
}

func (m *mathWriter) bar(n *xmltree.Node) {
	if n.Find("m:barPr", "m:pos").Attr("val") == "top" {
		m.over(n, "mover", "¯", "")
		return
	}
	m.over(n, "munder", "_", "")
}

// matrix writes rows; those of a column of equations have one cell.
func (m *mathWriter) matrix(n *xmltree.Node, row string) {
	m.b.WriteString("<mtable>")
	for _, k := range n.Kids {
		if k.Name != row {
			continue
		}
		m.b.WriteString("<mtr>")
		if row == "m:e" {
			m.element("mtd", k)
		} else {
			for _, e := range k.Kids {
				if e.Name == "m:e" {
					m.element("mtd", e)
				}
			}
		}
		m.b.WriteString("</mtr>")
	}
	m.b.WriteString("</mtable>")
}

// writeMathML writes MathML again, without its attributes but those that carry meaning, and without annotations.
func writeMathML(b *strings.Builder, n *xmltree.Node) {
	name := strings.TrimPrefix(n.Name, "mathml:")
	switch {
	case n.Name == "":
		b.WriteString(html.EscapeString(n.Text))
		return
	case strings.HasPrefix(name, "annotation"):
		return
	}
	keep := flow.IsMath(name) && name != n.Name
	if keep {
		b.WriteString("<" + name)
		for _, attr := range []string{"display", "mathvariant"} {
			if v := n.Attr(attr); v != "" {
				b.WriteString(" " + attr + `="` + html.EscapeString(v) + `"`)
			}
		}
		b.WriteString(">")
	}
	for _, k := range n.Kids {
		writeMathML(b, k)
	}
	if keep {
		b.WriteString("</" + name + ">")
	}
}

func orEmpty(n *xmltree.Node) *xmltree.Node {
	if n == nil {
		return &xmltree.Node{}
	}
	return n
}
