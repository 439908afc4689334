package office

import (
	"cmp"
	"context"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/office/drawing"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// PPTX reads a presentation of PresentationML (pptx, pptm, ppsx): slide by slide, each with its title as a heading of
// level 2, its text, tables and charts, then its notes. Hidden slides and comments are left out.
func PPTX(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	pkg, err := j.openOPC(body)
	if err != nil {
		return nil, asDamaged(err)
	}
	main, err := pkg.main("ppt/presentation.xml")
	if err != nil {
		return nil, asDamaged(err)
	}
	if j.doc.Meta, err = pkg.meta(); err != nil {
		return nil, asDamaged(err)
	}
	return j.finish(pkg.slides(main))
}

// slides writes the slides in the order of the presentation, which isn't that of their names.
func (o *opc) slides(main string) error {
	root, err := o.tree(main)
	if err != nil {
		return err
	}
	rels, err := o.relations(main)
	if err != nil {
		return err
	}
	for _, n := range orEmpty(root.Find("p:sldIdLst")).Kids {
		rel := rels[n.Attr("r:id")]
		if n.Name != "p:sldId" || rel.kind != "slide" {
			continue
		}
		if o.job.doc.Slides == o.job.o.Limits.Pages || o.job.out.Full() {
			o.job.doc.Warn("The presentation has more slides than the limit; the rest was left out.")
			return nil
		}
		if err := o.slide(rel.target); err != nil {
			return err
		}
	}
	return nil
}

func (o *opc) slide(part string) error {
	root, err := o.tree(part)
	if err != nil {
		return err
	}
	if v, ok := root.Lookup("show"); ok && !on(v) {
		o.job.doc.Warn("Hidden slides were left out.")
		return nil
	}
	rels, err := o.relations(part)
	if err != nil {
		return err
	}
	for _, part := range parts(rels, "comments") {
		n, err := o.countIn(part, "p:cm", "?:cm", "?:reply")
		if err != nil {
			return err
		}
		o.job.left.comments += n
	}
	o.job.doc.Slides++
	s := &slide{opc: o, rels: rels, out: o.job.out, number: o.job.doc.Slides}
	if err := s.read(root.Find("p:cSld", "p:spTree")); err != nil {
		return err
	}
	return s.notes()
}

// slide is a slide being read.
type slide struct {
	*opc
	rels   map[string]relation
	out    *flow.Flow
	number int
	err    error
}

func (s *slide) read(tree *xmltree.Node) error {
	title := findTitle(tree)
	if p := s.titleText(title); p.Empty() {
		s.out.Title(2, "Slide "+itoa(s.number))
	} else {
		s.out.Heading(2, p)
	}
	s.shapes(tree, title)
	return s.err
}

// findTitle is the shape that holds the slide's title, nil when there is none.
func findTitle(tree *xmltree.Node) (found *xmltree.Node) {
	tree.All(func(sp *xmltree.Node) {
		if kind := placeholder(sp); found == nil && (kind == "title" || kind == "ctrTitle") {
			found = sp
		}
	}, "p:sp")
	return found
}

// placeholder is the kind of placeholder that a shape fills: "body" when it names none, "" for a free shape.
func placeholder(sp *xmltree.Node) string {
	ph := sp.Find("p:nvSpPr", "p:nvPr", "p:ph")
	if ph == nil {
		return ""
	}
	if kind := ph.Attr("type"); kind != "" {
		return kind
	}
	return "body"
}

func (s *slide) titleText(sp *xmltree.Node) *flow.Inline {
	p := &flow.Inline{}
	for _, k := range orEmpty(sp.Find("p:txBody")).Kids {
		if k.Name == "a:p" {
			if !p.Empty() {
				p.Text(" ", flow.Style{})
			}
			s.text(k, p)
		}
	}
	return p
}

// shapes writes what a tree or group of shapes holds, but for the title.
func (s *slide) shapes(tree, title *xmltree.Node) {
	for _, n := range orEmpty(tree).Kids {
		switch n.Name {
		case "p:sp":
			if n != title {
				s.shape(n)
			}
		case "p:grpSp":
			s.shapes(n, title)
		case "p:pic":
			s.picture(n.Find("p:nvPicPr", "p:cNvPr"), n)
		case "p:graphicFrame":
			s.frame(n)
		case "mc:AlternateContent":
			if c := n.Find("mc:Choice"); c != nil && len(c.Kids) > 0 {
				s.shapes(c, title)
			} else {
				s.shapes(n.Find("mc:Fallback"), title)
			}
		}
	}
}

func (s *slide) shape(sp *xmltree.Node) {
	switch kind := placeholder(sp); kind {
	case "dt", "ftr", "sldNum", "hdr": // the same on every slide
	case "body", "obj":
		s.body(sp.Find("p:txBody"), true)
	default:
		s.body(sp.Find("p:txBody"), false)
	}
}

// picture writes what an element shows, which may be a picture, or hold one.
func (s *slide) picture(props, n *xmltree.Node) {
	alt := cmp.Or(props.Attr("descr"), props.Attr("title"))
	p := &flow.Inline{}
	address := ""
	if !on1(props.Attr("hidden")) {
		address = s.embedded(s.rels[drawing.Embedded(n)])
	}
	p.Picture(alt, address, flow.Style{})
	s.out.Para(p)
}

// frame writes a table, a chart or the text of a diagram.
func (s *slide) frame(n *xmltree.Node) {
	data := n.Find("a:graphic", "a:graphicData")
	if tbl := data.Find("a:tbl"); tbl != nil {
		s.table(tbl)
		return
	}
	if id := data.Find("c:chart").Attr("r:id"); id != "" {
		s.keep(s.chart(s.out, s.rels[id].target))
		return
	}
	if id := data.Find("dgm:relIds").Attr("r:dm"); id != "" {
		s.keep(s.diagram(s.out, s.rels[id].target))
		return
	}
	s.picture(n.Find("p:nvGraphicFramePr", "p:cNvPr"), data)
}

// keep remembers the first error.
func (s *slide) keep(err error) { s.err = cmp.Or(s.err, err) }

// body writes the paragraphs of a shape. Those of a body placeholder are a list unless they say otherwise, for
// the layouts they follow make them so.
func (s *slide) body(body *xmltree.Node, listed bool) {
	texts := 0
	for _, n := range orEmpty(body).Kids {
		if n.Name == "a:p" && hasText(n) {
			texts++
		}
	}
	counts := map[int]int{}
	for _, n := range orEmpty(body).Kids {
		if n.Name != "a:p" {
			continue
		}
		p := &flow.Inline{}
		s.text(n, p)
		it, isItem := bullet(n.Find("a:pPr"), listed && texts > 1)
		if !isItem {
			s.out.Para(p)
			clear(counts)
			continue
		}
		if it.Ordered && !p.Empty() {
			counts[it.Level]++
			it.Number += counts[it.Level]
		}
		s.out.Item(it, p)
	}
}

func hasText(n *xmltree.Node) bool {
	found := false
	n.All(func(t *xmltree.Node) { found = found || clean(t.Content()) != "" }, "a:t")
	return found
}

// bullet is the place in a list that the properties of a paragraph give it. Number is one less than that of the first item.
func bullet(props *xmltree.Node, listed bool) (it flow.Item, isItem bool) {
	it.Level = atoi(props.Attr("lvl"))
	if auto := props.Find("a:buAutoNum"); auto != nil {
		it.Ordered = true
		it.Number = max(atoi(auto.Attr("startAt"))-1, 0)
		return it, true
	}
	if props.Find("a:buChar") != nil || props.Find("a:buBlip") != nil {
		return it, true
	}
	return it, listed && props.Find("a:buNone") == nil
}

// text reads the runs of a paragraph.
func (s *slide) text(n *xmltree.Node, p *flow.Inline) {
	for _, k := range n.Kids {
		switch k.Name {
		case "a:r", "a:fld":
			p.Text(k.Find("a:t").Content(), s.style(k.Find("a:rPr")))
		case "a:br":
			p.Break()
		case "m:oMath", "m:oMathPara":
			addMath(p, k)
		case "mc:AlternateContent":
			s.text(orEmpty(k.Find("mc:Choice")), p)
		case "?:m": // a14:m, around an equation
			s.text(k, p)
		}
	}
}

func (s *slide) style(props *xmltree.Node) flow.Style {
	st := flow.Style{Bold: props.Attr("b") == "1", Italic: props.Attr("i") == "1"}
	if v := props.Attr("strike"); v == "sngStrike" || v == "dblStrike" {
		st.Strike = true
	}
	base := atoi(props.Attr("baseline"))
	st.Sup, st.Sub = base > 0, base < 0
	if rel := s.rels[props.Find("a:hlinkClick").Attr("r:id")]; rel.external {
		st.Href = flow.SafeHref(rel.target)
	}
	return st
}

func (s *slide) table(tbl *xmltree.Node) {
	t := flow.Table{}
	head := props(tbl, "a:tblPr", "firstRow")
	for _, tr := range tbl.Kids {
		if tr.Name != "a:tr" {
			continue
		}
		var row []flow.Cell
		for _, tc := range tr.Kids {
			if tc.Name != "a:tc" || on1(tc.Attr("hMerge")) || on1(tc.Attr("vMerge")) || len(row) == maxColumns {
				continue
			}
			sub := *s
			sub.out = s.out.Sub()
			sub.body(tc.Find("a:txBody"), false)
			row = append(row, flow.Cell{Head: head && len(t.Rows) == 0, ColSpan: atoi(tc.Attr("gridSpan")), RowSpan: atoi(tc.Attr("rowSpan")), Content: sub.out})
		}
		t.Rows = append(t.Rows, row)
	}
	s.out.Table(&t)
}

func props(n *xmltree.Node, child, attr string) bool { return on1(n.Find(child).Attr(attr)) }

// on1 reads a switch that is off when it isn't there.
func on1(v string) bool { return v == "1" || v == "true" }

// notes writes what the speaker noted.
func (s *slide) notes() error {
	part := byKind(s.rels, "notesSlide", "")
	if part == "" {
		return nil
	}
	root, err := s.tree(part)
	if err != nil {
		return err
	}
	rels, err := s.relations(part)
	if err != nil {
		return err
	}
	sub := *s
	sub.rels, sub.out = rels, s.out.Sub()
	orEmpty(root.Find("p:cSld", "p:spTree")).All(func(sp *xmltree.Node) {
		if placeholder(sp) == "body" {
			sub.body(sp.Find("p:txBody"), false)
		}
	}, "p:sp")
	if !sub.out.Empty() {
		s.out.Title(3, "Notes")
		s.out.Add(sub.out)
	}
	return sub.err
}
