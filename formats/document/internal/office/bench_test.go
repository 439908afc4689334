package office

import (
	"os"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

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
