package formats

import (
	"context"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/css"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/script"
)

// maxWrites is how many places that the scripts of one page write to are compared with its holes: the first.
const maxWrites = 2000

// Filling is a hole with what a script does about it.
type Filling struct {
	Hole Hole
	// Write is what fills the hole. Its Place is empty where a script that requests data only names the hole.
	Write script.Write
}

// Filled returns the holes that scripts fill, in their order. Loaders are none of them: which script is their library is unknown.
func (d *DOM) Filled(ctx context.Context, holes []Hole, scripts []script.Facts) (_ []Filling, err error) {
	defer d.under(ctx).Catch(&err)
	var found []Filling
	writes := d.writesOf(scripts)
	for _, h := range holes {
		d.steps.Visit()
		if w, ok := h.filledBy(writes, scripts); ok {
			found = append(found, Filling{h, w})
		}
	}
	return found, nil
}

// write is a place that a script fills, ready to be compared with elements.
type write struct {
	script.Write
	place *css.Matching
}

// writesOf are the writes with content, each place once. Selectors that can't be read name nothing.
func (d *DOM) writesOf(scripts []script.Facts) []write {
	var list []write
	seen := map[string]bool{}
	for _, f := range scripts {
		for _, w := range f.Writes {
			if len(list) == maxWrites {
				return list
			}
			if seen[w.Place] || w.Place == "" || w.Place == "body" || !f.Carries(w) {
				continue
			}
			seen[w.Place] = true
			if place, err := css.Compile(w.Place); err == nil {
				list = append(list, write{w, place.Over(d.steps)})
			}
		}
	}
	return list
}

func (h Hole) filledBy(writes []write, scripts []script.Facts) (script.Write, bool) {
	for _, w := range writes {
		if w.place.Match(h.node) {
			return w.Write, true
		}
	}
	for _, f := range scripts {
		for _, name := range f.Elements {
			if name == h.node.Data {
				return script.Write{Place: name, Source: script.Value}, true
			}
		}
	}
	return script.Write{}, h.isNamed(scripts)
}

// isNamed reports whether a script that requests data has the name of the hole among its strings: its id, a class, or its element.
func (h Hole) isNamed(scripts []script.Facts) bool {
	var names []string
	if id := nodes.Attr(h.node, "id"); id != "" {
		names = append(names, id, "#"+id)
	}
	if strings.Contains(h.node.Data, "-") {
		names = append(names, h.node.Data)
	}
	for class := range strings.FieldsSeq(nodes.Attr(h.node, "class")) {
		names = append(names, "."+class)
	}
	for _, f := range scripts {
		for _, name := range names {
			if f.Requests && f.Mentions(name) {
				return true
			}
		}
	}
	return false
}
