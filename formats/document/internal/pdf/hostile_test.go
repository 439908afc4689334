package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// hostile are small files that make a careless reader hang, allocate or recurse without end.
func hostile() map[string][]byte {
	plain := string(pdftest.Text("Text"))
	put := func(old, new string) []byte { return []byte(strings.Replace(plain, old, new, 1)) }
	file := func(build func(m *pdftest.Maker) int) []byte { m := &pdftest.Maker{}; return m.File(build(m), "") }
	page := func(m *pdftest.Maker, content, resources string) int {
		c := m.Stream("", content)
		tree := m.Reserve()
		p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<<%s>>>>", tree, c, resources)
		m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]/MediaBox[0 0 612 792]>>", p)
		return m.Add("<</Type/Catalog/Pages %d 0 R>>", tree)
	}
	return map[string][]byte{
		"an object number of four milliards":  put("xref\n0 ", "xref\n4294967296 "),
		"a count of lines beyond all":         put("xref\n0 8", "xref\n0 99999999999"),
		"a size beyond all":                   put("/Size ", "/Size 99999999999 "),
		"a table that is its own predecessor": []byte(strings.Replace(plain, "/Root", fmt.Sprintf("/Prev %d/Root", strings.LastIndex(plain, "xref\n0")), 1)),
		"a count of pages beyond all":         put("/Count 1", "/Count 9999999999"),
		"a page tree that holds itself":       put("/Kids[", "/Kids[2 0 R 2 0 R "),
		"a resource that is the page itself":  put("/Parent", "/Resources 4 0 R/Parent"),
		"an array of arrays without end":      put("/Kids[", "/Kids"+strings.Repeat("[", 200_000)),
		"a dictionary of dictionaries":        put("/Kids[", "/X"+strings.Repeat("<</X", 200_000)),
		"a string without end":                put("(Text", "("+strings.Repeat("((", 50_000)),
		"headers of objects without objects":  []byte("%PDF-1.4\n" + strings.Repeat("1 0 obj [ ( ", 40_000)),
		"operators without operands":          []byte(pdftest.File("", pdftest.Page{Content: strings.Repeat("Tm Td TJ ' \" cm Do Tf BDC re l q ", 2000)})),
		"numbers beyond numbers":              []byte(pdftest.File("", pdftest.Page{Content: "1e99 99999999999999999999999999999999999999999 0 0 1 9999999999999999 9999999999999999 cm BT /F1 99999999999999 Tf (x) Tj ET"})),
		"a form that draws itself": file(func(m *pdftest.Maker) int {
			f := m.Reserve()
			m.Set(f, "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A %d 0 R>>>>/Length 5>>\nstream\n/A Do\nendstream", f)
			return page(m, "/A Do", fmt.Sprintf("/XObject<</A %d 0 R>>", f))
		}),
		"forms that double": file(func(m *pdftest.Maker) int {
			last := m.Stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "BT /F1 1 Tf (x) Tj ET")
			for range 40 {
				last = m.Stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A %d 0 R>>>>", last), "/A Do /A Do")
			}
			return page(m, "/A Do", fmt.Sprintf("/XObject<</A %d 0 R>>", last))
		}),
		"a predictor with columns beyond all": file(func(m *pdftest.Maker) int {
			c := m.Stream("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 99999999999>>", deflated("BT ET"))
			tree := m.Reserve()
			p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R>>", tree, c)
			m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", p)
			return m.Add("<</Type/Catalog/Pages %d 0 R>>", tree)
		}),
		"a character map of all codes": file(func(m *pdftest.Maker) int {
			u := m.Stream("", strings.Repeat("1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange\n", 5000))
			return page(m, "BT /F1 9 Tf (Text) Tj ET", fmt.Sprintf("/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/X/ToUnicode %d 0 R>>>>", u))
		}),
		"widths of all codes": file(func(m *pdftest.Maker) int {
			return page(m, "BT /F1 9 Tf <00410042> Tj ET", "/Font<</F1<</Type/Font/Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</W["+strings.Repeat("0 99999999 500 ", 3000)+"]>>]>>>>")
		}),
		"a length that refers to itself":      put("/Length ", "/Length 3 0 R/Longth "),
		"an outline that goes round":          file(func(m *pdftest.Maker) int { return outlineRing(m, page(m, "", "")) }),
		"packed objects that hold their size": packedRing(),
	}
}

func deflated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func outlineRing(m *pdftest.Maker, root int) int {
	o := m.Reserve()
	m.Set(o, "<</Title(Round)/First %d 0 R/Next %d 0 R>>", o, o)
	m.Set(root, "%s/Outlines<</First %d 0 R>>>>", strings.TrimSuffix(m.Objects[root-1], ">>"), o)
	return root
}

