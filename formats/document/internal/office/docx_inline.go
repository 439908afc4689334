package office

import (
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// field is a complex field: an instruction, then its result.
type field struct {
	instr  strings.Builder
	result bool // the result is being read
	shown  bool // and something was shown of it
	href   string
}

const (
	maxFields = 16      // open at once
	maxInstr  = 4 << 10 // bytes of one instruction
)

// inline reads what is inside a paragraph, a link, a field.
func (d *docx) inline(n *xmltree.Node, p *flow.Inline, st flow.Style) {
	for _, k := range n.Kids {
		d.job.left.change(k.Name)
		switch k.Name {
		case "w:r":
			d.run(k, p, st)
		case "w:hyperlink":
			link := st
			link.Href = d.href(k.Attr("r:id"))
			d.inline(k, p, link)
		case "w:fldSimple":
			link := st
			if href := fieldLink(k.Attr("instr")); href != "" {
				link.Href = href
			}
			if isFormula(k.Attr("instr")) && clean(k.Content()) == "" {
				d.job.left.formula("")
			}
			d.inline(k, p, link)
		case "m:oMath", "m:oMathPara":
			k.All(func(c *xmltree.Node) { d.job.left.change(c.Name) }, "w:ins", "w:del", "w:moveTo")
			addMath(p, k)
		case "w:ins", "w:moveTo", "w:smartTag", "w:sdt", "w:sdtContent", "w:customXml", "w:dir", "w:bdo":
			d.inline(k, p, st)
		}
	}
}

// href is the address of a relation to the outside.
func (d *docx) href(id string) string {
	if r := d.rels[id]; r.external {
		return flow.SafeHref(r.target)
	}
	return ""
}

// isFormula reports an instruction that computes something of cells and numbers.
func isFormula(instr string) bool { return strings.HasPrefix(strings.TrimSpace(instr), "=") }

// fieldLink is the address in a HYPERLINK instruction.
func fieldLink(instr string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(instr), "HYPERLINK")
	if !ok {
		return ""
	}
	rest = strings.TrimSpace(rest)
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		rest, _, _ = strings.Cut(quoted, `"`)
	} else {
		rest, _, _ = strings.Cut(rest, " ")
	}
	return flow.SafeHref(rest)
}

// run reads a run: text of one look.
func (d *docx) run(n *xmltree.Node, p *flow.Inline, st flow.Style) {
	props := n.Find("w:rPr")
	if v := props.Find("w:vanish"); v != nil && on(v.Attr("val")) {
		return
	}
	if id := props.Find("w:rStyle").Attr("val"); id != "" {
		own := d.styles.runStyle(id)
		st.Bold, st.Italic, st.Strike = st.Bold || own.Bold, st.Italic || own.Italic, st.Strike || own.Strike
		st.Sup, st.Sub, st.Code = st.Sup || own.Sup, st.Sub || own.Sub, st.Code || own.Code
	}
	applyRun(props, &st)
	for _, k := range n.Kids {
		d.piece(k, p, st)
	}
}

// piece reads one child of a run.
func (d *docx) piece(k *xmltree.Node, p *flow.Inline, st flow.Style) {
	if k.Name == "w:fldChar" {
		d.fieldChar(k.Attr("fldCharType"))
		return
	}
	if d.instruction(k) {
		return
	}
	if href := d.fieldHref(); href != "" {
		st.Href = href
	}
	switch k.Name {
	case "w:t":
		d.show()
		p.Text(strings.ReplaceAll(k.Content(), "\n", " "), st)
	case "w:tab", "w:ptab":
		p.Text("\t", st)
	case "w:br", "w:cr":
		if kind := k.Attr("type"); kind == "" || kind == "textWrapping" {
			p.Break()
		}
	case "w:noBreakHyphen":
		p.Text("\u2011", st)
	case "w:sym":
		p.Text(symbol(k.Attr("font"), k.Attr("char")), st)
	case "w:footnoteReference", "w:endnoteReference":
		d.noteMark(k, p)
	case "w:drawing", "w:pict", "w:object":
		d.drawing(k, p, st)
	case "mc:AlternateContent":
		d.alternate(k, p, st)
	}
}

