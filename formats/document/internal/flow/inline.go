package flow

import (
	"html"
	"strconv"
	"strings"
)

// Style is how a text looks. The zero value is plain.
type Style struct {
	Bold, Italic, Strike, Sup, Sub, Code bool
	Href                                 string // see SafeHref
}

// Inline is the content of a paragraph. The zero value is an empty one.
type Inline struct {
	spans []span
}

type span struct {
	text  string // "\n" is a line break
	style Style
	img   *image
	note  int    // number of a note whose mark this is
	raw   string // markup instead of text
}

type image struct{ alt, src string }

// Text adds a text. Line feeds in it are line breaks.
func (p *Inline) Text(s string, st Style) {
	if s == "" {
		return
	}
	if last := len(p.spans) - 1; last >= 0 && p.spans[last].joins() && p.spans[last].style == st && len(p.spans[last].text) < 256 {
		p.spans[last].text += s
		return
	}
	p.spans = append(p.spans, span{text: s, style: st})
}

// joins reports a span that more text can be added to.
func (s span) joins() bool { return s.img == nil && s.note == 0 && s.raw == "" }

// Break adds a line break.
func (p *Inline) Break() { p.Text("\n", Style{}) }

// Image adds a picture. Without an address outside of the file, its alternative text stands for it.
func (p *Inline) Image(alt, src string, st Style) {
	alt = oneLine(alt)
	if src = SafeHref(src); src == "" && alt == "" {
		return
	}
	p.spans = append(p.spans, span{style: Style{Href: st.Href}, img: &image{alt, src}})
}

