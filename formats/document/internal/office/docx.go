package office

import (
	"context"
	"io"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// DOCX reads a document of WordprocessingML (docx, docm, dotx). Tracked changes are accepted; headers,
// footers, hidden text and comments are left out; warnings count comments, changes and formulas without a value. Foot- and endnotes
// come at the end. Macros are never looked at.
func DOCX(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	pkg, err := j.openOPC(body)
	if err != nil {
		return nil, asDamaged(err)
	}
	main, err := pkg.main("word/document.xml")
	if err != nil {
		return nil, asDamaged(err)
	}
	d := &docx{opc: pkg, out: j.out, notes: &docxNotes{numbers: map[*xmltree.Node]int{}}}
	if err := d.load(main); err != nil {
		return nil, asDamaged(err)
	}
	err = d.body(main)
	if err == nil {
		d.writeNotes()
	}
	return j.finish(err)
}

// docx is a document being read. A part of it, such as a table cell, is read by a copy that writes elsewhere.
type docx struct {
	*opc
	out     *flow.Flow
	styles  docxStyles
	numbers *docxNumbers
	rels    map[string]relation
	notes   *docxNotes
	fields  []field      // complex fields that are open, they may reach over paragraphs
	carry   *flow.Inline // text of paragraphs whose end was deleted: it belongs to the next one
	after   []*flow.Flow // text boxes of the paragraph being read
}

// load reads the parts beside the text.
func (d *docx) load(main string) (err error) {
	if d.rels, err = d.relations(main); err != nil {
		return err
	}
	styles, err := d.tree(byKind(d.rels, "styles", "word/styles.xml"))
	if err != nil {
		return err
	}
	d.styles = readDocxStyles(styles)
	numbering, err := d.tree(byKind(d.rels, "numbering", "word/numbering.xml"))
	if err != nil {
		return err
	}
	d.numbers = readDocxNumbers(numbering)
	if err := d.loadNotes(); err != nil {
		return err
	}
	for _, part := range parts(d.rels, "comments") {
		n, err := d.countIn(part, "w:comment")
		if err != nil {
			return err
		}
		d.job.left.comments += n
	}
	d.job.doc.Meta, err = d.meta()
	return err
}

// body streams the blocks of the text, so that only a paragraph or some rows of a table are in memory at a time.
func (d *docx) body(main string) error {
	in, err := d.open(main)
	if err != nil {
		return err
	}
	defer in.Close()
	r := xmltree.Stream(d.job.ctx, in).Within(d.job.o.Limits.Memory)
	for count := 0; !d.out.Full(); count++ {
		n, err := r.Next()
		if err == io.EOF && count == 0 {
			return errNoPart
		}
		if err == io.EOF {
			d.blocks(&xmltree.Node{}) // what is still carried
			return nil
		}
		if err != nil {
			return err
		}
		d.job.left.change(n.Name)
		switch n.Name {
		case "w:p":
			err = r.Tree(n)
			d.block(n)
		case "w:tbl":
			err = d.streamTable(r)
		case "w:document", "w:body", "w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag":
		default:
			err = r.Skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// blocks writes all blocks inside n.
func (d *docx) blocks(n *xmltree.Node) {
	for _, k := range n.Kids {
		d.block(k)
	}
	if d.carry != nil {
		d.out.Para(d.carry)
		d.carry = nil
	}
}

func (d *docx) block(n *xmltree.Node) {
	d.job.left.change(n.Name)
	switch n.Name {
	case "w:p":
		d.paragraph(n)
	case "w:tbl":
		d.table(n)
	case "w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag":
		d.blocks(n)
	}
}

// part reads n as the content of a cell, note or box.
func (d *docx) part(n *xmltree.Node) *flow.Flow {
	sub := *d
	sub.out, sub.fields, sub.carry, sub.after = d.out.Sub(), nil, nil, nil
	sub.blocks(n)
	return sub.out
}

func (d *docx) paragraph(n *xmltree.Node) {
	props := n.Find("w:pPr")
	p := &flow.Inline{}
	if d.carry != nil {
		p, d.carry = d.carry, nil
	}
	d.job.left.changes(props.Find("w:rPr")) // of the paragraph's end
	look := d.styles.paragraph(props)
	d.inline(n, p, look.text)
	if props.Find("w:rPr", "w:del") != nil { // the end of the paragraph was deleted
		d.carry = p
		return
	}
	d.place(p, look)
	for _, box := range d.after {
		d.out.Add(box)
	}
	d.after = nil
}

// place writes a paragraph as what its style and numbering make of it.
func (d *docx) place(p *flow.Inline, look docxLook) {
	if p.Empty() {
		if look.role == rolePre {
			d.out.Pre("")
		}
		return
	}
	mark, listed := d.numbers.next(look)
	switch {
	case look.level > 0:
		d.out.Heading(look.level, prefixed(mark.text, p))
		d.title(look, p)
	case listed && mark.more:
		d.out.More(p)
	case listed:
		d.out.Item(mark.item, p)
	case look.role == rolePre:
		d.out.Pre(p.Plain())
	case look.role == roleQuote:
		d.out.Quote(p)
	default:
		d.out.Para(p)
	}
}

// title takes the document's title from its text when the file has none.
func (d *docx) title(look docxLook, p *flow.Inline) {
	if m := &d.job.doc.Meta; m.Title == "" && look.role == roleTitle {
		m.Title = clean(p.Plain())
	}
}

// prefixed puts the number of a numbered heading before its text.
func prefixed(number string, p *flow.Inline) *flow.Inline {
	if number == "" {
		return p
	}
	out := &flow.Inline{}
	out.Text(number+" ", flow.Style{})
	out.Append(p)
	return out
}
