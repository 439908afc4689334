package flow

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// keptElements may stay as they are; others lose their tags and keep what is inside.
var keptElements = map[atom.Atom]bool{
	atom.P: true, atom.Br: true, atom.Hr: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true,
	atom.Ul: true, atom.Ol: true, atom.Li: true, atom.Dl: true, atom.Dt: true, atom.Dd: true,
	atom.Table: true, atom.Caption: true, atom.Thead: true, atom.Tbody: true, atom.Tfoot: true, atom.Tr: true, atom.Th: true, atom.Td: true,
	atom.Blockquote: true, atom.Pre: true, atom.Code: true, atom.Kbd: true, atom.Samp: true,
	atom.B: true, atom.Strong: true, atom.I: true, atom.Em: true, atom.S: true, atom.Del: true, atom.Sup: true, atom.Sub: true, atom.Q: true,
	atom.A: true, atom.Img: true, atom.Section: true, atom.Article: true, atom.Div: true, atom.Figure: true, atom.Figcaption: true,
	atom.Ruby: true, atom.Math: true, atom.Aside: true, atom.Rt: true, atom.Rp: true, atom.Center: true,
}

// droppedElements go with all inside them.
var droppedElements = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Head: true, atom.Title: true, atom.Iframe: true, atom.Object: true,
	atom.Embed: true, atom.Svg: true,
	atom.Form: true, atom.Template: true, atom.Noscript: true, atom.Audio: true, atom.Video: true, atom.Canvas: true,
	atom.Select: true, atom.Textarea: true,
}

// maxFragmentDepth is how many elements of a fragment may be open at once; deeper ones lose their tags.
const maxFragmentDepth = 100

// Links resolve the links of a fragment. The zero value drops all that don't lead to the web.
type Links struct {
	// Base resolves relative links, when not nil.
	Base *url.URL
	// Anchor, when not nil, returns the id in the whole document of a place that a note or its mark leads to, given as a
	// relative link; "" for none.
	Anchor func(ref string) string
	// Picture, when not nil, returns the address that a picture of the file is kept at, given as a relative link; "" for none.
	Picture func(src string) string
}

// Fragment reduces HTML that came inside a file to structure: no scripts, styles, forms, attributes but
// those that carry meaning, all elements closed. Pictures of the web keep their address, those of the file get that of Links.Picture,
// others become their alternative text.
func Fragment(src []byte, links Links) []byte {
	f := fragment{z: html.NewTokenizer(bytes.NewReader(src)), links: links}
	f.z.SetMaxBuf(4 << 20) // one token; a longer one ends the fragment
	for f.step() {
	}
	for len(f.open) > 0 {
		f.pop()
	}
	return f.out
}

type fragment struct {
	z     *html.Tokenizer
	links Links
	out   []byte
	open  []string
	math  int    // elements of formulas that are open
	drop  string // the element whose inside is being dropped
	deep  int    // how many of its name are open
}

func (f *fragment) step() bool {
	switch kind := f.z.Next(); kind {
	case html.ErrorToken:
		return false
	case html.TextToken:
		if f.drop == "" {
			f.out = append(f.out, html.EscapeString(string(f.z.Text()))...)
		}
	case html.StartTagToken, html.SelfClosingTagToken:
		f.start(f.z.Token(), kind == html.SelfClosingTagToken)
	case html.EndTagToken:
		f.end(f.z.Token().Data)
	}
	return true
}

func (f *fragment) start(t html.Token, selfClosing bool) {
	switch {
	case f.drop == "svg" && t.Data == "image" && f.links.Picture != nil: // so books show their covers
		f.img(t)
	case f.drop != "":
		if t.Data == f.drop && !selfClosing {
			f.deep++
		}
	case droppedElements[t.DataAtom] || f.math > 0 && strings.HasPrefix(t.Data, "annotation"):
		if !selfClosing {
			f.drop, f.deep = t.Data, 1
		}
	case t.DataAtom == atom.Img:
		f.img(t)
	case f.keeps(t) && len(f.open) < maxFragmentDepth:
		f.out = append(append(append(f.out, '<'), t.Data...), f.attrs(t)...)
		f.out = append(f.out, '>')
		if t.DataAtom == atom.Br || t.DataAtom == atom.Hr {
			return
		}
		f.push(t.Data)
		if selfClosing { // XHTML's empty element
			f.pop()
		}
	}
}

