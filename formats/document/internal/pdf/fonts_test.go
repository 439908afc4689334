package pdf

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// unreadFile has a page for each letter: u shows glyphs that no one can read, t text, s both the glyphs and a scan of the page.
func unreadFile(pages string) []byte {
	m := &pdftest.Maker{}
	root, tree := m.Reserve(), m.Reserve()
	img := m.Stream("/Type/XObject/Subtype/Image/Width 8/Height 8"+grayBits, strings.Repeat("\xAA", 8))
	glyphs := "BT /G 10 Tf 72 700 Td <0cd40e8a00220cd40e8a0022> Tj ET "
	kids := ""
	for _, p := range pages {
		content := map[rune]string{'u': glyphs, 't': pdftest.TextAt("F1", 10, 72, 700, "low water"), 's': "q 612 0 0 792 0 0 cm /I Do Q " + glyphs,
			'l': "q 20 0 0 20 0 0 cm /I Do Q " + glyphs}[p]
		kids += fmt.Sprintf("%d 0 R ", m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R>>", tree, m.Stream("", content)))
	}
	fonts := strings.Replace(pdftest.Fonts, "/Font<<", "/Font<</G<<"+cidFont("Identity", "/Encoding/Identity-H")+">>", 1)
	m.Set(tree, "<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 612 792]/Resources<<%s/XObject<</I %d 0 R>>>>>>", len(pages), kids, fonts, img)
	m.Set(root, "<</Type/Catalog/Pages %d 0 R>>", tree)
	return m.File(root, "")
}

const unreadWarning = "the text of %s can't be read: the fonts don't say which characters most of their glyphs stand for"

func TestRead_pagesWhoseGlyphsCannotBeReadAreNamed(t *testing.T) {
	for pages, want := range map[string]string{"u": "page 1", "tut": "page 2", "utuuul": "pages 1, 3 to 6", "ssl": "pages 1 to 3"} {
		doc, err := Read(t.Context(), unreadFile(pages), Options{})
		if err != nil {
			t.Errorf("%s: %v", pages, err)
			continue
		}
		if want := fmt.Sprintf(unreadWarning, want); !slices.Equal(doc.Warnings, []string{want}) {
			t.Errorf("%s: got %q, want %q", pages, doc.Warnings, want)
		}
		for i, p := range pages {
			if status := doc.Pages[i].Status; (status == "ok") != (p == 't') {
				t.Errorf("%s: page %d is %s", pages, i+1, status)
			}
		}
	}
}

func TestRead_pagesWhoseGlyphsCannotBeReadGoToRecognition(t *testing.T) {
	recognize := func(context.Context, []byte, string) ([]Recognized, error) {
		return []Recognized{{Text: "high water"}}, nil
	}
	doc, err := Read(t.Context(), unreadFile("tsl"), Options{Recognize: recognize})
	if err != nil {
		t.Fatal(err)
	}
	// The image of the third page is too small to be one of the page.
	want := []string{fmt.Sprintf(unreadWarning, "page 3")}
	if string(doc.HTML) != "<p>low water</p>\n<p>high water</p>\n" || doc.Pages[1].Status != "ok" || !slices.Equal(doc.Warnings, want) {
		t.Errorf("got %s, %s, %q", doc.HTML, doc.Pages[1].Status, doc.Warnings)
	}
	broken := func(context.Context, []byte, string) ([]Recognized, error) { return nil, errors.New("no program") }
	for mode, o := range map[string]Options{"fails": {Recognize: broken}, "isn't wanted": {Recognize: recognize, Mode: ModeFast}} {
		doc, err := Read(t.Context(), unreadFile("ts"), o)
		if err != nil || doc.Warnings[len(doc.Warnings)-1] != fmt.Sprintf(unreadWarning, "page 2") {
			t.Errorf("recognition %s: got %+v, %v", mode, doc, err)
		}
	}
}

// drawnFont is a Type 3 font whose glyphs have names.
func drawnFont(differences string) string {
	return "/Subtype/Type3/FontMatrix[.01 0 0 .01 0 0]/FontBBox[0 0 100 100]/FirstChar 0/Widths[" + strings.Repeat("60 ", 256) +
		"]/Encoding<</Differences[" + differences + "]>>"
}

func TestRead_glyphsByName(t *testing.T) {
	type1 := func(names string) string { return "/Subtype/Type1/BaseFont/X/Encoding<</Differences[1" + names + "]>>" }
	for name, c := range map[string]struct{ font, hex, want string }{
		"ligatures are letters":       {type1("/fi/fl/ff/ffi/ffl/f_f_i/T_h/s_t.liga"), "0102030405060708", "fiflffffifflffiThst"},
		"by code points":              {type1("/uni0416/uni00660069/u1F600/uni20AC.alt"), "01020304", "Жfi😀€"},
		"small capitals, old figures": {type1("/Asmall/Eacutesmall/oneoldstyle/a.sc/two.onum/dollaroldstyle"), "010203040506", "aé1a2$"},
		"marks of two faces":          {type1("/copyrightsans/registerserif"), "0102", "©®"},
		"drawn, by name":              {drawnFont("1/s/e/a/f_i"), "01020304", "seafi"},
		"drawn, by decimal code":      {drawnFont("97/a97 101/a101 115/a115"), "736561", "sea"},
		"drawn, by hexadecimal code":  {drawnFont("97/G61 101/G65 115/G73"), "736561", "sea"},
		"drawn by dvips":              {drawnFont("12/AC 45/B9 92/CK 101/CT 108/D0 115/D7 123/DF"), "5c0c6c65732d7b", "“files-–"},
		"drawn by pdfTeX":             {drawnFont("14/a14 92/a92 111/a111 99/a99 101/a101"), "5c6f0e6365", "“office"},
		"drawn in the Cork encoding":  {drawnFont("16/a16 30/a30 111/a111 99/a99 101/a101 233/a233"), "106f1e63e9", "“officé"},
		"glyphs that were counted":    {drawnFont("33/g33/g34/g35/g36/g37/g38/g39/g40/g41/g42"), "2122232425", ""},
		"counted from one":            {drawnFont("1/g1/g2/g3"), "010203", ""},
		"numbers of something else":   {drawnFont("1/g70/g81/g92"), "010203", ""},
	} {
		if got := readText(t, fontFile(c.font, c.hex), Options{}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// columnsDown is the content of columns of vertical writing from the right to the left.
func columnsDown(columns ...string) string {
	var b strings.Builder
	for i, c := range columns {
		fmt.Fprintf(&b, "BT /F 12 Tf %d 700 Td <%s> Tj ET\n", 500-20*i, c)
	}
	return b.String()
}

// ucs2 is text in the hexadecimal digits of two bytes for each character.
func ucs2(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, "%04x", r)
	}
	return b.String()
}

func TestRead_verticalWritingIsRunningText(t *testing.T) {
	lines := []string{"吾輩は猫である。名前はまだ無い。どこで生れたか", "とんと見当がつかぬ。何でも薄暗いじめじめした所", "で「ニャー」と泣いていた事だけは記憶している。"}
	content := columnsDown(ucs2(lines[0]), ucs2(lines[1]), ucs2(lines[2]))
	slices.Reverse(lines)
	backwards := columnsDown() // columns that the file draws from the left to the right
	for i, l := range lines {
		backwards += fmt.Sprintf("BT /F 12 Tf %d 700 Td <%s> Tj ET\n", 460+20*i, ucs2(l))
	}
	slices.Reverse(lines)
	toUnicode := "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0000> <ffff> <0000> endbfrange"
	for name, c := range map[string]struct{ font, content, want string }{
		"a map of Unicode":       {cidFont("Japan1", "/Encoding/UniJIS-UCS2-V"), content, strings.Join(lines, "")},
		"CIDs and their own map": {cidFont("Japan1", "/Encoding/Identity-V/ToUnicode 1 0 R"), content, strings.Join(lines, "")},
		"drawn backwards":        {cidFont("Japan1", "/Encoding/UniJIS-UTF16-V"), backwards, strings.Join(lines, "")},
		"narrower steps":         {strings.Replace(cidFont("Japan1", "/Encoding/UniJIS-UTF16-V"), "/DW 1000", "/DW 1000/DW2[880 -900]/W2[1 9000 -900 500 880]", 1), content, strings.Join(lines, "")},
		"standing marks":         {cidFont("Japan1", "/Encoding/90ms-RKSJ-V"), "BT /F 12 Tf 500 700 Td <8175 93fa 967b 8141 8176> Tj ET", "「日本、」"},
		"marks of Unicode":       {cidFont("Japan1", "/Encoding/Identity-V/ToUnicode 1 0 R"), columnsDown(ucs2("日︑﹁本﹂︒")), "日、「本」。"},
		"an embedded map":        {cidFont("Japan1", "/Encoding 1 0 R/ToUnicode 1 0 R"), columnsDown(ucs2("日"), ucs2("本")), "日本"},
	} {
		stream := toUnicode
		if strings.Contains(c.font, "/Encoding 1") {
			stream = "/WMode 1 def " + stream
		}
		if got := readText(t, contentFile(c.font, c.content, stream), Options{}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
