package office

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// fuzzLimits keep one input of the fuzzer cheap.
var fuzzLimits = Limits{Unzipped: 4 << 20, Entries: 1000, Cells: 10_000, Pages: 100, Text: 1 << 20}

// check runs a reader on bytes of any kind: whatever it answers must be harmless HTML or an error with a type.
func check(t *testing.T, read reader, body []byte) {
	t.Helper()
	damaged(t, "fuzz", func(ctx context.Context, b []byte, o Options) (*Document, error) {
		o.Limits = fuzzLimits
		return read(ctx, b, o)
	}, body)
}

// seeds adds the samples of a kind, for readers whose files are no archives.
func seeds(f *testing.F, ext string) {
	files, err := filepath.Glob("testdata/golden/*" + ext)
	if err != nil || len(files) == 0 {
		f.Fatal(err, files)
	}
	for _, name := range files {
		if body, err := os.ReadFile(name); err == nil {
			f.Add(body)
		}
	}
}

// partSeeds adds one part of the samples of a kind: bytes of archives themselves mutate into nothing.
func partSeeds(f *testing.F, ext, part string) {
	files, err := filepath.Glob("testdata/golden/*" + ext)
	if err != nil || len(files) == 0 {
		f.Fatal(err, files)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		p, err := openPack(body, Limits{}.withDefaults())
		if err != nil {
			f.Fatal(err)
		}
		if data, err := p.read(part); err == nil && len(data) < 40_000 {
			f.Add(data)
		}
	}
}

func FuzzRTF(f *testing.F) {
	seeds(f, ".rtf")
	f.Fuzz(func(t *testing.T, body []byte) { check(t, RTF, body) })
}

func FuzzXLS(f *testing.F) {
	seeds(f, ".xls")
	f.Fuzz(func(t *testing.T, body []byte) { check(t, XLS, body) })
}

func FuzzMSG(f *testing.F) {
	f.Add(savedMessage(f))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, MSG, body) })
}

func FuzzPPT(f *testing.F) {
	seeds(f, ".ppt")
	f.Fuzz(func(t *testing.T, body []byte) { check(t, PPT, body) })
}

func FuzzDOC(f *testing.F) {
	seeds(f, ".doc")
	f.Fuzz(func(t *testing.T, body []byte) { check(t, DOC, body) })
}

func FuzzCSV(f *testing.F) {
	seeds(f, ".csv")
	f.Fuzz(func(t *testing.T, body []byte) { check(t, CSV, body) })
}

func FuzzEML(f *testing.F) {
	f.Add([]byte("From: a@b\nSubject: =?utf-8?q?x?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\neA==\n--b\nContent-Type: text/html\n\n<p>x\n--b--"))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, EML, body) })
}

func FuzzArchive(f *testing.F) {
	for _, name := range []string{"made.docx", "testEXCEL-formats.xlsx", "test.epub"} {
		body, err := os.ReadFile("testdata/golden/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		ZipKind(body)
		for _, z := range zipReaders {
			check(t, z.read, body)
		}
	})
}

func FuzzDOCX(f *testing.F) {
	partSeeds(f, ".docx", "word/document.xml")
	f.Fuzz(func(t *testing.T, body []byte) {
		check(t, DOCX, archive(t, "word/document.xml", string(body), "word/styles.xml", docxStylesXML, "word/numbering.xml", docxNumberingXML,
			"word/_rels/document.xml.rels", docxRelsXML, "word/footnotes.xml", docxFootnotesXML))
	})
}

func FuzzDOCX_parts(f *testing.F) {
	f.Add([]byte(docxStylesXML), []byte(docxNumberingXML), []byte(docxRelsXML), []byte(docxFootnotesXML))
	text := docxOpen + wp(style("NumH"), wr("", "a")) + wp(num("1", "1")+style("Loop1"), wr(`<w:rStyle w:val="Strong"/>`, "b")) + `<w:p><w:hyperlink r:id="web"><w:r><w:footnoteReference w:id="2"/></w:r></w:hyperlink></w:p></w:body></w:document>`
	f.Fuzz(func(t *testing.T, styles, numbering, rels, notes []byte) {
		check(t, DOCX, archive(t, "word/document.xml", text, "word/styles.xml", string(styles), "word/numbering.xml", string(numbering),
			"word/_rels/document.xml.rels", string(rels), "word/footnotes.xml", string(notes)))
	})
}

func FuzzPPTX(f *testing.F) {
	partSeeds(f, ".pptx", "ppt/slides/slide1.xml")
	partSeeds(f, ".pptx", "ppt/slides/slide2.xml")
	f.Fuzz(func(t *testing.T, body []byte) { check(t, PPTX, pptxOf(t, []string{string(body)})) })
}

func FuzzXLSX(f *testing.F) {
	f.Add([]byte(`<sheetData><row r="1"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="2"><v>45413.5</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells>`),
		[]byte(`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>x</t></si></sst>`),
		[]byte(`<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="170" formatCode="d.m.yy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`))
	f.Fuzz(func(t *testing.T, sheet, strings, styles []byte) {
		check(t, XLSX, sheetFile(t, string(sheet), "xl/sharedStrings.xml", string(strings), "xl/styles.xml", string(styles)))
	})
}

func FuzzODF(f *testing.F) {
	partSeeds(f, ".odt", "content.xml")
	partSeeds(f, ".ods", "content.xml")
	f.Add([]byte(odfOpen + `<office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document-content>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		file := archive(t, "content.xml", string(body), "styles.xml", odfStylesXML)
		for _, read := range []reader{ODT, ODS, ODP} {
			check(t, read, file)
		}
	})
}

func FuzzEPUB(f *testing.F) {
	f.Add([]byte(`<h1 id="a">x</h1><p>a<a epub:type="noteref" href="#a">1</a><math><mi>x</mi></math><table><tr><td>b`))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, EPUB, bookOf(t, nil, "", string(body))) })
}