// keeps reports an element that stays; inside of a formula, all of MathML's.
func (f *fragment) keeps(t html.Token) bool {
	if f.math == 0 {
		return keptElements[t.DataAtom]
	}
	return IsMath(t.Data)
}

// IsMath reports a name of an element of MathML that shows something.
func IsMath(name string) bool {
	if !strings.HasPrefix(name, "m") || len(name) > 16 || name == "merror" || name == "maction" {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == ""
}

func (f *fragment) end(name string) {
	if f.drop != "" {
		if name == f.drop {
			if f.deep--; f.deep == 0 {
				f.drop = ""
			}
		}
		return
	}
	for i := len(f.open) - 1; i >= 0; i-- {
		if f.open[i] == name {
			for len(f.open) > i {
				f.pop()
			}
			return
		}
	}
}

func (f *fragment) push(name string) {
	f.open = append(f.open, name)
	if f.math > 0 || name == "math" {
		f.math++
	}
}

func (f *fragment) pop() {
	last := len(f.open) - 1
	f.out = append(append(append(f.out, "</"...), f.open[last]...), '>')
	f.open = f.open[:last]
	f.math = max(f.math-1, 0)
}

func (f *fragment) attrs(t html.Token) string {
	const many = 64 // attributes that any element needs
	t.Attr = t.Attr[:min(len(t.Attr), many)]
	out := ""
	note := isNoteLink(t)
	for _, a := range t.Attr {
		switch a.Key {
		case "href":
			if href := f.href(a.Val, note); t.DataAtom == atom.A && href != "" {
				out += ` href="` + html.EscapeString(href) + `"`
			}
		case "id":
			if f.links.Anchor != nil {
				out += ` id="` + html.EscapeString(f.links.Anchor("#"+a.Val)) + `"`
			}
		case "colspan", "rowspan", "start", "value", "reversed", "lang", "dir", "display", "mathvariant", "linethickness":
			out += " " + a.Key + `="` + html.EscapeString(a.Val) + `"`
		case "class": // names the language of code
			if t.DataAtom == atom.Code || t.DataAtom == atom.Pre {
				out += ` class="` + html.EscapeString(a.Val) + `"`
			}
		}
	}
	return out
}

func (f *fragment) href(ref string, note bool) string {
	if note && f.links.Anchor != nil {
		if id := f.links.Anchor(ref); id != "" {
			return "#" + id
		}
	}
	return f.resolve(ref)
}

// isNoteLink reports a link that says it is the mark of a note, or leads back to one.
func isNoteLink(t html.Token) bool {
	for _, a := range t.Attr {
		switch v := strings.ToLower(a.Val); a.Key {
		case "epub:type", "role", "class":
			if t.DataAtom == atom.A && (strings.Contains(v, "noteref") || strings.Contains(v, "backlink") || strings.Contains(v, "footnote")) {
				return true
			}
		}
	}
	return false
}

func (f *fragment) img(t html.Token) {
	var img image
	for _, a := range t.Attr {
		switch a.Key {
		case "src":
			img.src = f.picture(a.Val)
		case "href", "xlink:href":
			if t.Data == "image" && img.src == "" {
				img.src = f.picture(a.Val)
			}
		case "alt":
			img.alt = oneLine(a.Val)
		}
	}
	if img.src != "" || img.alt != "" {
		f.out = appendImage(f.out, &img)
	}
}

// picture is the address of a picture of the web, or of one of the file that is kept.
func (f *fragment) picture(ref string) string {
	src := f.resolve(ref)
	if src == "" && f.links.Picture != nil {
		src = f.links.Picture(strings.TrimSpace(ref))
	}
	return src
}

// resolve is the address a link leads to, "" for one that leads nowhere outside the file.
func (f *fragment) resolve(ref string) string {
	ref = strings.TrimSpace(ref)
	if safe := SafeHref(ref); safe != "" || f.links.Base == nil || strings.HasPrefix(ref, "#") {
		return safe
	}
	u, err := f.links.Base.Parse(ref)
	if err != nil {
		return ""
	}
	return SafeHref(u.String())
}
