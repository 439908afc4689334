package office

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// longTable is a table of so many rows that it is written while it is read. Every third row begins a cell that goes on below.
func longTable(rows int) string {
	var b strings.Builder
	b.WriteString(`<w:tbl><w:tblPr><w:tblCaption w:val="Sacks"/></w:tblPr>`)
	for i := range rows {
		merge := []string{`<w:vMerge w:val="restart"/>`, "<w:vMerge/>", ""}[i%3]
		fmt.Fprintf(&b, "<w:tr><w:tc><w:tcPr>%s</w:tcPr>%s</w:tc><w:tc>%s</w:tc></w:tr>", merge, wp("", wr("", fmt.Sprintf("group %d", i))), wp("", wr("", fmt.Sprint(i))))
	}
	return b.String() + "</w:tbl>"
}

func TestDOCX_aLongTableIsWrittenAsAShortOne(t *testing.T) {
	const rows = 3 * 2000
	got := bodyOfDoc(t, DOCX, docxOf(t, wp("", wr("", "Before"))+longTable(rows)+wp("", wr("", "After"))), Options{})
	if n := strings.Count(got, "<tr>"); n != rows {
		t.Errorf("got %d rows, want %d", n, rows)
	}
	if n := strings.Count(got, `rowspan="2"`); n != rows/3 {
		t.Errorf("got %d cells that go on below, want %d", n, rows/3)
	}
	if strings.Count(got, "<table>") != 1 || strings.Count(got, "</table>") != 1 || strings.Count(got, "<caption>Sacks</caption>") != 1 {
		t.Error("want one table with one caption")
	}
	if !strings.HasPrefix(got, "<p>Before</p>") || !strings.HasSuffix(got, "<p>After</p>") {
		t.Errorf("got %s … %s", got[:30], got[len(got)-30:])
	}
}

func TestDOCX_aLongTableThatBreaksOffIsKept(t *testing.T) {
	body := archive(t, "word/document.xml", docxOpen+strings.TrimSuffix(longTable(600), "</w:tbl>")+"<w:tr><w:tc><w:p><w:r><w:t>half")
	doc, err := DOCX(t.Context(), body, Options{})
	if err != nil || len(doc.Warnings) != 1 || strings.Count(string(doc.Body), "<tr>") != 601 || !strings.Contains(string(doc.Body), "</table>") {
		t.Errorf("got %d rows, %v", strings.Count(string(doc.Body), "<tr>"), err)
	}
}

func TestReaders_memoryIsBounded(t *testing.T) {
	paragraph := wp("", strings.Repeat(wr("", "word "), 5000))
	sheet := archive(t, "xl/workbook.xml", "<workbook/>", "xl/sharedStrings.xml", strings.Repeat("<si><t>a</t></si>", 20_000))
	for name, c := range map[string]struct {
		read func() error
	}{
		"a paragraph": {func() error {
			_, err := DOCX(t.Context(), docxOf(t, paragraph), Options{Limits: Limits{Memory: 100_000}})
			return err
		}},
		"a part": {func() error {
			_, err := ODT(t.Context(), archive(t, "content.xml", strings.Repeat("x", 200_000)), Options{Limits: Limits{Memory: 100_000}})
			return err
		}},
		"strings": {func() error { _, err := XLSX(t.Context(), sheet, Options{Limits: Limits{Memory: 1 << 20}}); return err }},
		"a text": {func() error {
			_, err := CSV(t.Context(), []byte(strings.Repeat("a,b\n", 50_000)), Options{Limits: Limits{Memory: 100_000}})
			return err
		}},
	} {
		err := c.read()
		if e, ok := errors.AsType[*LimitError](err); !ok || e.What != "memory" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	many := strings.Repeat(wp("", wr("", "A sentence of some words.")), 5000)
	if _, err := DOCX(t.Context(), docxOf(t, many), Options{Limits: Limits{Memory: 100_000}}); err != nil {
		t.Errorf("many paragraphs: %v", err)
	}
}

func BenchmarkReaders(b *testing.B) {
	for ext, file := range map[string]string{
		".docx": "testWORD_numbered_list.docx", ".xlsx": "test.xlsx", ".pptx": "testPPT_various.pptx", ".odt": "made.odt", ".ods": "test-columnar.ods", ".rtf": "testRTFHyperlink.rtf", ".epub": "made.epub",
	} {
		body, err := os.ReadFile("testdata/golden/" + file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(ext[1:], func(b *testing.B) { benchmark(b, readers[ext], body) })
	}
}

func benchmark(b *testing.B, read reader, body []byte) {
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(b.Context(), body, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkXLSX_cells reads 100,000 cells.
func BenchmarkXLSX_cells(b *testing.B) {
	benchmark(b, XLSX, workbookOf(b, func(f *excelize.File) {
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		for r := range 10_000 {
			row := make([]any, 10)
			for c := range row {
				row[c] = r * c
			}
			row[0] = "a text of some length " + itoa(r)
			if err := w.SetRow("A"+itoa(r+1), row); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
	}))
}

// BenchmarkDOCX_paragraphs reads 10,000 paragraphs of 40 words.
func BenchmarkDOCX_paragraphs(b *testing.B) {
	para := wp(style("N"), wr("", strings.Repeat("words and ", 15))+wr("<w:b/>", "bold words ")+wr("", strings.Repeat("more ", 8)))
	benchmark(b, DOCX, archive(b, "word/document.xml", docxOpen+strings.Repeat(para, 10_000)+"</w:body></w:document>", "word/styles.xml", docxStylesXML))
}
