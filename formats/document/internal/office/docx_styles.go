package office

import (
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// role is what a paragraph is beside headings and list items.
type role uint8

const (
	roleText role = iota
	roleTitle
	rolePre
	roleQuote
)

// docxLook is what the properties of a paragraph and its styles come to.
type docxLook struct {
	role  role
	level int // of a heading, from 1; 0: none
	numID string
	ilvl  int
	text  flow.Style
}

// docxStyle is one style of styles.xml.
type docxStyle struct {
	name, basedOn, numID string
	outline              int // -1: unknown
	ilvl                 int
	runs                 *xmltree.Node
}

type docxStyles struct {
	byID     map[string]docxStyle
	looks    map[string]flow.Style // see runStyle
	fallback string                // id of the default paragraph style
}

// maxStyleDepth bounds how many styles may be based on each other; a circle ends there.
const maxStyleDepth = 20

func readDocxStyles(root *xmltree.Node) docxStyles {
	s := docxStyles{byID: map[string]docxStyle{}, looks: map[string]flow.Style{}}
	for _, n := range root.Kids {
		if n.Name != "w:style" {
			continue
		}
		id := n.Attr("styleId")
		if n.Attr("type") == "paragraph" && on(n.Attr("default")) && n.Attr("default") != "" {
			s.fallback = id
		}
		st := docxStyle{name: strings.ToLower(n.Find("w:name").Attr("val")), basedOn: n.Find("w:basedOn").Attr("val"), outline: -1, runs: n.Find("w:rPr")}
		props := n.Find("w:pPr")
		if v := props.Find("w:outlineLvl"); v != nil {
			st.outline = atoi(v.Attr("val"))
		}
		st.numID = props.Find("w:numPr", "w:numId").Attr("val")
		st.ilvl = atoi(props.Find("w:numPr", "w:ilvl").Attr("val"))
		s.byID[id] = st
	}
	return s
}

// chain calls visit for a style and those it is based on.
func (s docxStyles) chain(id string, visit func(docxStyle)) {
	for range maxStyleDepth {
		st, ok := s.byID[id]
		if !ok {
			return
		}
		visit(st)
		id = st.basedOn
	}
}

// paragraph works out what a paragraph with these properties is.
func (s docxStyles) paragraph(props *xmltree.Node) docxLook {
	var look docxLook
	id := props.Find("w:pStyle").Attr("val")
	if id == "" {
		id = s.fallback
	}
	outline := -1
	s.chain(id, func(st docxStyle) {
		if outline < 0 {
			outline = st.outline
		}
		if look.numID == "" && st.numID != "" {
			look.numID, look.ilvl = st.numID, st.ilvl
		}
		if look.role == roleText {
			look.role = roleOf(st.name)
		}
		if look.level == 0 {
			look.level = headingOf(st.name)
		}
	})
	if v := props.Find("w:outlineLvl"); v != nil {
		outline = atoi(v.Attr("val"))
	}
	if look.level == 0 && outline >= 0 && outline < 9 {
		look.level = outline + 1
	}
	if num := props.Find("w:numPr"); num != nil {
		if v, ok := num.Find("w:numId").Lookup("val"); ok {
			look.numID = v
		}
		look.ilvl = atoi(num.Find("w:ilvl").Attr("val"))
	}
	if look.level == 0 { // headings look bold by themselves
		look.text = s.runStyle(id)
	}
	return look
}

// headingOf is the level in a style's name: the names of built-in styles are the same in every language.
func headingOf(name string) int {
	if name == "title" {
		return 1
	}
	if rest, ok := strings.CutPrefix(name, "heading "); ok && len(rest) == 1 && rest[0] >= '1' && rest[0] <= '9' {
		return int(rest[0] - '0')
	}
	return 0
}

func roleOf(name string) role {
	switch name {
	case "title":
		return roleTitle
	case "html preformatted", "source code", "plain text", "preformatted text", "code", "code block", "macro":
		return rolePre
	case "quote", "intense quote", "block text", "quotations", "block quotation":
		return roleQuote
	}
	return roleText
}

// runStyle is the look of text in a style, of paragraphs or characters.
func (s docxStyles) runStyle(id string) flow.Style {
	if st, known := s.looks[id]; known {
		return st
	}
	var chain []*xmltree.Node
	s.chain(id, func(st docxStyle) { chain = append(chain, st.runs) })
	st := flow.Style{Code: isCodeStyle(s.byID[id].name)}
	for i := len(chain) - 1; i >= 0; i-- {
		applyRun(chain[i], &st)
	}
	if _, defined := s.byID[id]; defined {
		s.looks[id] = st
	}
	return st
}

// isCodeStyle knows the styles of characters that programs use for code inside a text.
func isCodeStyle(name string) bool {
	switch name {
	case "verbatim char", "html code", "source text", "inline code", "code char", "html typewriter", "html sample", "html keyboard", "teletype":
		return true
	}
	return false
}

// applyRun changes st by the properties of a run.
func applyRun(props *xmltree.Node, st *flow.Style) {
	if props == nil {
		return
	}
	for _, n := range props.Kids {
		switch n.Name {
		case "w:b":
			st.Bold = on(n.Attr("val"))
		case "w:i":
			st.Italic = on(n.Attr("val"))
		case "w:strike", "w:dstrike":
			st.Strike = on(n.Attr("val"))
		case "w:vertAlign":
			st.Sup, st.Sub = n.Attr("val") == "superscript", n.Attr("val") == "subscript"
		}
	}
}

// on reads a switch of WordprocessingML: there without a value, it is on.
func on(v string) bool { return v != "0" && v != "false" && v != "off" && v != "none" }

func itoa(n int) string { return strconv.Itoa(n) }

// atoi is 0 for what is no number.
func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
