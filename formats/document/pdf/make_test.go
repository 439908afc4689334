package pdf

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// maker writes PDF files.
type maker struct{ objects []string }

func (m *maker) add(format string, args ...any) int {
	m.objects = append(m.objects, fmt.Sprintf(format, args...))
	return len(m.objects)
}

// set fills a place that reserve kept.
func (m *maker) set(num int, format string, args ...any) {
	m.objects[num-1] = fmt.Sprintf(format, args...)
}

func (m *maker) reserve() int { return m.add("null") }

func (m *maker) stream(dict, data string) int {
	return m.add("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data)
}

// file is the whole file with a right cross-reference.
func (m *maker) file(root int, more string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range m.objects {
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

// testFonts are the fonts of made pages: F1 upright, F2 bold, F3 typewriter, F4 italic.
const testFonts = `/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>` +
	`/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>` +
	`/F3<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>` +
	`/F4<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Oblique/Encoding/WinAnsiEncoding>>>>`

// madePage is a page's content, and its annotations in PDF syntax.
type madePage struct{ content, annots string }

// pagesFile is a file of pages of 612 by 792 points.
func pagesFile(more string, pages ...madePage) []byte {
	m := &maker{}
	root, tree := m.reserve(), m.reserve()
	var kids strings.Builder
	for _, p := range pages {
		c := m.stream("", p.content)
		n := m.add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Annots[%s]>>", tree, c, p.annots)
		fmt.Fprintf(&kids, "%d 0 R ", n)
	}
	m.set(tree, "<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 612 792]/Resources<<%s>>>>", len(pages), kids.String(), testFonts)
	m.set(root, "<</Type/Catalog/Pages %d 0 R>>", tree)
	return m.file(root, more)
}

// textFile is a file of one page with lines of text at the left, the first at the top.
func textFile(lines ...string) []byte {
	var c strings.Builder
	for i, l := range lines {
		c.WriteString(textAt("F1", 12, 72, 720-14*float64(i), l))
	}
	return pagesFile("", madePage{content: c.String()})
}

func textAt(font string, size, x, y float64, text string) string {
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

// drawing compiles the little language of testdata/layout. Each line is one of
//
//	x y font size text…        text with its baseline's start, from the bottom left
//	line x0 y0 x1 y1           a rule
//	link x0 y0 x1 y1 url       a link annotation
//	page                       the next page
//	# …                        a remark
func drawing(t *testing.T, source string) []byte {
	t.Helper()
	pages := []madePage{{}}
	for n, l := range strings.Split(source, "\n") {
		f := strings.Fields(l)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		p := &pages[len(pages)-1]
		switch {
		case f[0] == "page":
			pages = append(pages, madePage{})
		case f[0] == "line" && len(f) == 5:
			p.content += fmt.Sprintf("%s %s m %s %s l S\n", f[1], f[2], f[3], f[4])
		case f[0] == "link" && len(f) == 6:
			p.annots += fmt.Sprintf("<</Type/Annot/Subtype/Link/Rect[%s %s %s %s]/A<</S/URI/URI(%s)>>>>", f[1], f[2], f[3], f[4], f[5])
		case len(f) >= 5:
			text := strings.SplitN(strings.TrimSpace(l), " ", 5)[4]
			x, err1 := strconv.ParseFloat(f[0], 64)
			y, err2 := strconv.ParseFloat(f[1], 64)
			size, err3 := strconv.ParseFloat(f[3], 64)
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatalf("line %d: %q", n+1, l)
			}
			p.content += textAt(f[2], size, x, y, text)
		default:
			t.Fatalf("line %d: %q", n+1, l)
		}
	}
	return pagesFile("", pages...)
}
