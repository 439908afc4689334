package office

import (
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// invisible are operators without a sign: function application, times, separator, plus.
var invisible = strings.NewReplacer("\u2061", "", "\u2062", "", "\u2063", "", "\u2064", "")

// mathText writes an equation of Office Math on one line, as one would type it: (a+b)/c, x^2, √(x).
func mathText(n *xmltree.Node) string {
	var b strings.Builder
	for _, k := range n.Kids {
		mathPart(&b, k)
	}
	return b.String()
}

func mathPart(b *strings.Builder, n *xmltree.Node) {
	of := func(name string) string { return mathText(orEmpty(n.Find(name))) }
	switch n.Name {
	case "m:r", "w:r":
		n.All(func(t *xmltree.Node) { b.WriteString(invisible.Replace(t.Content())) }, "m:t", "w:t")
	case "m:f":
		b.WriteString(grouped(of("m:num")) + "/" + grouped(of("m:den")))
	case "m:sSup":
		b.WriteString(grouped(of("m:e")) + "^" + grouped(of("m:sup")))
	case "m:sSub":
		b.WriteString(grouped(of("m:e")) + "_" + grouped(of("m:sub")))
	case "m:sSubSup":
		b.WriteString(grouped(of("m:e")) + "_" + grouped(of("m:sub")) + "^" + grouped(of("m:sup")))
	case "m:rad":
		b.WriteString(root(of("m:deg")) + "(" + of("m:e") + ")")
	case "m:nary":
		mathNary(b, n, of)
	case "m:d":
		mathDelimited(b, n)
	case "m:func":
		b.WriteString(of("m:fName") + " " + of("m:e"))
	case "m:m", "m:eqArr":
		mathRows(b, n)
	case "m:ctrlPr", "m:fPr", "m:rPr", "m:naryPr", "m:dPr", "m:radPr", "m:oMathParaPr":
	default:
		b.WriteString(mathText(n))
	}
}

func root(degree string) string {
	switch degree {
	case "", "2":
		return "√"
	case "3":
		return "∛"
	case "4":
		return "∜"
	}
	return grouped(degree) + "√"
}

// mathNary writes a sum, product or integral with its bounds.
func mathNary(b *strings.Builder, n *xmltree.Node, of func(string) string) {
	sign := n.Find("m:naryPr", "m:chr").Attr("val")
	if sign == "" {
		sign = "∫"
	}
	b.WriteString(sign)
	if sub := of("m:sub"); sub != "" {
		b.WriteString("_" + grouped(sub))
	}
	if sup := of("m:sup"); sup != "" {
		b.WriteString("^" + grouped(sup))
	}
	b.WriteString(" " + of("m:e"))
}

// mathDelimited writes what stands between brackets.
func mathDelimited(b *strings.Builder, n *xmltree.Node) {
	sign := func(name, usual string) string {
		if v, ok := n.Find("m:dPr", name).Lookup("val"); ok {
			return v
		}
		return usual
	}
	var parts []string
	for _, k := range n.Kids {
		if k.Name == "m:e" {
			parts = append(parts, mathText(k))
		}
	}
	b.WriteString(sign("m:begChr", "(") + strings.Join(parts, sign("m:sepChr", "|")) + sign("m:endChr", ")"))
}

// mathRows writes a matrix or a column of equations.
func mathRows(b *strings.Builder, n *xmltree.Node) {
	var rows []string
	for _, k := range n.Kids {
		switch k.Name {
		case "m:mr":
			var cells []string
			for _, e := range k.Kids {
				if e.Name == "m:e" {
					cells = append(cells, mathText(e))
				}
			}
			rows = append(rows, strings.Join(cells, ", "))
		case "m:e":
			rows = append(rows, mathText(k))
		}
	}
	b.WriteString(strings.Join(rows, "; "))
}

// grouped puts brackets around what has several parts.
func grouped(s string) string {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, " +-−*/=,;^_±·×") && !enclosed(s) {
		return "(" + s + ")"
	}
	return s
}

// enclosed reports brackets around all of s already.
func enclosed(s string) bool {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return false
	}
	depth := 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(s)-1 {
				return false
			}
		}
	}
	return true
}

func orEmpty(n *xmltree.Node) *xmltree.Node {
	if n == nil {
		return &xmltree.Node{}
	}
	return n
}
