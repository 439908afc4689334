package reader

import "math"

// CloseMarks ends marked content that the page left open.
func (in *interpreter) CloseMarks() {
	for len(in.marks) > 0 {
		in.endMark()
	}
}

// marking is one level of marked content.
type marking struct {
	mark     int32
	artifact bool
	hidden   bool // optional content that is switched off
	actual   string
	hasText  bool
	first    int // glyph that the level starts at
}

// marked follows marked content: identifiers, artifacts, replacement text.
func (in *interpreter) marked(op keyword, args []any, resources object) {
	if op == "EMC" {
		in.endMark()
		return
	}
	m := marking{mark: -1, first: len(in.Out.Glyphs)}
	tag := ""
	if len(args) > 0 {
		n, _ := args[0].(name)
		tag = string(n)
	}
	m.artifact = tag == "Artifact"
	if tag == "OC" {
		m.hidden = in.doc.hidden(resources.path("Properties", lastName(args)))
	}
	if op == "BDC" && len(args) > 1 {
		in.properties(&m, args[1], resources)
	}
	if len(in.marks) < maxStates {
		in.marks = append(in.marks, m)
	}
}

func (in *interpreter) properties(m *marking, list any, resources object) {
	switch p := list.(type) {
	case map[string]any:
		if id, ok := p["MCID"].(int64); ok && id >= 0 && id < math.MaxInt32 {
			m.mark = int32(id)
		}
		if s, ok := p["ActualText"].(str); ok {
			m.actual, m.hasText = textString(string(s)), true
		}
	case name:
		o := resources.path("Properties", string(p))
		if id := o.key("MCID"); id.isInt() && id.int() >= 0 && id.int() < math.MaxInt32 {
			m.mark = int32(id.int())
		}
		if t := o.key("ActualText"); !t.isNull() {
			m.actual, m.hasText = t.text(), true
		}
	}
}

// endMark closes a level. Its replacement text takes the place of what its glyphs said.
func (in *interpreter) endMark() {
	n := len(in.marks)
	if n == 0 {
		return
	}
	m := in.marks[n-1]
	in.marks = in.marks[:n-1]
	if !m.hasText || m.first >= len(in.Out.Glyphs) {
		return
	}
	replaced := in.Out.Glyphs[m.first:]
	replaced[0].Text = m.actual
	for i := range replaced {
		replaced[i].Unknown = false
	}
	last := replaced[len(replaced)-1]
	replaced[0].Dx, replaced[0].Dy = last.X+last.Dx-replaced[0].X, last.Y+last.Dy-replaced[0].Y
	in.Out.Glyphs = in.Out.Glyphs[:m.first+1]
}

func (in *interpreter) alt() string {
	for i := len(in.marks) - 1; i >= 0; i-- {
		if in.marks[i].actual != "" {
			return in.marks[i].actual
		}
	}
	return ""
}