// packedRing is a file whose object stream has its own length inside itself.
func packedRing() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	at := b.Len()
	data := "3 0 4 4 27  <</Type/Catalog/Pages 5 0 R>>"
	fmt.Fprintf(&b, "2 0 obj\n<</Type/ObjStm/N 2/First 8/Length 3 0 R>>\nstream\n%s\nendstream\nendobj\n", data)
	xref := b.Len()
	rows := "\x00\x00\x00\x00" + "\x01\x00\x00\x00" + "\x01\x00" + string(byte(at)) + "\x00" + "\x02\x00\x02\x00" + "\x02\x00\x02\x01"
	fmt.Fprintf(&b, "1 0 obj\n<</Type/XRef/W[1 2 1]/Size 5/Root 4 0 R/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", len(rows), rows, xref)
	return b.Bytes()
}

// hang is what no file takes, however busy the machine is.
const hang = 2 * time.Minute

func TestRead_hostileFilesEnd(t *testing.T) {
	for name, body := range hostile() {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), hang)
			defer cancel()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			doc, err := Read(ctx, body, Options{})
			runtime.ReadMemStats(&after)
			if ctx.Err() != nil {
				t.Fatal("it took all of its time")
			}
			if all := (after.TotalAlloc - before.TotalAlloc) >> 20; all > 400 {
				t.Errorf("allocated %d MB for %d bytes", all, len(body))
			}
			if doc == nil && err == nil {
				t.Error("neither a document nor an error")
			}
		})
	}
}

// A file of which little is wrong is still read.
func TestRead_hostileFilesKeepTheirText(t *testing.T) {
	files := hostile()
	for _, name := range []string{
		"a count of pages beyond all", "a page tree that holds itself", "a count of lines beyond all", "a size beyond all",
		"a table that is its own predecessor", "a character map of all codes",
	} {
		if got := readText(t, files[name], Options{}); !strings.Contains(got, "Text") && name != "a character map of all codes" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestRead_unpacksNoMoreThanItMay(t *testing.T) {
	bomb := deflated(strings.Repeat("BT ET ", 4<<20))
	m := &pdftest.Maker{}
	c := m.Stream("/Filter/FlateDecode", bomb)
	tree := m.Reserve()
	p := m.Add("<</Type/Page/Parent %d 0 R/Contents[%s]>>", tree, strings.Repeat(fmt.Sprintf("%d 0 R ", c), 200))
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", p)
	body := m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
	doc, err := Read(t.Context(), body, Options{Unpacked: 1 << 20})
	if err == nil && (len(doc.Warnings) == 0 || doc.Pages[0].Status == "ok") {
		t.Errorf("%d bytes that unpack to 5 GB: got %+v", len(body), doc)
	}
}

// That it ends in the middle too is tested in package pdftest.
func TestRead_endsWithItsContext(t *testing.T) {
	body := pdftest.File("", pdftest.Page{Content: "0 0 m "})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, body, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRead_thousandsOfPagesAreNotRefused(t *testing.T) {
	pages := make([]pdftest.Page, 3000)
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	if doc, err := Read(ctx, pdftest.File("", pages...), Options{}); err != nil || len(doc.Pages) != 3000 {
		t.Errorf("got %v", err)
	}
}

// FuzzRead looks for files that panic the host, hang, or give markup that isn't bounded.
func FuzzRead(f *testing.F) {
	f.Add([]byte(pdftest.Text("The harbour at low water")))
	for _, body := range hostile() {
		if len(body) < 2000 {
			f.Add(body)
		}
	}
	f.Add(taggedFile(marked("P", "", 1, 3)+marked("P", "", 0, 2)+marked("P", "", 4), notesBeside...))
	f.Add(fontFile("/Subtype/Type1/BaseFont/X/FontDescriptor<</FontFile3 1 0 R>>", "41", compactFont("", "\x00\x01\x41")))
	f.Add([]byte("%PDF-1.4\n1 0 obj\n<</Type/Page/Contents 2 0 R>>\nendobj\n2 0 obj\n<<>>\nstream\nBT /F1 9 Tf (a) Tj ET"))
	f.Fuzz(func(t *testing.T, body []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), hang)
		defer cancel()
		doc, err := Read(ctx, body, Options{Unpacked: 16 << 20, Text: 1 << 20})
		if ctx.Err() != nil {
			t.Fatalf("%d bytes took all of their time", len(body))
		}
		if err == nil && len(doc.HTML) > 64<<20 {
			t.Errorf("%d bytes gave %d of HTML", len(body), len(doc.HTML))
		}
	})
}
