package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// tagText is a text with a mark of its own.
type tagText struct {
	x, y int
	text string
}

// taggedFile is a page of marked texts, whose numbers count from 0, with a structure. "%P" in it is the page.
func taggedFile(structure string, texts ...tagText) []byte {
	var content strings.Builder
	for i, t := range texts {
		fmt.Fprintf(&content, "/P <</MCID %d>> BDC %s EMC ", i, pdftest.TextAt("F1", 10, float64(t.x), float64(t.y), t.text))
	}
	m := &pdftest.Maker{}
	c := m.Stream("", content.String())
	tree, page := m.Reserve(), m.Reserve()
	m.Set(page, "<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<<%s>>>>", tree, c, pdftest.Fonts)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]/MediaBox[0 0 612 792]>>", page)
	tags := m.Add("%s", strings.ReplaceAll("<</Type/StructTreeRoot/K["+structure+"]>>", "%P", fmt.Sprintf("/Pg %d 0 R", page)))
	return m.File(m.Add("<</Type/Catalog/Pages %d 0 R/StructTreeRoot %d 0 R>>", tree, tags), "")
}

// marked is an element with marked contents.
func marked(role, attributes string, marks ...int) string {
	return fmt.Sprintf("<</S/%s%%P%s/K%v>>", role, attributes, marks)
}

func of(role string, kids ...string) string {
	return "<</S/" + role + "/K[" + strings.Join(kids, "") + "]>>"
}

func TestRead_taggedTablesAreTables(t *testing.T) {
	texts := []tagText{
		{72, 700, "Grain"}, {150, 700, "Prices of the year that was, of a sack"}, {400, 700, "Note"},
		{72, 676, "Barley"}, {150, 684, "12"}, {260, 684, "240"}, {400, 684, "A note that"}, {400, 672, "takes two lines"},
		{150, 654, "13"}, {400, 654, "Second"},
	}
	rows := of("THead", of("TR", marked("TH", "", 0), marked("TH", "/A<</O/Table/ColSpan 2>>", 1), marked("TH", "", 2))) + of("TBody",
		of("TR", marked("TD", "/A[<</O/Layout>><</O/Table/RowSpan 2>>]", 3), marked("TD", "", 4), marked("TD", "", 5), of("TD", marked("P", "", 6, 7))),
		of("TR", marked("TD", "", 8), of("TD"), marked("TD", "", 9)))
	want := `<table><tr><th>Grain</th><th colspan="2">Prices of the year that was, of a sack</th><th>Note</th></tr>` +
		`<tr><td rowspan="2">Barley</td><td>12</td><td>240</td><td>A note that takes two lines</td></tr><tr><td>13</td><td></td><td>Second</td></tr></table>`
	for name, c := range map[string]struct {
		structure string
		more      []tagText
		table     bool
	}{
		"sound":                {of("Table", rows), nil, true},
		"words of others":      {of("Table", rows) + marked("P", "", 10), []tagText{{260, 654, "elsewhere"}}, false},
		"in the wrong order":   {of("Table", of("TR", marked("TD", "", 5), marked("TD", "", 4)), of("TR", marked("TD", "", 3), marked("TD", "", 0))), nil, false},
		"a row alone":          {of("Table", of("TR", marked("TD", "", 0), marked("TD", "", 1))), nil, false},
		"spans without bounds": {strings.ReplaceAll(of("Table", rows), "RowSpan 2", "RowSpan 2000000000/ColSpan 100000"), nil, false},
	} {
		doc, err := Read(t.Context(), taggedFile(c.structure, append(texts[:len(texts):len(texts)], c.more...)...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(string(doc.HTML), "\n", "")
		if strings.Contains(got, want) != c.table {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// Browsers leave empty cells out of the structure: those behind them stand in their own columns all the same.
func TestRead_emptyCellsThatTagsLeaveOut(t *testing.T) {
	got := readTagged(t, of("Table",
		of("TR", marked("TH", "", 0), marked("TH", "", 1), marked("TH", "", 2)), of("TR", marked("TD", "", 3), marked("TD", "", 4)),
		of("TR", marked("TD", "", 5), marked("TD", "", 6)), of("TR", marked("TD", "", 7), marked("TD", "", 8), marked("TD", "", 9))),
		[]tagText{
			{72, 700, "Grain"}, {150, 700, "Price"}, {300, 700, "Note"}, {72, 686, "Barley"}, {300, 686, "scarce"},
			{150, 672, "12"}, {300, 672, "as above"}, {72, 658, "Rye"}, {150, 658, "14"}, {300, 658, "new"},
		})
	want := "<tr><td>Barley</td><td></td><td>scarce</td></tr><tr><td></td><td>12</td><td>as above</td></tr><tr><td>Rye</td><td>14</td><td>new</td></tr>"
	if !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}

func TestRead_taggedItemsAreItems(t *testing.T) {
	texts := []tagText{
		{72, 700, "1."}, {81, 700, "Barley is sown in autumn, and"}, {81, 688, "some of it in spring."}, {72, 676, "2.Rye"}, {72, 664, "Text after the list."},
	}
	doc, err := Read(t.Context(), taggedFile(of("L",
		of("LI", marked("Lbl", "", 0), marked("LBody", "", 1, 2)), of("LI", marked("LBody", "", 3)))+marked("P", "", 4), texts...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "<ol><li>Barley is sown in autumn, and some of it in spring.</li><li>Rye</li></ol><p>Text after the list.</p>"
	if got := strings.ReplaceAll(string(doc.HTML), "\n", ""); got != want {
		t.Errorf("got %s", got)
	}
}
