package office

import (
	"bytes"
	"cmp"
	"io"
	"path"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// odf is a file of OpenDocument (ISO 26300) being read. A part of it, such as a table cell, is read by a copy that
// writes elsewhere.
type odf struct {
	*pack
	job     *job
	out     *flow.Flow
	content []byte // content.xml
	styles  odfStyles
	counts  map[string]int // items of numbered lists so far, by style and level
	notes   *odfNotes
	after   []*flow.Flow // text boxes of the paragraph being read
}

// openODF opens a file and reads all beside its content.
func (j *job) openODF(body []byte) (*odf, error) {
	p, err := openPack(body, j.o.Limits)
	if err != nil {
		return nil, err
	}
	d := &odf{pack: p, job: j, out: j.out, counts: map[string]int{}, notes: &odfNotes{}}
	if d.encrypted() {
		return nil, ErrEncrypted
	}
	if d.content, err = p.read("content.xml"); len(d.content) == 0 {
		return nil, cmp.Or(err, errNoPart)
	}
	meta, err := d.tree("meta.xml")
	if err != nil {
		return nil, err
	}
	j.doc.Meta = dublinCore(orEmpty(meta.Find("office:meta")))
	if m := &j.doc.Meta; m.Author == "" {
		m.Author = clean(meta.Find("office:meta", "meta:initial-creator").Content())
	}
	return d, d.loadStyles()
}

// encrypted looks for the mark that the manifest gives to encrypted parts.
func (d *odf) encrypted() bool {
	manifest, _ := d.read("META-INF/manifest.xml")
	return bytes.Contains(manifest, []byte("encryption-data"))
}

func (d *odf) tree(name string) (*xmltree.Node, error) {
	return (&opc{d.pack, d.job}).tree(name)
}

// source is where the picture of a frame lies: of several forms of it the first that browsers may show.
func (d *odf) source(frame *xmltree.Node) (href string) {
	for _, k := range frame.Kids {
		if k.Name != "draw:image" {
			continue
		}
		own := k.Attr("xlink:href")
		href = cmp.Or(href, own)
		switch strings.ToLower(path.Ext(own)) {
		case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp":
			return own
		}
	}
	return href
}

// embedded is the address that a picture of the file is kept at; "" for none.
func (d *odf) embedded(href string) string {
	if href == "" || strings.Contains(href, ":") {
		return ""
	}
	name := resolvePart("", href)
	return d.job.images.Address(name, func(most int64) ([]byte, error) { return d.picture(name, most) })
}

// each calls visit for the elements of content.xml: visit returns what to do with each. Only one of them is in memory at a time.
func (d *odf) each(visit func(n *xmltree.Node) step) error {
	r := xmltree.New(d.job.ctx, d.content).Within(d.job.o.Limits.Memory)
	for !d.out.Full() {
		n, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch do := visit(n); {
		case do == nil:
			err = r.Skip()
		default:
			if err = do(r, n); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// step is what is done with an element: nil passes over it.
type step func(r *xmltree.Reader, n *xmltree.Node) error

// enter goes on with what is inside an element.
func enter(*xmltree.Reader, *xmltree.Node) error { return nil }

// whole reads an element as a tree and hands it on, even when it breaks off.
func whole(use func(*xmltree.Node)) step {
	return func(r *xmltree.Reader, n *xmltree.Node) error {
		err := r.Tree(n)
		use(n)
		return err
	}
}

// odfNotes are the foot- and endnotes met so far.
type odfNotes struct {
	bodies  []*xmltree.Node
	writing bool
}

// note writes the mark of a note and keeps its text for the end.
func (d *odf) note(n *xmltree.Node, p *flow.Inline) {
	body := n.Find("text:note-body")
	if body == nil || d.notes.writing {
		return
	}
	d.notes.bodies = append(d.notes.bodies, body)
	p.NoteMark(len(d.notes.bodies))
}

func (d *odf) writeNotes() {
	if len(d.notes.bodies) == 0 {
		return
	}
	d.notes.writing = true
	list := d.out.Sub()
	for i, body := range d.notes.bodies {
		list.Note(i+1, d.part(body))
	}
	d.out.Notes(list)
}
