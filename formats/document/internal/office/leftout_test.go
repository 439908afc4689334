package office

import (
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// warned reads a file and compares text and warnings.
func warned(t *testing.T, read reader, body []byte, want string, warnings ...string) {
	t.Helper()
	doc, err := read(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkHTML(t, doc.Body)
	if got := squeeze(doc.Body); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !slices.Equal(doc.Warnings, warnings) {
		t.Errorf("got  %q\nwant %q", doc.Warnings, warnings)
	}
}

func TestDOCX_commentsAndTrackedChangesAreNamed(t *testing.T) {
	deleted := func(s string) string { return `<w:del w:id="1"><w:r><w:delText>` + s + `</w:delText></w:r></w:del>` }
	inserted := func(s string) string { return `<w:ins w:id="2">` + wr("", s) + `</w:ins>` }
	cell := func(text string) string { return "<w:tc>" + wp("", text) + "</w:tc>" }
	comments := `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0"><w:p><w:r><w:t>psst</w:t></w:r></w:p></w:comment><w:comment w:id="1"/></w:comments>`
	text := wp("", wr("", "Twelve")+deleted(" old")+inserted(" new")+wr("", " sacks")+`<w:r><w:commentReference w:id="0"/></w:r>`) +
		wp("<w:rPr><w:del/></w:rPr>", wr("", "one ")) + wp("", wr("", "line")) +
		wp("", `<w:moveFrom>`+wr("", "away")+`</w:moveFrom>`) + wp("", `<w:moveTo>`+wr("", "here")+`</w:moveTo>`) +
		wp("", `<m:oMath><m:r><m:t>a</m:t></m:r><w:del><m:r><m:t>b</m:t></m:r></w:del></m:oMath>`) +
		`<w:tbl><w:tr><w:trPr><w:del/></w:trPr>` + cell(wr("", "x")) + `</w:tr><w:tr>` + cell(wr("", "a")) + cell(deleted("old")+wr("", "b")) + `</w:tr></w:tbl>`
	body := archive(t, "word/document.xml", docxOpen+text+"</w:body></w:document>", "word/comments.xml", comments,
		"word/_rels/document.xml.rels", rels(relTo("c", "comments", "comments.xml")))
	warned(t, DOCX, body, "<p>Twelve new sacks</p><p>one line</p><p>here</p><p><math><mrow><mi>a</mi></mrow></math></p><table><tr><td>a</td><td>b</td></tr></table>",
		"Comments were left out: 2 comments.", "Tracked changes were read as accepted: 1 insertion, 5 deletions, 1 move.")
}

func TestDOCX_formulasWithoutAValueAreNamed(t *testing.T) {
	field := func(result string) string {
		return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> =SUM(ABOVE) </w:instrText></w:r>` + result + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`
	}
	separate := `<w:r><w:fldChar w:fldCharType="separate"/></w:r>`
	text := wp("", wr("", "a")+field("")) + wp("", wr("", "b")+field(separate)) + wp("", wr("", "c")+field(separate+wr("", "12"))) +
		wp("", wr("", "d")+`<w:fldSimple w:instr="=1+1"/>`) + wp("", `<w:fldSimple w:instr="=1+1">`+wr("", "2")+`</w:fldSimple>`)
	warned(t, DOCX, docxOf(t, text), "<p>a</p><p>b</p><p>c12</p><p>d</p><p>2</p>", "Formulas without a stored value show nothing: 3 formulas.")
}

func TestODT_commentsTrackedChangesAndFormulasWithoutAValueAreNamed(t *testing.T) {
	region := func(change, text string) string {
		return "<text:changed-region><text:" + change + "><office:change-info/>" + text + "</text:" + change + "></text:changed-region>"
	}
	text := "<office:text><text:tracked-changes>" + region("deletion", "<text:p>old<office:annotation/></text:p>") + region("insertion", "") + region("insertion", "") + "</text:tracked-changes>" +
		`<text:p>ne<text:change-start/>w<text:change-end/><office:annotation><text:p>psst</text:p></office:annotation></text:p>` +
		`<table:table><table:table-row><table:table-cell table:formula="=1+1"/><table:table-cell table:formula="=1+1" office:value-type="float" office:value="2"><text:p>2</text:p></table:table-cell></table:table-row></table:table></office:text>`
	warned(t, ODT, odfOf(t, text), "<p>new</p><table><tr><td></td><td>2</td></tr></table>",
		"Comments were left out: 1 comment.", "Tracked changes were read as accepted: 2 insertions, 1 deletion.", "Formulas without a stored value show nothing: 1 formula.")
}

func TestODS_commentsTrackedChangesAndFormulasWithoutAValueAreNamed(t *testing.T) {
	text := `<office:spreadsheet><table:tracked-changes><table:cell-content-change><table:previous><table:change-track-table-cell><text:p>old</text:p></table:change-track-table-cell></table:previous></table:cell-content-change>` +
		`<table:deletion table:type="row"/><table:insertion table:type="row" table:acceptance-state="rejected"/></table:tracked-changes>` +
		`<table:table table:name="One"><table:table-row table:number-rows-repeated="500"><table:table-cell/></table:table-row>` +
		`<table:table-row><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>a</text:p><office:annotation><text:p>psst</text:p></office:annotation></table:table-cell><table:table-cell table:formula="of:=1+1"/>` +
		`<table:table-cell table:formula="of:=&quot;&quot;" office:value-type="string"/></table:table-row></table:table></office:spreadsheet>`
	warned(t, ODS, odfOf(t, text), "<h2>One</h2><table><tr><td>a</td></tr></table>",
		"Comments were left out: 1 comment.", "Tracked changes were read as accepted: 1 deletion, 1 changed cell.", "Formulas without a stored value show nothing: 1 formula (One!D501).")
}

func TestXLSX_commentsAndFormulasWithoutAValueAreNamed(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) {
		f.SetSheetRow("Sheet1", "A1", &[]any{"a", 2})
		for _, cell := range []string{"B2", "B3", "B4", "B5"} {
			f.SetCellFormula("Sheet1", cell, "SUM(B1)")
		}
		f.SetRowVisible("Sheet1", 5, false)
		f.AddComment("Sheet1", excelize.Comment{Cell: "A1", Author: "Ann", Text: "psst"})
		f.NewSheet("Two")
		f.SetCellFormula("Two", "A7", "1+1")
	})
	warned(t, XLSX, body, "<h2>Sheet1</h2><table><tr><td>a</td><td>2</td></tr></table>",
		"Comments were left out: 1 comment.", "Formulas without a stored value show nothing: 4 formulas (Sheet1!B2, Sheet1!B3, Sheet1!B4, …).")
}

