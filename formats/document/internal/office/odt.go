package office

import (
	"context"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// ODT reads an OpenDocument text. Tracked changes are accepted; headers, footers, hidden text and comments are left
// out; warnings count comments, changes and formulas without a value; notes come at the end.
func ODT(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	d, err := j.openODF(body)
	if err != nil {
		return nil, asDamaged(err)
	}
	err = d.each(func(n *xmltree.Node) step {
		switch n.Name {
		case "office:document-content", "office:body", "office:text", "text:section", "text:index-body", "text:table-of-content",
			"text:illustration-index", "text:table-index", "text:alphabetical-index", "text:bibliography", "text:user-index", "text:index-title":
			return enter
		case "text:p", "text:h", "text:list", "table:table", "text:numbered-paragraph", "draw:frame", "draw:custom-shape", "draw:rect", "draw:g", "draw:text-box":
			return whole(d.block)
		case "text:tracked-changes", "text:changed-region":
			return enter
		case "text:insertion":
			j.left.inserted++
		case "text:deletion":
			j.left.deleted++
		}
		return nil
	})
	if err == nil {
		d.writeNotes()
	}
	return j.finish(err)
}

func (d *odf) blocks(n *xmltree.Node) {
	for _, k := range n.Kids {
		d.block(k)
	}
}

func (d *odf) block(n *xmltree.Node) {
	switch n.Name {
	case "text:p":
		d.paragraph(n, d.out.Para)
	case "text:h":
		d.heading(n)
	case "text:list":
		d.list(n, n.Attr("text:style-name"), 0)
	case "table:table":
		d.table(n)
	case "text:section", "text:index-body", "text:index-title", "text:numbered-paragraph", "draw:text-box", "draw:custom-shape", "draw:rect", "draw:ellipse", "draw:g":
		d.blocks(n)
	case "draw:frame":
		d.frame(n)
	case "office:annotation":
		d.job.left.comments++
	}
}

// part reads n as the content of a cell, note or box.
func (d *odf) part(n *xmltree.Node) *flow.Flow {
	sub := *d
	sub.out, sub.after = d.out.Sub(), nil
	sub.blocks(n)
	return sub.out
}

func (d *odf) heading(n *xmltree.Node) {
	p := &flow.Inline{}
	d.inline(n, p, flow.Style{})
	d.out.Heading(max(atoi(n.Attr("text:outline-level")), 1), p)
	d.boxes()
}

// paragraph writes a paragraph; write is for those that are nothing special.
func (d *odf) paragraph(n *xmltree.Node, write func(*flow.Inline)) {
	name := n.Attr("text:style-name")
	role, level := d.styles.paragraph(name)
	var st flow.Style
	if d.styles.apply("paragraph", name, &st) {
		return
	}
	p := &flow.Inline{}
	if level > 0 {
		st = flow.Style{}
	}
	d.inline(n, p, st)
	switch {
	case p.Empty() && role == rolePre:
		d.out.Pre("")
	case level > 0:
		d.out.Heading(level, p)
		if m := &d.job.doc.Meta; m.Title == "" && role == roleTitle {
			m.Title = clean(p.Plain())
		}
	case role == rolePre:
		d.out.Pre(p.Plain())
	case role == roleQuote:
		d.out.Quote(p)
	default:
		write(p)
	}
	d.boxes()
}

// boxes writes the text boxes that were anchored in the last paragraph.
func (d *odf) boxes() {
	for _, box := range d.after {
		d.out.Add(box)
	}
	d.after = nil
}

// inline reads what is inside a paragraph.
func (d *odf) inline(n *xmltree.Node, p *flow.Inline, st flow.Style) {
	for _, k := range n.Kids {
		switch k.Name {
		case "":
			p.Text(strings.Map(noBreak, k.Text), st)
		case "text:span":
			own := st
			if !d.styles.apply("text", k.Attr("text:style-name"), &own) {
				d.inline(k, p, own)
			}
		case "text:a":
			link := st
			link.Href = flow.SafeHref(k.Attr("xlink:href"))
			d.inline(k, p, link)
		case "text:s":
			p.Text(strings.Repeat(" ", min(max(atoi(k.Attr("text:c")), 1), 200)), st)
		case "text:tab":
			p.Text("\t", st)
		case "text:line-break":
			p.Break()
		case "text:note":
			d.note(k, p)
		case "draw:frame", "draw:custom-shape", "draw:rect", "draw:g", "draw:a":
			d.anchored(k, p, st)
		case "office:annotation":
			d.job.left.comments++
		case "text:tracked-changes", "text:ruby-text", "text:script", "text:hidden-text":
		default:
			d.inline(k, p, st)
		}
	}
}

// noBreak makes blanks of the line breaks of the XML text.
func noBreak(r rune) rune {
	if r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

// anchored reads what is anchored in a paragraph: a picture stays in it, a box comes after it.
func (d *odf) anchored(n *xmltree.Node, p *flow.Inline, st flow.Style) {
	if href := n.Find("draw:object").Attr("xlink:href"); href != "" && d.formula(href, p) {
		return
	}
	if n.Name == "draw:frame" && n.Find("draw:text-box") == nil {
		d.image(n, p, st)
		return
	}
	if box := d.part(&xmltree.Node{Kids: []*xmltree.Node{n}}); !box.Empty() {
		d.after = append(d.after, box)
	}
}

// formula reads an embedded formula, which is a file of MathML in the file. ok is false for other objects.
func (d *odf) formula(href string, p *flow.Inline) (ok bool) {
	root, err := d.tree(resolvePart("", href) + "/content.xml")
	if err != nil || root.Name != "mathml:math" {
		return false
	}
	b := &strings.Builder{}
	writeMathML(b, root)
	p.Markup(b.String(), clean(root.Content()))
	return true
}

func (d *odf) image(frame *xmltree.Node, p *flow.Inline, st flow.Style) {
	alt := clean(frame.Find("svg:desc").Content())
	if alt == "" {
		alt = clean(frame.Find("svg:title").Content())
	}
	href := d.source(frame)
	if address := d.embedded(href); address != "" {
		p.Picture(alt, address, st)
		return
	}
	p.Image(alt, href, st)
}

// frame writes a box, table or picture that stands for itself.
func (d *odf) frame(n *xmltree.Node) {
	if box := n.Find("draw:text-box"); box != nil {
		d.blocks(box)
		return
	}
	if tbl := n.Find("table:table"); tbl != nil {
		d.table(tbl)
		return
	}
	p := &flow.Inline{}
	d.image(n, p, flow.Style{})
	d.out.Para(p)
}

// list writes a list and those inside it, which have the style of the outermost unless they name another.
func (d *odf) list(n *xmltree.Node, style string, level int) {
	if own := n.Attr("text:style-name"); own != "" {
		style = own
	}
	if style == "" {
		style = d.styleOfFirst(n)
	}
	ordered, start := d.styles.ordered(style, level)
	key := style + "/" + itoa(level)
	if n.Attr("text:continue-numbering") != "true" && n.Attr("text:continue-list") == "" {
		d.counts[key] = start - 1
	}
	for _, item := range n.Kids {
		if item.Name != "text:list-item" && item.Name != "text:list-header" {
			continue
		}
		if v := atoi(item.Attr("text:start-value")); v > 0 {
			d.counts[key] = v - 1
		}
		d.item(item, flow.Item{Level: level, List: style, Ordered: ordered && item.Name == "text:list-item"}, key)
	}
}

// styleOfFirst is the list style that the first paragraph of a list brings along.
func (d *odf) styleOfFirst(n *xmltree.Node) (list string) {
	d.styles.chain("paragraph", n.Find("text:list-item", "text:p").Attr("text:style-name"), func(o odfStyle) {
		if list == "" {
			list = o.list
		}
	})
	return list
}

func (d *odf) item(item *xmltree.Node, it flow.Item, key string) {
	written := false
	for _, k := range item.Kids {
		switch k.Name {
		case "text:p":
			d.paragraph(k, func(p *flow.Inline) {
				if written {
					d.out.More(p)
				} else if !p.Empty() {
					d.counts[key]++
					it.Number = d.counts[key]
					d.out.Item(it, p)
					written = true
				}
			})
		case "text:list":
			d.list(k, it.List, it.Level+1)
		default:
			d.block(k)
		}
	}
}

func (d *odf) table(n *xmltree.Node) {
	t := flow.Table{}
	d.tableRows(n, &t, false)
	d.out.Table(&t)
}

func (d *odf) tableRows(n *xmltree.Node, t *flow.Table, head bool) {
	for _, k := range n.Kids {
		switch k.Name {
		case "table:table-header-rows":
			d.tableRows(k, t, true)
		case "table:table-rows", "table:table-row-group":
			d.tableRows(k, t, head)
		case "table:table-row":
			if row := d.tableRow(k, head); len(row) > 0 {
				t.Rows = append(t.Rows, row)
			}
		}
	}
}

func (d *odf) tableRow(n *xmltree.Node, head bool) (row []flow.Cell) {
	for _, k := range n.Kids {
		if k.Name != "table:table-cell" {
			continue
		}
		if unvalued(k) {
			d.job.left.formula("")
		}
		for range min(max(atoi(k.Attr("table:number-columns-repeated")), 1), 64) {
			if len(row) == maxColumns {
				return row
			}
			row = append(row, flow.Cell{Head: head, ColSpan: atoi(k.Attr("table:number-columns-spanned")), RowSpan: atoi(k.Attr("table:number-rows-spanned")), Content: d.part(k)})
		}
	}
	return row
}
