package office

import (
	"errors"
	"path"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// opc is a package of Office Open XML (ECMA-376 part 2): parts and relationships between them.
type opc struct {
	*pack
	job *job
}

// relation is one relationship of a part.
type relation struct {
	kind     string // last part of the type's address
	target   string // part name, or address when external
	external bool
}

// openOPC opens a package, which may be encrypted as a whole.
func (j *job) openOPC(body []byte) (*opc, error) {
	body, err := j.decrypt(body)
	if err != nil {
		return nil, err
	}
	p, err := openPack(body, j.o.Limits)
	if err != nil {
		return nil, err
	}
	return &opc{p, j}, nil
}

// tree reads a part; one that is missing is an empty tree. A part that breaks off gives what it holds.
func (o *opc) tree(name string) (*xmltree.Node, error) {
	data, err := o.read(name)
	if err != nil {
		if errors.Is(err, errNoPart) {
			err = nil
		}
		if len(data) == 0 {
			return &xmltree.Node{}, o.serious(err)
		}
	}
	n, err := xmltree.New(o.job.ctx, data).Within(o.job.o.Limits.Memory).Root()
	return n, o.serious(err)
}

// serious drops errors of parts that aren't needed to go on, and keeps those of limits and of ctx.
func (o *opc) serious(err error) error {
	if err == nil || partial(err) && !errors.Is(err, xmltree.ErrLimit) {
		return nil
	}
	return err
}

// relations of a part by id; "" is the package itself.
func (o *opc) relations(part string) (map[string]relation, error) {
	dir, _ := path.Split(part)
	root, err := o.tree(relsOf(part))
	if err != nil {
		return nil, err
	}
	rels := map[string]relation{}
	for _, n := range root.Kids {
		if n.Name != "rel:Relationship" {
			continue
		}
		r := relation{kind: path.Base(n.Attr("Type")), target: n.Attr("Target"), external: strings.EqualFold(n.Attr("TargetMode"), "External")}
		if !r.external {
			r.target = resolvePart(dir, r.target)
		}
		rels[n.Attr("Id")] = r
	}
	return rels, nil
}

// relsOf is the name of the part that holds a part's relationships.
func relsOf(part string) string {
	dir, base := path.Split(part)
	return dir + "_rels/" + base + ".rels"
}

// resolvePart is the name of a part that another one in dir points to.
func resolvePart(dir, target string) string {
	target, _, _ = strings.Cut(strings.ReplaceAll(target, `\`, "/"), "#")
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return strings.TrimPrefix(path.Clean("/"+dir+"/"+target), "/")
}

// embedded is the address that the picture of a relation is kept at; "" for none.
func (o *opc) embedded(r relation) string {
	if r.external || r.target == "" {
		return ""
	}
	return o.job.images.Address(r.target, func(most int64) ([]byte, error) { return o.picture(r.target, most) })
}

// byKind is the target of the first relation of a kind, in no order but of one kind there is one.
func byKind(rels map[string]relation, kind, fallback string) string {
	for _, r := range rels {
		if r.kind == kind && !r.external {
			return r.target
		}
	}
	return fallback
}

// main is the name of the part that holds the document.
func (o *opc) main(fallback string) (string, error) {
	rels, err := o.relations("")
	if err != nil {
		return "", err
	}
	name := byKind(rels, "officeDocument", fallback)
	if !o.has(name) {
		name = fallback
	}
	if !o.has(name) {
		return "", &DamagedError{errNoPart}
	}
	return name, nil
}

// meta reads what the package says about itself.
func (o *opc) meta() (flow.Meta, error) {
	root, err := o.tree("docProps/core.xml")
	if err != nil {
		return flow.Meta{}, err
	}
	m := dublinCore(root)
	app, err := o.tree("docProps/app.xml")
	for _, n := range app.Kids {
		if strings.HasSuffix(n.Name, ":Application") {
			m.Producer = clean(n.Content())
		}
	}
	return m, err
}

// dublinCore reads the elements of a Dublin Core record, as three families of files have it.
func dublinCore(root *xmltree.Node) flow.Meta {
	var m flow.Meta
	fields := map[string]*string{"dc:title": &m.Title, "dc:creator": &m.Author, "dc:subject": &m.Subject, "dc:description": &m.Subject, "dc:language": &m.Language}
	for _, n := range root.Kids {
		text := clean(n.Content())
		if field := fields[n.Name]; field != nil && *field == "" {
			*field = text
		}
		switch n.Name {
		case "cp:keywords", "meta:keyword":
			m.Keywords = append(m.Keywords, flow.SplitKeywords(text)...)
		case "dcterms:created", "meta:creation-date":
			m.Created = flow.ParseTime(text)
		case "dcterms:modified", "dc:date":
			m.Modified = flow.ParseTime(text)
		case "meta:generator":
			m.Producer = text
		}
	}
	return m
}

// clean brings a text onto one line.
func clean(s string) string { return strings.Join(strings.Fields(s), " ") }