func TestXLSX_formulasWithAValueAreNotNamed(t *testing.T) {
	sheet := `<sheetData><row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>""</f><v></v></c><c r="C1" t="b"><f>TRUE()</f><v>1</v></c></row></sheetData>`
	warned(t, XLSX, sheetFile(t, sheet), "<h2>S</h2><table><tr><td>2</td><td></td><td>TRUE</td></tr></table>")
	warned(t, XLSX, sheetFile(t, strings.Replace(sheet, "<v>2</v>", "<v/>", 1)), "<h2>S</h2><table><tr><td>TRUE</td></tr></table>", "Formulas without a stored value show nothing: 1 formula (S!A1).")
}

func TestXLSX_threadsAndRevisionsAreNamed(t *testing.T) {
	const ns = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	body := sheetFile(t, `<sheetData><row><c><v>1</v></c></row></sheetData>`,
		"xl/worksheets/_rels/sheet1.xml.rels", rels(relTo("1", "comments", "../comments1.xml"), relTo("2", "threadedComment", "../threads.xml")),
		"xl/comments1.xml", `<comments`+ns+`><authors><author>tc={1}</author><author>Ann</author></authors><commentList><comment ref="A1" authorId="0"><text><t>[Threaded comment]</t></text></comment><comment ref="A2" authorId="1"/></commentList></comments>`,
		"xl/threads.xml", `<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment><text>x</text></threadedComment><threadedComment/></ThreadedComments>`,
		"xl/revisions/headers.xml", "<headers"+ns+"/>", "xl/revisions/_rels/headers.xml.rels", rels(relTo("1", "revisionLog", "log1.xml")),
		"xl/revisions/log1.xml", `<revisions`+ns+`><rcc><nc><v>1</v></nc></rcc><rcc/><rrc action="insertRow"/><rrc action="deleteCol"/></revisions>`,
		"xl/_rels/workbook.xml.rels", rels(worksheetRel, relTo("r", "revisionHeaders", "revisions/headers.xml")))
	warned(t, XLSX, body, "<h2>S</h2><table><tr><td>1</td></tr></table>",
		"Comments were left out: 3 comments.", "Tracked changes were read as accepted: 1 insertion, 1 deletion, 2 changed cells.")
}

func TestPPTX_commentsAreNamed(t *testing.T) {
	slide := slideOf(shapeOf("title", ap("", "T")))
	body := pptxOf(t, []string{slide}, "ppt/slides/_rels/slide1.xml.rels", rels(relTo("1", "comments", "../comments/c.xml"), relTo("2", "comments", "../comments/modern.xml")),
		"ppt/comments/c.xml", "<p:cmLst "+pptxNS+"><p:cm><p:text>psst</p:text></p:cm></p:cmLst>",
		"ppt/comments/modern.xml", `<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"><p188:cm><p188:replyLst><p188:reply/></p188:replyLst></p188:cm></p188:cmLst>`)
	warned(t, PPTX, body, "<h2>T</h2>", "Comments were left out: 3 comments.")
}
