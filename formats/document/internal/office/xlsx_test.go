package office

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

// workbookOf makes a workbook by the library that is also the reader's.
func workbookOf(tb testing.TB, fill func(f *excelize.File), opts ...excelize.Options) []byte {
	tb.Helper()
	f := excelize.NewFile()
	defer f.Close()
	fill(f)
	var b bytes.Buffer
	if err := f.Write(&b, opts...); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestXLSX_datesAreISOAndNumbersAsShown(t *testing.T) {
	when := time.Date(2024, 5, 1, 10, 30, 15, 0, time.UTC)
	for _, c := range []struct {
		format string
		value  any
		want   string
	}{
		{"dd/mm/yyyy", when, "2024-05-01"},
		{"[$-409]mmmm d, yyyy;@", when, "2024-05-01"},
		{"m/d/yy h:mm", when, "2024-05-01 10:30"},
		{`"at" h:mm:ss "on" d\.m\.yy`, when, "2024-05-01 10:30:15"},
		{"mmm-yy", when, "2024-05"},
		{"h:mm", when, "10:30"},
		{"0.00", 3.14159, "3.14"},
		{"#,##0", 1234567.0, "1,234,567"},
		{"0%", 0.25, "25%"},
		{`0.0"d"`, 2.5, "2.5d"},
		{"General", 0.1 + 0.2, "0.3"},
		{"@", "2024-05-01", "2024-05-01"},
	} {
		t.Run(c.format, func(t *testing.T) {
			body := workbookOf(t, func(f *excelize.File) {
				st, err := f.NewStyle(&excelize.Style{CustomNumFmt: &c.format})
				if err != nil {
					t.Fatal(err)
				}
				f.SetCellValue("Sheet1", "A1", c.value)
				f.SetCellStyle("Sheet1", "A1", "A1", st)
			})
			want := "<h2>Sheet1</h2><table><tr><td>" + c.want + "</td></tr></table>"
			if got := bodyOfDoc(t, XLSX, body, Options{}); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestXLSX_builtinDateFormats(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) {
		for i, id := range []int{14, 15, 17, 22} {
			st, err := f.NewStyle(&excelize.Style{NumFmt: id})
			if err != nil {
				t.Fatal(err)
			}
			cell := string(rune('A'+i)) + "1"
			f.SetCellValue("Sheet1", cell, 45413.5)
			f.SetCellStyle("Sheet1", cell, cell, st)
		}
	})
	want := "<h2>Sheet1</h2><table><tr><td>2024-05-01</td><td>2024-05-01</td><td>2024-05</td><td>2024-05-01 12:00</td></tr></table>"
	if got := bodyOfDoc(t, XLSX, body, Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestXLSX_mergedCellsLinksAndHiddenSheets(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) {
		for cell, v := range map[string]string{"B2": "wide", "B3": "a", "C3": "b", "D3": "c\nd", "D2": "tall"} {
			f.SetCellValue("Sheet1", cell, v)
		}
		f.MergeCell("Sheet1", "B2", "C2")
		f.SetCellHyperLink("Sheet1", "B3", "https://example.org/?a=1&b=2", "External")
		f.SetCellHyperLink("Sheet1", "C3", "javascript:alert(1)", "External")
		f.NewSheet("Second")
		f.SetCellValue("Second", "A1", 1)
		f.NewSheet("Secret")
		f.SetCellValue("Secret", "A1", "no")
		f.SetSheetVisible("Secret", false)
		f.NewSheet("Empty")
	})
	doc, err := XLSX(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `<h2>Sheet1</h2><table><thead><tr><th colspan="2">wide</th><th>tall</th></tr></thead><tr><td><a href="https://example.org/?a=1&amp;b=2">a</a></td><td>b</td><td>c<br>d</td></tr></table>` +
		`<h2>Second</h2><table><tr><td>1</td></tr></table>`
	if got := squeeze(doc.Body); got != want || len(doc.Warnings) != 1 {
		t.Errorf("got  %s %v\nwant %s", got, doc.Warnings, want)
	}
}

func TestXLSX_cellsBeyondTheLimitAreLeftOut(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) {
		for i := range 100 {
			f.SetSheetRow("Sheet1", "A"+itoa(i+1), &[]int{1, 2, 3, 4, 5})
		}
	})
	doc, err := XLSX(t.Context(), body, Options{Limits: Limits{Cells: 50}})
	if err != nil || strings.Count(string(doc.Body), "<tr>") != 10 || len(doc.Warnings) != 1 {
		t.Errorf("got %s, %v, %v", doc.Body, doc, err)
	}
}

func TestXLSX_encryptedFilesOpenWithTheirPassword(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) { f.SetCellValue("Sheet1", "A1", "secret") }, excelize.Options{Password: "pw"})
	if kind := compound.Kind(body); kind != "encrypted" {
		t.Errorf("got kind %q", kind)
	}
	if _, err := XLSX(t.Context(), body, Options{}); err != ErrEncrypted {
		t.Errorf("without password: got %v", err)
	}
	if _, err := XLSX(t.Context(), body, Options{Password: "wrong"}); err != ErrPassword {
		t.Errorf("with a wrong one: got %v", err)
	}
	if got := bodyOfDoc(t, XLSX, body, Options{Password: "pw"}); !strings.Contains(got, "secret") {
		t.Errorf("got %s", got)
	}
}

