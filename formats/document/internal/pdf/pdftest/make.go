// Package pdftest makes PDF files for tests.
package pdftest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// DisableConfigDir keeps pdfcpu from writing into the user's home.
var DisableConfigDir = sync.OnceFunc(func() { model.ConfigPath = "disable" })

// Maker writes PDF files. The zero value is an empty file.
type Maker struct{ Objects []string }

// Add adds an object and returns its number.
func (m *Maker) Add(format string, args ...any) int {
	m.Objects = append(m.Objects, fmt.Sprintf(format, args...))
	return len(m.Objects)
}

// Set fills a place that Reserve kept.
func (m *Maker) Set(num int, format string, args ...any) {
	m.Objects[num-1] = fmt.Sprintf(format, args...)
}

// Reserve keeps a number for an object that Set gives later.
func (m *Maker) Reserve() int { return m.Add("null") }

// Stream adds a stream and returns its number.
func (m *Maker) Stream(dict, data string) int {
	return m.Add("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data)
}

// File is the whole file with a right cross-reference.
func (m *Maker) File(root int, more string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range m.Objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, root, more, at)
	return b.Bytes()
}

// Fonts are the fonts of made pages: F1 upright, F2 bold, F3 typewriter, F4 italic.
const Fonts = `/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>` +
	`/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>` +
	`/F3<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>` +
	`/F4<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Oblique/Encoding/WinAnsiEncoding>>>>`

// Page is a page's content, and its annotations in PDF syntax.
type Page struct{ Content, Annots string }

// File is a file of pages of 612 by 792 points.
func File(more string, pages ...Page) []byte {
	m := &Maker{}
	root, tree := m.Reserve(), m.Reserve()
	var kids strings.Builder
	for _, p := range pages {
		c := m.Stream("", p.Content)
		n := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Annots[%s]>>", tree, c, p.Annots)
		fmt.Fprintf(&kids, "%d 0 R ", n)
	}
	m.Set(tree, "<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 612 792]/Resources<<%s>>>>", len(pages), kids.String(), Fonts)
	m.Set(root, "<</Type/Catalog/Pages %d 0 R>>", tree)
	return m.File(root, more)
}

// Text is a file of one page with lines of text at the left, the first at the top.
func Text(lines ...string) []byte {
	var c strings.Builder
	for i, l := range lines {
		c.WriteString(TextAt("F1", 12, 72, 720-14*float64(i), l))
	}
	return File("", Page{Content: c.String()})
}

// TextAt is the content that shows text in a font and size with its baseline's start at x, y.
func TextAt(font string, size, x, y float64, text string) string {
	text = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)
	var bytes strings.Builder
	for _, r := range text {
		switch {
		case r == '•':
			bytes.WriteString(`\225`)
		case r < 0x100:
			bytes.WriteByte(byte(r))
		}
	}
	return fmt.Sprintf("BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, bytes.String())
}

// Drawing compiles the little language of testdata/layout. Each line is one of
//
//	x y font size text…        text with its baseline's start, from the bottom left
//	line x0 y0 x1 y1           a rule
//	link x0 y0 x1 y1 url       a link annotation
//	page                       the next page
//	# …                        a remark
func Drawing(t *testing.T, source string) []byte {
	t.Helper()
	pages := []Page{{}}
	for n, l := range strings.Split(source, "\n") {
		f := strings.Fields(l)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		p := &pages[len(pages)-1]
		switch {
		case f[0] == "page":
			pages = append(pages, Page{})
		case f[0] == "line" && len(f) == 5:
			p.Content += fmt.Sprintf("%s %s m %s %s l S\n", f[1], f[2], f[3], f[4])
		case f[0] == "link" && len(f) == 6:
			p.Annots += fmt.Sprintf("<</Type/Annot/Subtype/Link/Rect[%s %s %s %s]/A<</S/URI/URI(%s)>>>>", f[1], f[2], f[3], f[4], f[5])
		case len(f) >= 5:
			text := strings.SplitN(strings.TrimSpace(l), " ", 5)[4]
			x, err1 := strconv.ParseFloat(f[0], 64)
			y, err2 := strconv.ParseFloat(f[1], 64)
			size, err3 := strconv.ParseFloat(f[3], 64)
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatalf("line %d: %q", n+1, l)
			}
			p.Content += TextAt(f[2], size, x, y, text)
		default:
			t.Fatalf("line %d: %q", n+1, l)
		}
	}
	return File("", pages...)
}

// ThreePages is a file whose text runs over three pages with headers and numbers.
func ThreePages() []byte {
	texts := [3][2]string{
		{"The first page begins a sentence that is long enough to run over the end of the page and so", "it is not yet done when the page has no more room for it and the reader has to turn to the"},
		{"next one, where it goes on for a while in the same way as it did before, and does not come to", "an end there either, because the writer had not read the advice about long ones that is in the"},
		{"book of style on the shelf above his table.", "The last line."},
	}
	var pages []Page
	for i, t := range texts {
		c := TextAt("F1", 8, 72, 760, "The Harbour Book") + TextAt("F1", 9, 300, 30, fmt.Sprint(i+1)) +
			TextAt("F1", 10, 72, 700, t[0]) + TextAt("F1", 10, 72, 688, t[1])
		pages = append(pages, Page{Content: c})
	}
	return File("", pages...)
}

// Rewritten has pdfcpu write a file with object streams, encrypted if conf says so.
func Rewritten(t *testing.T, body []byte, conf *model.Configuration) []byte {
	t.Helper()
	DisableConfigDir()
	var out bytes.Buffer
	var err error
	if conf == nil {
		conf = model.NewDefaultConfiguration()
		conf.WriteObjectStream, conf.WriteXRefStream = true, true
		err = api.Optimize(bytes.NewReader(body), &out, conf)
	} else {
		err = api.Encrypt(bytes.NewReader(body), &out, conf)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
