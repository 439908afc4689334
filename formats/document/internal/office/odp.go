package office

import (
	"context"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// ODP reads an OpenDocument presentation: page by page, each with its title as a heading of level 2, then its notes.
// Hidden pages are left out. Drawings (odg) are read the same way.
func ODP(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	d, err := j.openODF(body)
	if err != nil {
		return nil, asDamaged(err)
	}
	return j.finish(d.each(func(n *xmltree.Node) step {
		switch n.Name {
		case "office:document-content", "office:body", "office:presentation", "office:drawing":
			return enter
		case "draw:page":
			if j.doc.Slides < j.o.Limits.Pages {
				return whole(d.page)
			}
			j.doc.Warn("The presentation has more slides than the limit; the rest was left out.")
		}
		return nil
	}))
}

func (d *odf) page(n *xmltree.Node) {
	if d.styles.hidden("drawing-page", n.Attr("draw:style-name")) {
		d.job.doc.Warn("Hidden slides were left out.")
		return
	}
	d.job.doc.Slides++
	title := &flow.Inline{}
	for _, k := range n.Kids {
		if k.Attr("presentation:class") == "title" && title.Empty() {
			title = d.flat(k)
		}
	}
	if title.Empty() {
		d.out.Title(2, "Slide "+itoa(d.job.doc.Slides))
	} else {
		d.out.Heading(2, title)
	}
	for _, k := range n.Kids {
		if k.Name != "presentation:notes" && k.Attr("presentation:class") != "title" {
			d.block(k)
		}
	}
	d.pageNotes(n.Find("presentation:notes"))
}

// flat is the text of all paragraphs inside n on one line.
func (d *odf) flat(n *xmltree.Node) *flow.Inline {
	p := &flow.Inline{}
	n.All(func(k *xmltree.Node) {
		if !p.Empty() {
			p.Text(" ", flow.Style{})
		}
		d.inline(k, p, flow.Style{})
	}, "text:p", "text:h")
	return p
}

func (d *odf) pageNotes(n *xmltree.Node) {
	if n == nil {
		return
	}
	if notes := d.part(n); !notes.Empty() {
		d.out.Title(3, "Notes")
		d.out.Add(notes)
	}
}
