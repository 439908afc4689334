package office

import (
	"errors"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// odfStyle is a style of paragraphs, characters, tables or pages.
type odfStyle struct {
	parent string
	name   string // as people see it, in lower case
	list   string // list style of paragraphs in it
	text   *xmltree.Node
	hidden bool // the sheet or page isn't shown
}

type odfStyles struct {
	byName map[string]odfStyle
	lists  map[string]*xmltree.Node
}

// errStylesRead ends the first pass over the content.
var errStylesRead = errors.New("styles are read")

// loadStyles reads the common styles and those that the content made for itself.
func (d *odf) loadStyles() error {
	d.styles = odfStyles{map[string]odfStyle{}, map[string]*xmltree.Node{}}
	common, err := d.tree("styles.xml")
	if err != nil {
		return err
	}
	d.styles.add(common.Find("office:styles"))
	d.styles.add(common.Find("office:automatic-styles"))
	err = d.each(func(n *xmltree.Node) step {
		switch n.Name {
		case "office:document-content":
			return enter
		case "office:automatic-styles":
			return whole(d.styles.add)
		case "office:body":
			return func(*xmltree.Reader, *xmltree.Node) error { return errStylesRead }
		}
		return nil
	})
	if errors.Is(err, errStylesRead) {
		return nil
	}
	return err
}

func (s odfStyles) add(n *xmltree.Node) {
	for _, k := range orEmpty(n).Kids {
		name := k.Attr("style:name")
		switch k.Name {
		case "text:list-style":
			s.lists[name] = k
		case "style:style":
			shown := strings.ToLower(k.Attr("style:display-name"))
			if shown == "" {
				shown = shownName(name)
			}
			s.byName[k.Attr("style:family")+" "+name] = odfStyle{
				parent: k.Attr("style:parent-style-name"), name: shown, list: k.Attr("style:list-style-name"), text: k.Find("style:text-properties"),
				hidden: k.Find("style:table-properties").Attr("table:display") == "false" || k.Find("style:drawing-page-properties").Attr("presentation:visibility") == "hidden",
			}
		}
	}
}

// chain calls visit for a style and those it is based on.
func (s odfStyles) chain(family, name string, visit func(odfStyle)) {
	for range maxStyleDepth {
		st, ok := s.byName[family+" "+name]
		if !ok { // its name is still informative
			visit(odfStyle{name: shownName(name)})
			return
		}
		visit(st)
		name = st.parent
	}
}

// apply changes st by a style. hidden reports text that isn't shown.
func (s odfStyles) apply(family, name string, st *flow.Style) (hidden bool) {
	var chain []*xmltree.Node
	s.chain(family, name, func(o odfStyle) {
		chain = append(chain, o.text)
		st.Code = st.Code || family == "text" && isCodeStyle(o.name)
	})
	for i := len(chain) - 1; i >= 0; i-- {
		for _, a := range orEmpty(chain[i]).Attrs {
			switch a.Name {
			case "fo:font-weight":
				st.Bold = a.Value == "bold" || a.Value >= "600" && len(a.Value) == 3
			case "fo:font-style":
				st.Italic = a.Value == "italic" || a.Value == "oblique"
			case "style:text-line-through-style", "style:text-line-through-type":
				st.Strike = a.Value != "none"
			case "style:text-position":
				st.Sup, st.Sub = raised(a.Value)
			case "text:display":
				hidden = a.Value == "none"
			}
		}
	}
	return hidden
}

// raised reads a position such as "super 58%" or "-33% 58%".
func raised(v string) (sup, sub bool) {
	where, _, _ := strings.Cut(v, " ")
	percent := atoi(strings.TrimSuffix(where, "%"))
	return where == "super" || percent > 0, where == "sub" || percent < 0
}

// paragraph returns the effect of a paragraph style on a paragraph.
func (s odfStyles) paragraph(name string) (r role, level int) {
	s.chain("paragraph", name, func(o odfStyle) {
		if r == roleText {
			r = roleOf(o.name)
		}
		if level == 0 {
			level = headingOf(o.name)
		}
	})
	return r, level
}

// shownName is the name of a style as people see it: files write blanks otherwise.
func shownName(name string) string {
	return strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(name, "_20_", " "), "_", " "))
}

// hidden reports a table or page whose style hides it.
func (s odfStyles) hidden(family, name string) bool { return s.byName[family+" "+name].hidden }

// ordered reports, for a level (from 0) of a list style, whether it counts, and from where. Levels that a style doesn't define are
// like the last defined one above.
func (s odfStyles) ordered(name string, level int) (ordered bool, start int) {
	best := 0
	const many = 64 // levels, of which there are ten, and blanks between them
	kids := orEmpty(s.lists[name]).Kids
	for _, k := range kids[:min(len(kids), many)] {
		at := atoi(k.Attr("text:level"))
		if at <= best || at > level+1 {
			continue
		}
		best = at
		ordered = k.Name == "text:list-level-style-number" && k.Attr("style:num-format") != ""
		start = atoi(k.Attr("text:start-value"))
	}
	return ordered, max(start, 1)
}
