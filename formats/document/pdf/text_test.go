package pdf

import (
	"bytes"
	"compress/lzw"
	"fmt"
	"strings"
	"testing"
)

// fontFile is a page that shows a string in hex with a font.
func fontFile(font, hex string, streams ...string) []byte {
	m := &maker{}
	for _, s := range streams {
		m.stream("", s)
	}
	c := m.stream("", "BT /F 10 Tf 72 700 Td <"+hex+"> Tj ET")
	tree := m.reserve()
	p := m.add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<</Font<</F<<%s>>>>>>>>", tree, c, font)
	m.set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]/MediaBox[0 0 612 792]>>", p)
	return m.file(m.add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
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

func TestDecode_filters(t *testing.T) {
	var packed bytes.Buffer
	w := lzw.NewWriter(&packed, lzw.MSB, 8)
	w.Write([]byte("The harbour"))
	w.Close()
	for name, c := range map[string]struct {
		data    string
		filters []filter
		want    string
	}{
		"none":                       {"abc", nil, "abc"},
		"Flate":                      {deflated("The harbour"), []filter{{name: "FlateDecode"}}, "The harbour"},
		"Flate with a broken header": {"\x00\x00" + deflated("The harbour")[2:], []filter{{name: "Fl"}}, "The harbour"},
		"Flate cut off":              {deflated("The harbour")[:14], []filter{{name: "Fl"}}, "The har"},
		"LZW of late change":         {packed.String(), []filter{{name: "LZWDecode", lateChange: true}}, "The harbour"},
		"LZW":                        {"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", []filter{{name: "LZW"}}, "-----A---B"},
		"hex":                        {"54 68 65 2>", []filter{{name: "ASCIIHexDecode"}}, "The "},
		"base 85":                    {"<~87cURD]i,\"Ebo80~>", []filter{{name: "A85"}}, "Hello World!"},
		"run lengths":                {"\x02The\xfe!\x80more", []filter{{name: "RunLengthDecode"}}, "The!!!"},
		"two":                        {fmt.Sprintf("%x>", deflated("twice")), []filter{{name: "AHx"}, {name: "Fl"}}, "twice"},
		"PNG: up":                    {deflated("\x02abc\x02\x01\x01\x01"), []filter{{name: "Fl", predictor: 12, columns: 3}}, "abcbcd"},
		"PNG: left":                  {deflated("\x01a\x01\x01"), []filter{{name: "Fl", predictor: 15, columns: 3}}, "abc"},
		"PNG: average":               {deflated("\x00\x02\x04\x03\x01\x01"), []filter{{name: "Fl", predictor: 13, columns: 2}}, "\x02\x04\x02\x04"},
		"PNG: Paeth":                 {deflated("\x00ab\x04\x01\x01"), []filter{{name: "Fl", predictor: 14, columns: 2}}, "abbc"},
		"TIFF":                       {deflated("a\x01\x01"), []filter{{name: "Fl", predictor: 2, columns: 3}}, "abc"},
	} {
		got, _, err := decode([]byte(c.data), c.filters, 1<<20)
		if err != nil || !strings.HasPrefix(string(got), c.want) || name != "Flate cut off" && string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
	}
	for name, f := range map[string][]filter{
		"an unknown filter": {{name: "Zip"}}, "too many filters": make([]filter, 20),
		"columns beyond all": {{name: "Fl", predictor: 12, columns: 1 << 40}},
	} {
		if _, _, err := decode([]byte(deflated("x")), f, 1<<20); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestParser_objects(t *testing.T) {
	for source, want := range map[string]string{
		"1 0 R":               "{1 0}",
		"[1 0 R 2 0 3]":       "[{1 0} 2 0 3]",
		"(a\\(b\\)\\101\\\n)": "a(b)A",
		"(a(b)c)":             "a(b)c",
		"<414>":               "A@",
		"/A#20B":              "A B",
		"-.5":                 "-0.5",
		"--5":                 "-5",
		"1.2.3":               "1.2",
		"<</A 1/B[/C]>>":      "map[A:1 B:[C]]",
		"<</A 1":              "map[A:1]",
		"true":                "true",
		"% x\nnull":           "<nil>",
	} {
		p := parser{buf: []byte(source), refs: true}
		if got := fmt.Sprint(p.object()); got != want {
			t.Errorf("%q: got %s, want %s", source, got, want)
		}
	}
}

func TestGlyphNames(t *testing.T) {
	g := glyphNames{}
	for n, want := range map[string]string{
		"A": "A", "period": ".", "one.oldstyle": "1", "f_f_i": "ffi", "uni00410042": "AB", "u1F600": "😀", "nosuchname": "", "": "", "/(<": "", "uniXYZW": "",
	} {
		if got := g.text(n); got != want {
			t.Errorf("%q: got %q, want %q", n, got, want)
		}
	}
}

func TestInterpret_inlineImagesAreSkipped(t *testing.T) {
	body := pagesFile("", madePage{content: textAt("F1", 10, 72, 700, "before") + "BI /W 4 /H 1 /BPC 8 /CS /G ID \x00EI\xff( EI\n" + textAt("F1", 10, 72, 600, "behind")})
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
		if got := readText(t, pagesFile("", madePage{content: c.content}), Options{}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestRead_tagsTellHeadingsAndPictures(t *testing.T) {
	m := &maker{}
	img := m.stream("/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray", strings.Repeat("\xAA", 8))
	c := m.stream("", "/Head <</MCID 0>> BDC "+textAt("F1", 10, 72, 700, "A heading as small as the text")+"EMC /P <</MCID 1>> BDC "+
		textAt("F1", 10, 72, 670, "Text below it, which is long enough to be what most of the page consists of.")+"EMC /Figure <</MCID 2>> BDC q 50 0 0 50 72 600 cm /I Do Q EMC")
	tree, page := m.reserve(), m.reserve()
	m.set(page, "<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<<%s/XObject<</I %d 0 R>>>>>>", tree, c, testFonts, img)
	m.set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]/MediaBox[0 0 612 792]>>", page)
	tags := m.add("<</Type/StructTreeRoot/RoleMap<</Head/H2>>/K[<</S/Head/Pg %d 0 R/K 0>><</S/P/Pg %d 0 R/K[1]>><</S/Figure/Alt(A lighthouse)/K<</Type/MCR/Pg %d 0 R/MCID 2>>>>]>>", page, page, page)
	doc, err := Read(t.Context(), m.file(m.add("<</Type/Catalog/Pages %d 0 R/StructTreeRoot %d 0 R>>", tree, tags), ""), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "<h2>A heading as small as the text</h2>\n<p>Text below it, which is long enough to be what most of the page consists of.</p>\n<figure><figcaption>A lighthouse</figcaption></figure>\n"
	if string(doc.HTML) != want {
		t.Errorf("got %s", doc.HTML)
	}
}
