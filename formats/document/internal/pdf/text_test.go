package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// fontFile is a page that shows a string in hex with a font.
func fontFile(font, hex string, streams ...string) []byte {
	return contentFile(font, "BT /F 10 Tf 72 700 Td <"+hex+"> Tj ET", streams...)
}

// contentFile is a page with a font F.
func contentFile(font, content string, streams ...string) []byte {
	m := &pdftest.Maker{}
	for _, s := range streams {
		m.Stream("", s)
	}
	c := m.Stream("", content)
	tree := m.Reserve()
	p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<</Font<</F<<%s>>>>>>>>", tree, c, font)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]/MediaBox[0 0 612 792]>>", p)
	return m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
}

const type0 = "/Type/Font/Subtype/Type0/BaseFont/X/DescendantFonts[<</DW 1000>>]"

func TestRead_fonts(t *testing.T) {
	cmap := "1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <01> <00660069> <02> <D83DDE00> endbfchar 1 beginbfrange <41> <43> <0391> endbfrange"
	for name, c := range map[string]struct {
		font, hex, want string
		streams         []string
	}{
		"standard encoding":          {"/Subtype/Type1/BaseFont/Times-Roman", "27aebd", "’fi‰", nil},
		"Windows":                    {"/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding", "80e4", "€ä", nil},
		"Macintosh":                  {"/Subtype/TrueType/BaseFont/Arial/Encoding/MacRomanEncoding", "808a", "Ää", nil},
		"differences":                {"/Subtype/Type1/BaseFont/X/Encoding<</Differences[1/Lslash/eacute/f_i/uni20AC/u1F600/a.alt 100/hyphen]>>", "0102030405066441", "ŁéfI€😀a-A", nil},
		"Symbol":                     {"/Subtype/Type1/BaseFont/Symbol", "6162b3", "αβ≥", nil},
		"its own map before all":     {"/Subtype/Type1/BaseFont/X/Encoding/WinAnsiEncoding/ToUnicode 1 0 R", "01024143", "fi😀ΑΓ", []string{cmap}},
		"built in":                   {"/Subtype/Type1/BaseFont/X/FontDescriptor<</FontFile 1 0 R>>", "0203", "ßx", []string{"%!PS\n/Encoding 256 array\ndup 2 /germandbls put\ndup 3 /x put\nreadonly def\neexec"}},
		"drawn glyphs":               {"/Subtype/Type3/FontMatrix[.01 0 0 .01 0 0]/FontBBox[0 0 100 100]/FirstChar 1/Widths[60 60 60]/Encoding<</Differences[1/s/e/a]>>", "010203", "sea", nil},
		"drawn glyphs without a box": {"/Subtype/Type3/FontMatrix[1 0 0 1 0 0]/FirstChar 1/Widths[.6 .6 .6]/Encoding<</Differences[1/s/e/a]>>", "010203", "sea", nil},
		"two bytes with a map":       {type0 + "/Encoding/Identity-H/ToUnicode 1 0 R", "00410042", "AB", []string{"1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0041> <0042> [<0041> <0042>] endbfrange"}},
		"Unicode codes":              {type0 + "/Encoding/UniGB-UCS2-H", "4e2d6587", "中文", nil},
		"Shift JIS":                  {type0 + "/Encoding/90ms-RKSJ-H", "93fa967b41", "日本A", nil},
		"GBK":                        {type0 + "/Encoding/GBK-EUC-H", "d6d0", "中", nil},
		"Big5":                       {type0 + "/Encoding/ETen-B5-H", "a4a4", "中", nil},
		"Korean":                     {type0 + "/Encoding/KSCms-UHC-H", "c7d1", "한", nil},
		"glyphs of an embedded font": {"/Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Subtype/CIDFontType2/FontDescriptor<</FontFile2 1 0 R>>>>]", "00050006", "AB", []string{trueType()}},
	} {
		t.Run(name, func(t *testing.T) {
			got := readText(t, fontFile(c.font, c.hex, c.streams...), Options{})
			if want := strings.ReplaceAll(c.want, "fI", "fi"); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// trueType is a font file with nothing but a character table: A is glyph 5, B is glyph 6.
func trueType() string {
	cmap := "\x00\x00\x00\x01\x00\x03\x00\x01\x00\x00\x00\x0c" + // one table, of Windows in Unicode
		"\x00\x04\x00\x20\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00" + // format 4, two segments
		"\x00\x42\xff\xff" + "\x00\x00" + "\x00\x41\xff\xff" + "\xff\xc4\x00\x01" + "\x00\x00\x00\x00"
	return "\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00" + "cmap\x00\x00\x00\x00\x00\x00\x00\x1c" +
		fmt.Sprintf("\x00\x00\x00%c", len(cmap)) + cmap
}

func TestRead_rightToLeft(t *testing.T) {
	// The letters of shalom and olam from the left to the right as they are drawn, then 12 and a bracket.
	cmap := "1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <80> <9a> <05D0> endbfrange 1 beginbfrange <20> <7e> <0020> endbfrange"
	font := "/Subtype/Type1/BaseFont/X/FirstChar 0/Widths[" + strings.Repeat("500 ", 256) + "]/ToUnicode 1 0 R"
	for name, c := range map[string]struct{ hex, want string }{
		"drawn in the order of the eye": {"8d8c8599" + "20" + "8d858c99", "שלום שולם"},
		"with a number":                 {"3132" + "20" + "8d858c99", "שלום 12"},
		"with Latin words":              {"7468652073656120" + "8d858c99", "the sea שלום"},
		"mostly Latin":                  {"74686520736561206f6620" + "8d858c99" + "207761726d", "the sea of שלום warm"},
		"with brackets":                 {"28" + "8d858c99" + "2920" + "8d858c99", "שלום (שלום)"},
	} {
		got := readText(t, fontFile(font, c.hex, cmap), Options{})
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestInterpret_inlineImagesAreSkipped(t *testing.T) {
	body := pdftest.File("", pdftest.Page{Content: pdftest.TextAt("F1", 10, 72, 700, "before") + "BI /W 4 /H 1 /BPC 8 /CS /G ID \x00EI\xff( EI\n" + pdftest.TextAt("F1", 10, 72, 600, "behind")})
	if got := readText(t, body, Options{}); got != "before\nbehind" {
		t.Errorf("got %q", got)
	}
}

func TestInterpret_wordsOfPlacedPieces(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"kerning isn't a space":          {"BT /F1 10 Tf 72 700 Td [(Har) 20 (b) -30 (our)] TJ ET", "Harbour"},
		"a wide step is":                 {"BT /F1 10 Tf 72 700 Td [(low) -300 (water)] TJ ET", "low water"},
		"spread letters are one word":    {"BT /F1 10 Tf 4 Tc 72 700 Td (HARBOUR) Tj ET", "HARBOUR"},
		"a step back to the line":        {"BT /F1 10 Tf 110 700 Td (water) Tj -38 0 Td (low) Tj ET", "low water"},
		"word spacing":                   {"BT /F1 10 Tf 20 Tw 72 700 Td (a b) Tj ET", "a b"},
		"drawn twice to look bold":       {"BT /F1 10 Tf 72 700 Td (low) Tj 0.3 0 Td (low) Tj ET", "low"},
		"next line by quote":             {"BT /F1 10 Tf 12 TL 72 700 Td (low) Tj (water) ' ET", "low water"},
		"next line by double quote":      {"BT /F1 10 Tf 12 TL 72 700 Td (low) Tj 0 0 (water) \" ET", "low water"},
		"by T* and TD":                   {"BT /F1 10 Tf 72 700 Td (at) Tj 0 -12 TD (low) Tj T* (water) Tj ET", "at low water"},
		"text in place of what is drawn": {"BT /F1 10 Tf 72 700 Td /Span <</ActualText (low water)>> BDC (xyzxyzxyz) Tj EMC ET", "low water"},
		"turned text":                    {"BT /F1 10 Tf 0 1 -1 0 300 300 Tm (low water) Tj ET", "low water"},
		"mirrored page":                  {"-1 0 0 -1 612 792 cm BT /F1 10 Tf 72 700 Td (low water) Tj ET", "low water"},
	} {
		if got := readText(t, pdftest.File("", pdftest.Page{Content: c.content}), Options{}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestRead_tagsTellHeadingsAndPictures(t *testing.T) {
	m := &pdftest.Maker{}
	img := m.Stream("/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray", strings.Repeat("\xAA", 8))
	c := m.Stream("", "/Head <</MCID 0>> BDC "+pdftest.TextAt("F1", 10, 72, 700, "A heading as small as the text")+"EMC /P <</MCID 1>> BDC "+
		pdftest.TextAt("F1", 10, 72, 670, "Text below it, which is long enough to be what most of the page consists of.")+"EMC /Figure <</MCID 2>> BDC q 50 0 0 50 72 600 cm /I Do Q EMC")
	tree, page := m.Reserve(), m.Reserve()
	m.Set(page, "<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<<%s/XObject<</I %d 0 R>>>>>>", tree, c, pdftest.Fonts, img)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]/MediaBox[0 0 612 792]>>", page)
	tags := m.Add("<</Type/StructTreeRoot/RoleMap<</Head/H2>>/K[<</S/Head/Pg %d 0 R/K 0>><</S/P/Pg %d 0 R/K[1]>><</S/Figure/Alt(A lighthouse)/K<</Type/MCR/Pg %d 0 R/MCID 2>>>>]>>", page, page, page)
	doc, err := Read(t.Context(), m.File(m.Add("<</Type/Catalog/Pages %d 0 R/StructTreeRoot %d 0 R>>", tree, tags), ""), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "<h2>A heading as small as the text</h2>\n<p>Text below it, which is long enough to be what most of the page consists of.</p>\n<figure><figcaption>A lighthouse</figcaption></figure>\n"
	if string(doc.HTML) != want {
		t.Errorf("got %s", doc.HTML)
	}
}
