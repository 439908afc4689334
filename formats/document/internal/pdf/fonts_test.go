package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// cidFont is a composite font without a map to Unicode, whose CIDs are of a collection of Adobe's.
func cidFont(ordering, more string) string {
	return fmt.Sprintf("/Type/Font/Subtype/Type0/BaseFont/X/DescendantFonts[<</Subtype/CIDFontType0/DW 1000/W[34[500]]"+
		"/CIDSystemInfo<</Registry(Adobe)/Ordering(%s)/Supplement 2>>>>]%s", ordering, more)
}

func TestRead_fontsWithoutAMapToUnicode(t *testing.T) {
	for name, c := range map[string]struct{ font, hex, want, stream string }{
		"CIDs of a collection":    {cidFont("Japan1", "/Encoding/Identity-H"), "0cd40e8a0022", "日本A", ""},
		"CIDs of Korea":           {cidFont("Korea1", "/Encoding/Identity-H"), "0ce0", "한", ""},
		"of another collection":   {cidFont("Identity", "/Encoding/Identity-H"), "0cd4", "", ""},
		"GBK of four bytes":       {type0 + "/Encoding/GBK2K-H", "d6d08139ee39", "中㐀", ""},
		"UTF-16 of two units":     {type0 + "/Encoding/UniJIS-UTF16-H", "65e5d840dc0b", "日\U0002000B", ""},
		"UTF-8":                   {type0 + "/Encoding/UniKS-UTF8-H", "ed959ceab88041", "한글A", ""},
		"a map changes another":   {cidFont("Japan1", "/Encoding 1 0 R"), "93fa967b41", "日AA", "/90ms-RKSJ-H usecmap 1 begincidchar <967b> 34 endcidchar"},
		"gaps of the font's map":  {cidFont("Japan1", "/Encoding/90ms-RKSJ-H/ToUnicode 1 0 R"), "93fa967b", "X本", "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <93fa> <0058> endbfchar"},
		"a map that holds itself": {cidFont("Japan1", "/Encoding 1 0 R"), "0cd4", "日", "/X usecmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 begincidrange <0000> <ffff> 0 endcidrange"},
	} {
		if got := readText(t, fontFile(c.font, c.hex, c.stream), Options{}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestRead_aStreamNamesTheMapThatItChanges(t *testing.T) {
	m := &pdftest.Maker{}
	m.Stream("/Type/CMap/UseCMap/90ms-RKSJ-H", "1 begincidchar <967b> 34 endcidchar")
	m.Stream("/Type/CMap/UseCMap 1 0 R", "")
	c := m.Stream("", "BT /F 10 Tf 72 700 Td <93fa967b> Tj ET")
	tree := m.Reserve()
	p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<</Font<</F<<%s>>>>>>>>", tree, c, cidFont("Japan1", "/Encoding 2 0 R"))
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]/MediaBox[0 0 612 792]>>", p)
	body := m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
	if got := readText(t, body, Options{}); got != "日A" {
		t.Errorf("got %q", got)
	}
}

// Half-wide letters are as wide as the font says of their CIDs: otherwise words would fall apart or grow together.
func TestRead_widthsAreOfTheCIDsOfACode(t *testing.T) {
	words := cidFont("Japan1", "/Encoding/90ms-RKSJ-H")
	words = strings.Replace(words, "/W[34[500]]", "/W[231 389 500]", 1)
	if got := readText(t, fontFile(words, "6c6f7720776174657293fa"), Options{}); got != "low water日" {
		t.Errorf("got %q", got)
	}
}