const worksheetRel = `<Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>`

// sheetFile makes a workbook of the XML of its only sheet.
func sheetFile(tb testing.TB, sheet string, parts ...string) []byte {
	if !slices.Contains(parts, "xl/_rels/workbook.xml.rels") {
		parts = append(parts, "xl/_rels/workbook.xml.rels", rels(worksheetRel))
	}
	return archive(tb, append(parts, "[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels", rels(`<Relationship Id="1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>`),
		"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="s"/></sheets></workbook>`,
		"xl/worksheets/sheet1.xml", `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`+sheet+`</worksheet>`)...)
}

func TestXLSX_hostileSheetsEnd(t *testing.T) {
	var far, merges strings.Builder
	for i := range 2000 {
		far.WriteString(`<row r="` + itoa(500*i+1) + `"><c r="XFD` + itoa(500*i+1) + `"><v>1</v></c></row>`)
		merges.WriteString(`<mergeCell ref="A1:XFD1048576"/>`)
	}
	for name, c := range map[string]struct{ sheet, want string }{
		"far cells":   {"<sheetData>" + far.String() + "</sheetData>", ""},
		"huge merges": {`<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row></sheetData><mergeCells>` + merges.String() + "</mergeCells>", `<h2>S</h2><table><tr><td colspan="2">1</td></tr></table>`},
		"no end":      {`<sheetData><row r="1"><c r="A1"><v>1</v></c></row>`, "<h2>S</h2><table><tr><td>1</td></tr></table>"},
		"false numbers": {`<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="-5"><c r="A1" s="99999" t="s"><v>99999999</v></c></row><row r="x"><c r="ZZZZZ9"><v>1</v></c></row></sheetData>`,
			"<h2>S</h2><table><tr><td>1</td></tr></table>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bodyOfDoc(t, XLSX, sheetFile(t, c.sheet), Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestXLSX_macrosAreNeitherReadNorRun(t *testing.T) {
	body := sheetFile(t, `<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>`, "xl/vbaProject.bin", strings.Repeat("macro", 100))
	if got := bodyOfDoc(t, XLSX, body, Options{}); got != "<h2>S</h2><table><tr><td>1</td></tr></table>" && got != "<h2>S</h2><p>1</p>" {
		t.Errorf("got %s", got)
	}
}

func TestXLSX_textsThatCellsShareDoNotFillTheMemory(t *testing.T) {
	long := "<si>" + strings.Repeat("<r><t>"+strings.Repeat("x", 90)+"</t></r>", 10_000) + "</si>"
	sst := `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` + long + "</sst>"
	row := `<row>` + strings.Repeat(`<c t="s"><v>0</v></c>`, 16_000) + "</row>"
	_, err := XLSX(t.Context(), sheetFile(t, "<sheetData>"+row+"</sheetData>", "xl/sharedStrings.xml", sst), Options{})
	if _, ok := err.(*LimitError); !ok {
		t.Errorf("one row: got %v", err)
	}
	rows := strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 10_000)
	doc, err := XLSX(t.Context(), sheetFile(t, "<sheetData>"+rows+"</sheetData>", "xl/sharedStrings.xml", sst), Options{Limits: Limits{Text: 5 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Warnings) == 0 || len(doc.Body) > 6<<20 {
		t.Errorf("many rows: got %d bytes, %v", len(doc.Body), err)
	}
}

func TestXLSX_partsThatGrowInMemoryAreRefused(t *testing.T) {
	sheet := "<sheetData><row><c><v>1</v></c></row></sheetData>"
	for name, body := range map[string][]byte{
		"a chain of calculations": sheetFile(t, sheet, "xl/calcChain.xml", "<calcChain>"+strings.Repeat("<c/>", maxStrings+1)+"</calcChain>"),
		"strings":                 sheetFile(t, sheet, "xl/sharedStrings.xml", "<sst>"+strings.Repeat("<si/>", maxStrings+1)+"</sst>"),
		"styles":                  sheetFile(t, sheet, "xl/styles.xml", "<styleSheet>"+strings.Repeat("<xf/>", maxStyles/5+1)+"</styleSheet>"),
		"a row":                   sheetFile(t, "<sheetData><row>"+strings.Repeat("<c><v>1</v></c>", 100_000)+"</row></sheetData>"),
	} {
		_, err := XLSX(t.Context(), body, Options{})
		if e, ok := err.(*LimitError); !ok || e.What != "cells" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestXLSX_twoPartsOfOneNameAreRefused(t *testing.T) {
	sheet := "<sheetData><row><c><v>1</v></c></row></sheetData>"
	_, err := XLSX(t.Context(), sheetFile(t, sheet, "xl/Styles.xml", "<styleSheet/>", "xl/styles.xml", "<styleSheet/>"), Options{})
	if _, ok := err.(*DamagedError); !ok {
		t.Errorf("got %v", err)
	}
}
