package office

import (
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// leftOut counts what a file holds and the text doesn't show, or shows in another way than the file's author sees it.
type leftOut struct {
	rows, cols                        int // hidden
	comments, pictures                int
	inserted, deleted, moved, changed int // tracked changes
	formulas                          int // without a value
	places                            []string
}

// sentences are the warnings.
func (l leftOut) sentences() (list []string) {
	if hidden := join(counted(l.rows, "row"), counted(l.cols, "column")); hidden != "" {
		list = append(list, "Hidden rows and columns were left out: "+hidden+".")
	}
	if comments := counted(l.comments, "comment"); comments != "" {
		list = append(list, "Comments were left out: "+comments+".")
	}
	if pictures := counted(l.pictures, "picture"); pictures != "" {
		list = append(list, "Pictures, drawings and objects were left out: "+pictures+".")
	}
	changes := join(counted(l.inserted, "insertion"), counted(l.deleted, "deletion"), counted(l.moved, "move"), counted(l.changed, "changed cell"))
	if changes != "" {
		list = append(list, "Tracked changes were read as accepted: "+changes+".")
	}
	if formulas := counted(l.formulas, "formula"); formulas != "" {
		list = append(list, "Formulas without a stored value show nothing: "+formulas+l.where()+".")
	}
	return list
}

// formula counts a formula without a value. Of the first ones the place is named, unless it is "".
func (l *leftOut) formula(place string) {
	const many = 3
	if l.formulas++; place != "" && len(l.places) < many {
		l.places = append(l.places, place)
	}
}

func (l leftOut) where() string {
	switch {
	case len(l.places) == 0:
		return ""
	case len(l.places) < l.formulas:
		return " (" + strings.Join(l.places, ", ") + ", …)"
	}
	return " (" + strings.Join(l.places, ", ") + ")"
}

// change counts an element of WordprocessingML if it is a tracked change. A move has two, of which one counts.
func (l *leftOut) change(element string) {
	switch element {
	case "w:ins", "w:cellIns":
		l.inserted++
	case "w:del", "w:cellDel":
		l.deleted++
	case "w:moveTo":
		l.moved++
	}
}

// changes counts the tracked changes among properties.
func (l *leftOut) changes(properties *xmltree.Node) {
	for _, k := range orEmpty(properties).Kids {
		l.change(k.Name)
	}
}

// countIn counts the elements of a part that have one of the names.
func (o *opc) countIn(part string, names ...string) (n int, err error) {
	err = o.eachIn(part, func(r *xmltree.Reader, k *xmltree.Node) error {
		for _, name := range names {
			if k.Name == name {
				n++
			}
		}
		return nil
	})
	return n, err
}

// eachIn calls visit for the elements of a part, which may read on. A part that is missing has none, one that breaks off those before.
func (o *opc) eachIn(part string, visit step) error {
	in, err := o.open(part)
	if err != nil {
		return o.serious(err)
	}
	defer in.Close()
	r := xmltree.Stream(o.job.ctx, in).Within(o.job.o.Limits.Memory)
	for {
		n, err := r.Next()
		if err == nil {
			err = visit(r, n)
		}
		if err != nil {
			return o.serious(err)
		}
	}
}

// parts are the targets of the relations of a kind.
func parts(rels map[string]relation, kind string) (list []string) {
	for _, r := range rels {
		if r.kind == kind && !r.external {
			list = append(list, r.target)
		}
	}
	return list
}

// counted is a number of things, "" for none.
func counted(n int, thing string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + thing
	}
	return itoa(n) + " " + thing + "s"
}

// join lists those that there are.
func join(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, ", ")
}
