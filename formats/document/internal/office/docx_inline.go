package office

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/office/drawing"
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
	switch {
	case boxes > 0:
		d.pictures(n, "", p, st)
	case !d.graphic(n):
		d.image(n, p, st)
	}
}

// image writes a picture: one of the web or of the file by its address, others by their alternative text.
func (d *docx) image(n *xmltree.Node, p *flow.Inline, st flow.Style) {
	alt, src := altOf(n), d.picture(n)
	if src != "" || !d.pictures(n, alt, p, st) {
		p.Image(alt, src, st)
	}
}

// pictures writes those of the file in a drawing, where they are kept. The description of the whole is that of the only one. ok is false
// when there are none.
func (d *docx) pictures(n *xmltree.Node, alt string, p *flow.Inline, st flow.Style) (ok bool) {
	if !d.job.images.Wanted() {
		return false
	}
	list := drawing.Pictures(n)
	for _, picture := range list {
		if len(list) == 1 {
			picture.Alt = cmp.Or(alt, picture.Alt)
		}
		p.Picture(picture.Alt, d.embedded(d.rels[picture.ID]), st)
	}
	return len(list) > 0
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

// dingbats are the signs of the fonts Wingdings and Symbol that occur in texts, by their code there.
var dingbats = map[string]map[uint64]string{
	"wingdings": {
		0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0x9F: "•", 0xA7: "▪", 0xA8: "☐",
		0xD8: "➢", 0xE0: "→", 0xDF: "←", 0xE1: "↑", 0xE2: "↓", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑", 0x4A: "☺", 0x4C: "☹",
	},
	"symbol": {
		0x61: "α", 0x62: "β", 0x63: "χ", 0x64: "δ", 0x65: "ε", 0x66: "φ", 0x67: "γ", 0x68: "η", 0x69: "ι", 0x6B: "κ", 0x6C: "λ", 0x6D: "μ",
		0x6E: "ν", 0x6F: "ο", 0x70: "π", 0x71: "θ", 0x72: "ρ", 0x73: "σ", 0x74: "τ", 0x75: "υ", 0x77: "ω", 0x78: "ξ", 0x79: "ψ", 0x7A: "ζ",
		0x44: "Δ", 0x46: "Φ", 0x47: "Γ", 0x4C: "Λ", 0x50: "Π", 0x51: "Θ", 0x53: "Σ", 0x57: "Ω", 0x58: "Ξ", 0x59: "Ψ",
		0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•",
		0xB9: "≠", 0xBB: "≈", 0xD6: "√", 0xE5: "∑", 0xF2: "∫", 0xA9: "©", 0xD2: "®", 0xD4: "™", 0xBE: "—", 0x2D: "−",
	},
}

// symbol is the character that a code in a symbol font shows; "" when it isn't known.
func symbol(font, code string) string {
	n, err := strconv.ParseUint(code, 16, 32)
	if err != nil {
		return ""
	}
	if table := dingbats[strings.ToLower(font)]; table != nil {
		return table[n&0xFF]
	}
	if n >= 0xE000 && n <= 0xF8FF || n < ' ' || n > 0x10FFFF { // private use: only the font knows
		return ""
	}
	return string(rune(n))
}