// alternate reads the first choice of several that show the same.
func (d *docx) alternate(n *xmltree.Node, p *flow.Inline, st flow.Style) {
	for _, name := range []string{"mc:Choice", "mc:Fallback"} {
		if c := n.Find(name); c != nil && len(c.Kids) > 0 {
			for _, k := range c.Kids {
				d.piece(k, p, st)
			}
			return
		}
	}
}

// drawing reads a picture, a shape or a group of them: alternative text, and the text of boxes.
func (d *docx) drawing(n *xmltree.Node, p *flow.Inline, st flow.Style) {
	boxes := 0
	n.All(func(k *xmltree.Node) {
		if k.Name == "mc:AlternateContent" {
			d.alternate(k, p, st)
			return
		}
		boxes++
		if box := d.part(k); !box.Empty() {
			d.after = append(d.after, box)
		}
	}, "w:txbxContent", "mc:AlternateContent")
	if boxes == 0 && !d.graphic(n) {
		p.Image(altOf(n), d.picture(n), st)
	}
}

// graphic writes the values of a chart or the texts of a diagram after the paragraph. ok is false for all others.
func (d *docx) graphic(n *xmltree.Node) (ok bool) {
	box := d.out.Sub()
	n.All(func(k *xmltree.Node) {
		id, write := k.Attr("r:id"), d.chart
		if k.Name == "dgm:relIds" {
			id, write = k.Attr("r:dm"), d.diagram
		}
		if write(box, d.rels[id].target) == nil && !box.Empty() {
			ok = true
		}
	}, "c:chart", "dgm:relIds")
	if ok {
		d.after = append(d.after, box)
	}
	return ok
}

// altOf is the description its author gave a drawing.
func altOf(n *xmltree.Node) string {
	alt := ""
	n.All(func(k *xmltree.Node) {
		for _, name := range []string{"descr", "alt", "title"} {
			if alt == "" {
				alt = k.Attr(name)
			}
		}
	}, "wp:docPr", "pic:cNvPr", "v:shape", "v:rect", "v:imagedata")
	return alt
}

// picture is the address of a picture that isn't in the file.
func (d *docx) picture(n *xmltree.Node) string {
	src := ""
	n.All(func(k *xmltree.Node) {
		for _, name := range []string{"r:link", "r:id", "r:href"} {
			if src == "" {
				src = d.href(k.Attr(name))
			}
		}
	}, "a:blip", "v:imagedata")
	return src
}

func (d *docx) fieldChar(kind string) {
	n := len(d.fields)
	switch {
	case kind == "begin" && n < maxFields:
		d.fields = append(d.fields, field{})
	case n == 0:
	case kind == "separate":
		d.fields[n-1].result = true
		d.fields[n-1].href = fieldLink(d.fields[n-1].instr.String())
	case kind == "end":
		if f := &d.fields[n-1]; isFormula(f.instr.String()) && !f.shown {
			d.job.left.formula("")
		}
		d.fields = d.fields[:n-1]
	}
}

// show notes that the fields that are open show something.
func (d *docx) show() {
	for i := range d.fields {
		d.fields[i].shown = true
	}
}

// instruction reports that k belongs to the instruction of a field, which isn't shown.
func (d *docx) instruction(k *xmltree.Node) bool {
	n := len(d.fields)
	if n == 0 || d.fields[n-1].result {
		return k.Name == "w:instrText" || k.Name == "w:delText" || k.Name == "w:delInstrText"
	}
	if f := &d.fields[n-1]; k.Name == "w:instrText" && f.instr.Len() < maxInstr {
		f.instr.WriteString(k.Content())
	}
	return k.Name != "w:footnoteReference" && k.Name != "w:endnoteReference"
}

func (d *docx) fieldHref() string {
	for i := len(d.fields) - 1; i >= 0; i-- {
		if d.fields[i].href != "" {
			return d.fields[i].href
		}
	}
	return ""
}
