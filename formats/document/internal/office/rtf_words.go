package office

import (
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// rtfCharacters are control words and symbols that stand for text.
var rtfCharacters = map[string]string{
	"\\": `\`, "{": "{", "}": "}", "~": "\u00A0", "_": "\u2011", "-": "",
	"tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
	"emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005",
}

// rtfWords are the control words that change something, beside those that begin a destination.
var rtfWords = map[string]func(*rtf, rtfToken){
	"par":          func(r *rtf, _ rtfToken) { r.inText(r.paragraph) },
	"sect":         func(r *rtf, _ rtfToken) { r.inText(r.paragraph) },
	"page":         func(r *rtf, _ rtfToken) { r.inText(r.paragraph) },
	"line":         func(r *rtf, _ rtfToken) { r.inText(r.text.para.Break) },
	"lbr":          func(r *rtf, _ rtfToken) { r.inText(r.text.para.Break) },
	"cell":         func(r *rtf, _ rtfToken) { r.inText(r.cell) },
	"nestcell":     func(r *rtf, _ rtfToken) { r.inText(r.paragraph) },
	"row":          func(r *rtf, _ rtfToken) { r.inText(r.text.endRow) },
	"trowd":        func(r *rtf, _ rtfToken) { r.text.row.defs, r.text.row.next, r.text.row.head = nil, rtfCellDef{}, false },
	"trhdr":        func(r *rtf, _ rtfToken) { r.text.row.head = true },
	"clmrg":        func(r *rtf, _ rtfToken) { r.text.row.next.left = true },
	"clvmrg":       func(r *rtf, _ rtfToken) { r.text.row.next.above = true },
	"cellx":        func(r *rtf, _ rtfToken) { r.text.row.edge() },
	"intbl":        func(r *rtf, _ rtfToken) { r.text.look.inTable = true },
	"pard":         func(r *rtf, _ rtfToken) { r.text.look = rtfLook{} },
	"s":            func(r *rtf, t rtfToken) { r.styleNumber(t.value) },
	"outlinelevel": func(r *rtf, t rtfToken) { r.outline(t.value) },
	"ls":           func(r *rtf, t rtfToken) { r.listNumber(t.value) },
	"ilvl":         func(r *rtf, t rtfToken) { r.text.look.level = t.value },
	"li":           func(r *rtf, t rtfToken) { r.text.look.indent = t.value },
	"fi":           func(r *rtf, t rtfToken) { r.text.look.hanging = t.value < 0 },
	"plain":        func(r *rtf, _ rtfToken) { r.plain() },
	"b":            func(r *rtf, t rtfToken) { r.state.style.Bold = t.on() },
	"i":            func(r *rtf, t rtfToken) { r.state.style.Italic = t.on() },
	"strike":       func(r *rtf, t rtfToken) { r.state.style.Strike = t.on() },
	"striked":      func(r *rtf, t rtfToken) { r.state.style.Strike = t.on() },
	"super":        func(r *rtf, t rtfToken) { r.state.style.Sup, r.state.style.Sub = t.on(), false },
	"sub":          func(r *rtf, t rtfToken) { r.state.style.Sub, r.state.style.Sup = t.on(), false },
	"nosupersub":   func(r *rtf, _ rtfToken) { r.state.style.Sub, r.state.style.Sup = false, false },
	"v":            func(r *rtf, t rtfToken) { r.state.hidden = t.on() },
	"deleted":      func(r *rtf, t rtfToken) { r.state.hidden = t.on() },
	"f":            func(r *rtf, t rtfToken) { r.state.font = t.value; r.fontNumber(t.value) },
	"fcharset":     func(r *rtf, t rtfToken) { r.fontCharset(t.value) },
	"uc":           func(r *rtf, t rtfToken) { r.state.skipped = min(max(t.value, 0), 8) },
	"ansicpg":      func(r *rtf, t rtfToken) { r.setCodepage(t.value) },
	"mac":          func(r *rtf, _ rtfToken) { r.setCodepage(10000) },
	"pc":           func(r *rtf, _ rtfToken) { r.setCodepage(437) },
	"pca":          func(r *rtf, _ rtfToken) { r.setCodepage(850) },
	"levelnfc":     func(r *rtf, t rtfToken) { r.lists.format(t.value) },
	"levelnfcn":    func(r *rtf, t rtfToken) { r.lists.format(t.value) },
	"levelstartat": func(r *rtf, t rtfToken) { r.lists.start(t.value) },
	"listid":       func(r *rtf, t rtfToken) { r.lists.id(t.value) },
}

// on reads a switch: there without a value, it is on.
func (t rtfToken) on() bool { return !t.has || t.value != 0 }

// inText does something to the text, unless what is being read isn't part of it.
func (r *rtf) inText(do func()) {
	if r.state.sink == nil && !r.state.skip {
		do()
	}
}

// edge ends the definition of a cell.
func (row *rtfRow) edge() {
	if len(row.defs) < maxColumns {
		row.defs = append(row.defs, row.next)
	}
	row.next = rtfCellDef{}
}

func (r *rtf) plain() {
	r.state.style = flow.Style{Href: r.state.style.Href}
	r.state.hidden = false
}

// rtfSkipped are destinations of which nothing is shown.
var rtfSkipped = map[string]bool{
	"colortbl": true, "pict": true, "header": true, "headerl": true, "headerr": true, "headerf": true,
	"footer": true, "footerl": true, "footerr": true, "footerf": true, "filetbl": true, "private": true, "revtbl": true,
	"nonshppict": true, "shprslt": true, "sp": true, "objdata": true, "objclass": true, "annotation": true, "atnid": true, "atnauthor": true,
	"xe": true, "tc": true, "tcn": true, "rxe": true, "bkmkstart": true, "bkmkend": true, "leveltext": true, "levelnumbers": true, "listname": true,
	"nonesttables": true, "falt": true, "panose": true, "buptim": true, "printim": true, "comment": true, "operator": true, "company": true, "manager": true,
	"category": true, "doccomm": true, "hlinkbase": true, "template": true, "ftnsep": true, "ftnsepc": true, "ftncn": true, "aftnsep": true, "aftnsepc": true, "aftncn": true,
}

// rtfStarred are destinations marked with a star that are read all the same.
var rtfStarred = map[string]bool{"shpinst": true, "shptxt": true, "fldinst": true, "listtable": true, "listoverridetable": true, "footnote": true, "pn": true, "nesttableprops": true, "cs": true, "do": true, "dptxbxtext": true}

// destination begins one when t is the first word of a group. It reports whether t has been dealt with.
func (r *rtf) destination(t rtfToken, star bool) bool {
	if r.state.skip {
		return true
	}
	if begin := rtfDestinations[t.word]; begin != nil {
		begin(r, t)
		return true
	}
	if rtfSkipped[t.word] || star && !rtfStarred[t.word] {
		r.state.skip = true
		return true
	}
	return false
}

var rtfDestinations = map[string]func(*rtf, rtfToken){
	"fonttbl":    func(r *rtf, _ rtfToken) { r.collect(func(string) {}) },
	"stylesheet": func(r *rtf, _ rtfToken) { r.beginStyles() },
	"title":      func(r *rtf, _ rtfToken) { m := &r.job.doc.Meta; r.collect(func(s string) { m.Title = s }) },
	"author":     func(r *rtf, _ rtfToken) { m := &r.job.doc.Meta; r.collect(func(s string) { m.Author = s }) },
	"subject":    func(r *rtf, _ rtfToken) { m := &r.job.doc.Meta; r.collect(func(s string) { m.Subject = s }) },
	"keywords": func(r *rtf, _ rtfToken) {
		m := &r.job.doc.Meta
		r.collect(func(s string) { m.Keywords = flow.SplitKeywords(s) })
	},
	"creatim":           func(r *rtf, _ rtfToken) { r.date(&r.job.doc.Meta.Created) },
	"revtim":            func(r *rtf, _ rtfToken) { r.date(&r.job.doc.Meta.Modified) },
	"info":              func(r *rtf, _ rtfToken) { r.collect(func(string) {}) },
	"listtext":          func(r *rtf, _ rtfToken) { r.collectMarker() },
	"pntext":            func(r *rtf, _ rtfToken) { r.collectMarker() },
	"pn":                func(r *rtf, _ rtfToken) { r.state.skip = true },
	"field":             func(r *rtf, _ rtfToken) { r.beginField() },
	"fldinst":           func(r *rtf, _ rtfToken) { r.fieldInstruction() },
	"fldrslt":           func(r *rtf, _ rtfToken) { r.fieldResult() },
	"footnote":          func(r *rtf, _ rtfToken) { r.beginNote() },
	"listtable":         func(r *rtf, _ rtfToken) { r.collect(func(string) {}) },
	"list":              func(r *rtf, _ rtfToken) { r.lists.begin() },
	"listlevel":         func(r *rtf, _ rtfToken) { r.lists.level() },
	"listoverridetable": func(r *rtf, _ rtfToken) { r.collect(func(string) {}) },
	"listoverride":      func(r *rtf, _ rtfToken) { r.lists.override = 0 },
}

// collect takes the text of the group for something else than the document.
func (r *rtf) collect(use func(string)) {
	sink := &strings.Builder{}
	r.state.sink = sink
	r.state.onClose = func() { use(clean(sink.String())) }
}

func (r *rtf) collectMarker() {
	if r.state.sink == nil {
		r.collect(func(s string) { r.text.marker = s })
	}
}

// date reads \yr, \mo, \dy, \hr, \min of the group as they come.
func (r *rtf) date(into *time.Time) {
	var part [5]int
	for {
		at := r.lex.pos
		t := r.lex.next()
		if t.kind != rtfWord {
			r.lex.pos = at
			break
		}
		for i, name := range []string{"yr", "mo", "dy", "hr", "min"} {
			if t.word == name {
				part[i] = t.value
			}
		}
	}
	if part[0] >= 1900 && part[0] < 2200 && part[1] > 0 && part[2] > 0 {
		*into = time.Date(part[0], time.Month(part[1]), part[2], part[3], part[4], 0, 0, time.UTC)
	}
}

// rtfField is a field whose result is still to come.
type rtfField struct{ href string }

const maxRTFFields = 64 // open at once

func (r *rtf) beginField() {
	if len(r.fields) == maxRTFFields {
		return
	}
	r.fields = append(r.fields, &rtfField{})
	r.state.onClose = func() { r.fields = r.fields[:len(r.fields)-1] }
}

func (r *rtf) fieldInstruction() {
	if len(r.fields) == 0 {
		r.state.skip = true
		return
	}
	f := r.fields[len(r.fields)-1]
	r.collect(func(s string) { f.href = fieldLink(s) })
}

func (r *rtf) fieldResult() {
	if n := len(r.fields); n > 0 && r.fields[n-1].href != "" {
		r.state.style.Href = r.fields[n-1].href
	}
}