// Picture adds a picture of the file itself, under the address that it is kept at. Without one, its alternative text stands for it.
func (p *Inline) Picture(alt, address string, st Style) {
	if address == "" {
		p.Image(alt, "", st)
		return
	}
	p.spans = append(p.spans, span{style: Style{Href: st.Href}, img: &image{oneLine(alt), address}})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Markup adds harmless, balanced inline markup, such as a formula. plain is what it reads as.
func (p *Inline) Markup(raw, plain string) {
	if raw != "" {
		p.spans = append(p.spans, span{text: plain, raw: raw})
	}
}

// NoteMark adds the mark of a foot- or endnote, see Flow.Notes. Numbers begin with 1.
func (p *Inline) NoteMark(n int) {
	p.spans = append(p.spans, span{text: "[" + strconv.Itoa(n) + "]", note: n})
}

// CutMark takes off a list mark, such as "•" or "1.", that was typed before a tab, and gives it back; "" when there is none.
func (p *Inline) CutMark() string {
	p.trim()
	if len(p.spans) == 0 || !p.spans[0].joins() {
		return ""
	}
	mark, rest, ok := strings.Cut(p.spans[0].text, "\t")
	if !ok || !isMark(strings.TrimSpace(mark)) {
		return ""
	}
	p.spans[0].text = rest
	return mark
}

// isMark reports a sign, or a short number or letter with a dot or bracket.
func isMark(s string) bool {
	switch s {
	case "•", "·", "–", "-", "*", "◦", "▪", "o", "●", "■", "○", "➢", "✓":
		return true
	}
	short := strings.TrimRight(s, ".)")
	return len(s) == len(short)+1 && len(short) > 0 && len(short) <= 3 && strings.Trim(short, "0123456789") == "" || len(short) == 1 && len(s) == 2 && short[0]|0x20 >= 'a' && short[0]|0x20 <= 'z'
}

// Append adds all of q.
func (p *Inline) Append(q *Inline) { p.spans = append(p.spans, q.spans...) }

// Empty reports that nothing can be seen.
func (p *Inline) Empty() bool {
	for _, s := range p.spans {
		if s.img != nil || strings.TrimSpace(s.text) != "" {
			return false
		}
	}
	return true
}

// Plain is the text without styles.
func (p *Inline) Plain() string {
	var b strings.Builder
	for _, s := range p.spans {
		b.WriteString(s.text)
		if s.img != nil {
			b.WriteString(s.img.alt)
		}
	}
	return b.String()
}

// Restyle changes the style of all that is in p.
func (p *Inline) Restyle(change func(*Style)) {
	for i := range p.spans {
		change(&p.spans[i].style)
	}
}

// blanks are taken from the ends of paragraphs; non-breaking ones stand there to indent.
const blanks = " \t\r\n\u00A0"

// trim takes white space from both ends.
func (p *Inline) trim() {
	for len(p.spans) > 0 && p.spans[0].joins() {
		if p.spans[0].text = strings.TrimLeft(p.spans[0].text, blanks); p.spans[0].text != "" {
			break
		}
		p.spans = p.spans[1:]
	}
	for n := len(p.spans) - 1; n >= 0 && p.spans[n].joins(); n = len(p.spans) - 1 {
		if p.spans[n].text = strings.TrimRight(p.spans[n].text, blanks); p.spans[n].text != "" {
			break
		}
		p.spans = p.spans[:n]
	}
}

// appendTo writes the content as HTML.
func (p *Inline) appendTo(b []byte) []byte {
	p.trim()
	for i := 0; i < len(p.spans); {
		end := i + 1
		for end < len(p.spans) && p.spans[end].style.Href == p.spans[i].style.Href {
			end++
		}
		b = appendLinked(b, p.spans[i:end])
		i = end
	}
	return b
}

// appendLinked writes spans that share a link, or none.
func appendLinked(b []byte, spans []span) []byte {
	href := spans[0].style.Href
	group := Inline{spans: spans}
	if href == "" || group.Empty() {
		return appendSpans(b, spans)
	}
	b = append(b, `<a href="`...)
	b = append(b, html.EscapeString(href)...)
	b = append(b, `">`...)
	b = appendSpans(b, spans)
	return append(b, "</a>"...)
}

func appendSpans(b []byte, spans []span) []byte {
	for _, s := range spans {
		switch {
		case s.img != nil:
			b = appendImage(b, s.img)
		case s.note > 0:
			n := strconv.Itoa(s.note)
			b = append(b, `<sup><a id="note-ref-`+n+`" href="#note-`+n+`">`+n+`</a></sup>`...)
		case s.raw != "":
			b = append(b, s.raw...)
		default:
			b = appendStyled(b, s)
		}
	}
	return b
}

// appendImage writes an element that stays visible as text where there is no address.
func appendImage(b []byte, img *image) []byte {
	if img.src == "" {
		return append(append(append(b, `<span role="img">`...), html.EscapeString(img.alt)...), "</span>"...)
	}
	b = append(append(b, `<img src="`...), html.EscapeString(img.src)...)
	return append(append(append(b, `" alt="`...), html.EscapeString(img.alt)...), `">`...)
}

// appendStyled leaves white space at the ends outside of the emphasis.
func appendStyled(b []byte, s span) []byte {
	core := strings.TrimSpace(s.text)
	if core == "" {
		return appendText(b, s.text)
	}
	lead := strings.Index(s.text, core)
	open, end := s.style.tags()
	b = append(appendText(b, s.text[:lead]), open...)
	b = append(appendText(b, core), end...)
	return appendText(b, s.text[lead+len(core):])
}

func (st Style) tags() (open, end string) {
	for _, t := range []struct {
		on   bool
		name string
	}{{st.Bold, "strong"}, {st.Italic, "em"}, {st.Strike, "del"}, {st.Sup, "sup"}, {st.Sub, "sub"}, {st.Code, "code"}} {
		if t.on {
			open += "<" + t.name + ">"
			end = "</" + t.name + ">" + end
		}
	}
	return open, end
}

func appendText(b []byte, s string) []byte {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b = append(b, "<br>"...)
		}
		b = append(b, html.EscapeString(line)...)
	}
	return b
}

// SafeHref returns an address that a link may have: one of the web, of mail or of a telephone. All else, such as scripts, files of
// the author's machine and places inside the document, is "".
func SafeHref(href string) string {
	href = strings.TrimSpace(href)
	scheme, _, ok := strings.Cut(href, ":")
	const maxLen = 4096
	if !ok || len(href) > maxLen || strings.ContainsAny(href, "\n\r\t\x00") {
		return ""
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "tel", "ftp", "sms":
		return href
	}
	return ""
}
