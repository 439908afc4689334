package office

import (
	"slices"
	"testing"

	"github.com/xuri/excelize/v2"
)

func TestXLSX_hiddenRowsAndColumnsAreLeftOut(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) {
		for i, row := range [][]any{{"crop", "cost", "sacks"}, {"oats", 1.5, 10}, {"secret", 9.5, 90}, {"barley", 2.5, 20}} {
			f.SetSheetRow("Sheet1", "A"+itoa(i+200), &row)
		}
		f.SetRowVisible("Sheet1", 202, false)
		f.SetRowVisible("Sheet1", 150, false) // holds nothing
		f.SetRowVisible("Sheet1", 500, false)
		f.SetColVisible("Sheet1", "B", false)
		f.SetColVisible("Sheet1", "G:XFD", false)
		f.MergeCell("Sheet1", "A203", "A204")
		f.SetCellHyperLink("Sheet1", "C203", "https://example.org/", "External")
		f.SetCellHyperLink("Sheet1", "B201", "https://example.com/secret", "External")
		f.NewSheet("All")
		f.SetCellValue("All", "A1", "hidden")
		f.SetRowVisible("All", 1, false)
	})
	doc, err := XLSX(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `<h2>Sheet1</h2><table><thead><tr><th>crop</th><th>sacks</th></tr></thead><tr><td>oats</td><td>10</td></tr><tr><td>barley</td><td><a href="https://example.org/">20</a></td></tr></table>`
	if got := squeeze(doc.Body); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want := []string{"Hidden rows and columns were left out: 2 rows, 1 column."}; !slices.Equal(doc.Warnings, want) {
		t.Errorf("got  %q\nwant %q", doc.Warnings, want)
	}
}

func TestXLSX_aMergedCellIsShownAsLongAsAPartOfItIs(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) {
		f.SetSheetRow("Sheet1", "A1", &[]any{"wide"})
		f.SetSheetRow("Sheet1", "A2", &[]any{"a", "b", "c", "d"})
		f.MergeCell("Sheet1", "A1", "C1")
		f.SetColVisible("Sheet1", "A", false)
	})
	doc, err := XLSX(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `<h2>Sheet1</h2><table><tr><td colspan="2">wide</td><td></td></tr><tr><td>b</td><td>c</td><td>d</td></tr></table>`
	if got := squeeze(doc.Body); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestXLSX_placesFollowALongGap(t *testing.T) {
	body := workbookOf(t, func(f *excelize.File) {
		f.SetSheetRow("Sheet1", "A1", &[]any{"a", "b"})
		f.SetSheetRow("Sheet1", "A901", &[]any{"wide"})
		f.MergeCell("Sheet1", "A901", "B901")
		f.SetCellHyperLink("Sheet1", "A901", "https://example.org/", "External")
	})
	got := bodyOfDoc(t, XLSX, body, Options{})
	if want := `<tr><td colspan="2"><a href="https://example.org/">wide</a></td></tr></table>`; got[len(got)-len(want):] != want {
		t.Errorf("got  …%s\nwant …%s", got[len(got)-len(want):], want)
	}
}

func TestODS_hiddenRowsAndColumnsAreLeftOut(t *testing.T) {
	cell := func(attrs, text string) string {
		return "<table:table-cell" + attrs + "><text:p>" + text + "</text:p></table:table-cell>"
	}
	row := func(attrs string, cells ...string) string {
		s := "<table:table-row" + attrs + ">"
		for _, c := range cells {
			s += c
		}
		return s + "</table:table-row>"
	}
	body := `<office:spreadsheet><table:table table:name="One"><table:table-column/><table:table-column-group><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/></table:table-column-group>` +
		`<table:table-column table:number-columns-repeated="1021"/>` +
		row("", cell("", "crop"), cell("", "cost"), cell("", "price"), cell("", "sacks")) +
		row(` table:visibility="filter"`, cell("", "secret"), cell("", "1"), cell("", "2"), cell("", "3")) +
		row(` table:visibility="collapse" table:number-rows-repeated="3"`, `<table:table-cell table:number-columns-repeated="1024"/>`) +
		row("", cell("", "oats"), cell(` table:number-columns-spanned="3"`, "all"), "<table:covered-table-cell/>", "<table:covered-table-cell/>") +
		row(` table:visibility="collapse" table:number-rows-repeated="1000000"`, `<table:table-cell table:number-columns-repeated="1024"/>`) +
		`</table:table></office:spreadsheet>`
	doc, err := ODS(t.Context(), odfOf(t, body), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `<h2>One</h2><table><thead><tr><th>crop</th><th>sacks</th></tr></thead><tr><td>oats</td><td>all</td></tr></table>`
	if got := squeeze(doc.Body); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want := []string{"Hidden rows and columns were left out: 1 row, 2 columns."}; !slices.Equal(doc.Warnings, want) {
		t.Errorf("got  %q\nwant %q", doc.Warnings, want)
	}
}
