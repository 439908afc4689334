package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

func ExampleRead() {
	body := pdftest.Text("The harbour lies open to the west,", "and takes the storms.")
	doc, err := Read(context.Background(), body, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(doc.HTML))
	// Output: <p>The harbour lies open to the west, and takes the storms.</p>
}

// threePages has a header and page numbers, and a sentence that runs from page to page.
func TestRead_aSentenceRunsOverPages(t *testing.T) {
	doc, err := Read(t.Context(), pdftest.ThreePages(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	html := string(doc.HTML)
	if !strings.Contains(html, "turn to the next one, where") || !strings.Contains(html, "is in the book of style") || strings.Contains(html, "Harbour Book") {
		t.Errorf("got %s", html)
	}
	if len(doc.Pages) != 3 || !strings.HasPrefix(string(doc.Pages[1].HTML), "<p>next one") {
		t.Errorf("pages: %+v", doc.Pages)
	}
}

func TestRead_markersStandBetweenPagesOnly(t *testing.T) {
	doc, err := Read(t.Context(), pdftest.ThreePages(), Options{Markers: true})
	if err != nil {
		t.Fatal(err)
	}
	html := string(doc.HTML)
	if strings.Count(html, "<hr>") != 2 || strings.Contains(html, "page 1 ") || !strings.Contains(html, "<hr>\n<!-- page 2 -->\n<p>next") || !strings.Contains(html, "<!-- page 3 -->") {
		t.Errorf("got %s", html)
	}
}

func TestRead_maxPages(t *testing.T) {
	doc, err := Read(t.Context(), pdftest.ThreePages(), Options{MaxPages: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Pages) != 2 || doc.TotalPages != 3 {
		t.Errorf("got %d of %d", len(doc.Pages), doc.TotalPages)
	}
}

func TestRead_blocksHaveKindsAndBoxes(t *testing.T) {
	doc, err := Read(t.Context(), pdftest.ThreePages(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, b := range doc.Pages[0].Blocks {
		kinds = append(kinds, b.Type)
		if b.Box[0] < 0 || b.Box[2] > 1 || b.Box[0] >= b.Box[2] || b.Box[1] >= b.Box[3] {
			t.Errorf("%s: box %v", b.Type, b.Box)
		}
	}
	slices.Sort(kinds)
	if want := []string{"page_header", "page_number", "text"}; !slices.Equal(kinds, want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
	for _, b := range doc.Pages[0].Blocks {
		if b.Type == "text" && (b.Box[1] < 0.1 || b.Box[3] > 0.15 || b.Box[0] < 0.11 || b.Box[0] > 0.12) {
			t.Errorf("text at %v, want it left at 72 of 612 and about 92 to 104 of 792", b.Box)
		}
	}
}

func TestRead_textIsCutAtItsLimit(t *testing.T) {
	doc, err := Read(t.Context(), bookPages(40), Options{Text: 5000})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Pages) >= 40 || len(doc.HTML) > 20_000 || len(doc.Warnings) != 1 {
		t.Errorf("got %d pages, %d bytes, %q", len(doc.Pages), len(doc.HTML), doc.Warnings)
	}
}

func TestRead_info(t *testing.T) {
	m := &pdftest.Maker{}
	xmp := m.Stream("/Type/Metadata/Subtype/XML", `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:ModifyDate="2024-05-06T07:08:09Z">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Not this</rdf:li></rdf:Alt></dc:title><dc:description><rdf:Alt><rdf:li>What it is about</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>`)
	tree := m.Reserve()
	p := m.Add("<</Type/Page/Parent %d 0 R>>", tree)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", p)
	root := m.Add("<</Type/Catalog/Pages %d 0 R/Lang(de-CH)/Metadata %d 0 R>>", tree, xmp)
	info := m.Add(`<</Title<FEFF00480061006600650065006E0021>/Author(J\374rg)/Keywords(tide, mole; light)/CreationDate(D:20230405060708+02'00')/Producer(Maker)>>`)
	doc, err := Read(t.Context(), m.File(root, fmt.Sprintf("/Info %d 0 R", info)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := doc.Info
	if i.Title != "Hafeen!" || i.Author != "Jürg" || i.Language != "de-CH" || i.Subject != "What it is about" || i.Producer != "Maker" ||
		!slices.Equal(i.Keywords, []string{"tide", "mole", "light"}) ||
		!i.Created.Equal(time.Date(2023, 4, 5, 4, 7, 8, 0, time.UTC)) || i.Modified.Format(time.RFC3339) != "2024-05-06T07:08:09Z" {
		t.Errorf("got %+v", i)
	}
}

func TestDate(t *testing.T) {
	for s, want := range map[string]string{
		"D:20230405060708+02'00'": "2023-04-05T06:07:08+02:00", "D:20230405060708Z": "2023-04-05T06:07:08Z",
		"D:2023": "2023-01-01T00:00:00Z", "20230405": "2023-04-05T00:00:00Z", "D:20230405060708-0530": "2023-04-05T06:07:08-05:30",
		"": "0001-01-01T00:00:00Z", "yesterday": "0001-01-01T00:00:00Z", "D:00000000": "0001-01-01T00:00:00Z", "D:20231399": "0001-01-01T00:00:00Z",
	} {
		if got := reader.Date(s).Format(time.RFC3339); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

// scanFile is a page that is one image and, if given, text over it.
func scanFile(t *testing.T, dict, data, text string) []byte {
	t.Helper()
	m := &pdftest.Maker{}
	img := m.Stream("/Type/XObject/Subtype/Image/Width 8/Height 8"+dict, data)
	c := m.Stream("", "q 612 0 0 792 0 0 cm /I Do Q "+text)
	tree := m.Reserve()
	p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I %d 0 R>>%s>>>>", tree, c, img, pdftest.Fonts)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", p)
	return m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
}

const grayBits = "/BitsPerComponent 1/ColorSpace/DeviceGray"

func TestRead_scansNeedRecognition(t *testing.T) {
	scan := scanFile(t, grayBits, strings.Repeat("\xAA", 8), "")
	for _, mode := range []string{"", ModeAuto, ModeFast, ModeOCR} {
		if _, err := Read(t.Context(), scan, Options{Mode: mode}); !errors.Is(err, ErrNoText) {
			t.Errorf("mode %q: got %v", mode, err)
		}
	}
	asked := 0
	recognize := func(_ context.Context, img []byte, mediaType string) ([]Recognized, error) {
		asked++
		got, err := png.Decode(bytes.NewReader(img))
		if err != nil || mediaType != "image/png" || got.Bounds() != image.Rect(0, 0, 8, 8) {
			t.Errorf("got %s, %v", mediaType, err)
		}
		if r, _, _, _ := got.At(0, 0).RGBA(); r != 0xffff {
			t.Errorf("first pixel: %v", got.At(0, 0))
		}
		return []Recognized{{Text: "Read from\nthe image", Box: [4]float64{0.1, 0.2, 0.5, 0.3}, Confidence: 0.8}}, nil
	}
	doc, err := Read(t.Context(), scan, Options{Recognize: recognize})
	if err != nil {
		t.Fatal(err)
	}
	b := doc.Pages[0].Blocks
	if string(doc.HTML) != "<p>Read from the image</p>\n" || len(b) != 1 || b[0].OCR != 0.8 || b[0].Box != [4]float64{0.1, 0.2, 0.5, 0.3} || asked != 1 {
		t.Errorf("got %s, %+v, asked %d times", doc.HTML, b, asked)
	}
	if _, err := Read(t.Context(), scan, Options{Recognize: recognize, Mode: ModeFast}); !errors.Is(err, ErrNoText) || asked != 1 {
		t.Errorf("fast: got %v, asked %d times", err, asked)
	}
}

func TestRead_modesOfAPageWithTextAndImage(t *testing.T) {
	body := scanFile(t, grayBits, strings.Repeat("\xAA", 8), pdftest.TextAt("F1", 12, 72, 700, "The text layer of the scan"))
	recognize := func(context.Context, []byte, string) ([]Recognized, error) {
		return []Recognized{{Text: "recognised"}}, nil
	}
	for mode, want := range map[string]string{
		ModeFast: "The text layer of the scan", ModeAuto: "The text layer of the scan", ModeOCR: "recognised",
	} {
		if got := readText(t, body, Options{Mode: mode, Recognize: recognize}); got != want {
			t.Errorf("%s: got %q, want %q", mode, got, want)
		}
	}
}

func TestRead_recognitionFails(t *testing.T) {
	broken := errors.New("no program")
	recognize := func(context.Context, []byte, string) ([]Recognized, error) { return nil, broken }
	_, err := Read(t.Context(), scanFile(t, grayBits, strings.Repeat("\xAA", 8), ""), Options{Recognize: recognize})
	if !errors.Is(err, ErrNoText) || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestImageFile_kinds(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 8, 8))
	gray.Set(0, 0, color.White)
	for name, c := range map[string]struct{ dict, data, media string }{
		"gray":      {"/BitsPerComponent 8/ColorSpace/DeviceGray", strings.Repeat("\x80", 64), "image/png"},
		"colour":    {"/BitsPerComponent 8/ColorSpace/DeviceRGB", strings.Repeat("\x80\x00\xff", 64), "image/png"},
		"print":     {"/BitsPerComponent 8/ColorSpace/DeviceCMYK", strings.Repeat("\x00\x00\x00\xff", 64), "image/png"},
		"palette":   {"/BitsPerComponent 4/ColorSpace[/Indexed/DeviceRGB 1<000000ffffff>]", strings.Repeat("\x01", 32), "image/png"},
		"mask":      {"/ImageMask true", strings.Repeat("\xf0", 8), "image/png"},
		"deep":      {"/BitsPerComponent 16/ColorSpace/DeviceGray", strings.Repeat("\x80\x00", 64), "image/png"},
		"cut short": {"/BitsPerComponent 8/ColorSpace/DeviceGray", "\x80\x80", "image/png"},
		"JPEG":      {"/Filter/DCTDecode", "\xff\xd8\xff\xe0", "image/jpeg"},
		"JPEG 2000": {"/Filter/JPXDecode", "\x00\x00\x00\x0cjP", "image/jp2"},
		"fax":       {"/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 8/Rows 8>>", "\xff\x00\x10\x01", "image/png"},
	} {
		got := ""
		recognize := func(_ context.Context, _ []byte, mediaType string) ([]Recognized, error) {
			got = mediaType
			return nil, nil
		}
		if _, err := Read(t.Context(), scanFile(t, c.dict, c.data, ""), Options{Recognize: recognize}); err != nil || got != c.media {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	_, err := Read(t.Context(), scanFile(t, "/Filter/JBIG2Decode", "x", ""), Options{Recognize: func(context.Context, []byte, string) ([]Recognized, error) { return nil, nil }})
	if !errors.Is(err, ErrNoText) || !strings.Contains(err.Error(), "JBIG2") {
		t.Errorf("JBIG2: got %v", err)
	}
}

func TestRead_formValues(t *testing.T) {
	body := pdftest.File("", pdftest.Page{Content: pdftest.TextAt("F1", 10, 72, 700, "Name:"), Annots: `<</Type/Annot/Subtype/Widget/FT/Tx/V(Ada)/Rect[110 696 200 712]>>` +
		`<</Type/Annot/Subtype/Widget/FT/Tx/V(hidden)/F 2/Rect[110 600 200 612]>>`})
	if got := readText(t, body, Options{}); got != "Name: Ada" {
		t.Errorf("got %q", got)
	}
}

func TestRead_optionalContentThatIsOff(t *testing.T) {
	m := &pdftest.Maker{}
	on, off := m.Add("<</Type/OCG/Name(on)>>"), m.Add("<</Type/OCG/Name(off)>>")
	c := m.Stream("", "/OC /A BDC "+pdftest.TextAt("F1", 10, 72, 700, "shown")+"EMC /OC /B BDC "+pdftest.TextAt("F1", 10, 72, 680, "hidden")+"EMC")
	tree := m.Reserve()
	p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<<%s/Properties<</A %d 0 R/B %d 0 R>>>>>>", tree, c, pdftest.Fonts, on, off)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", p)
	root := m.Add("<</Type/Catalog/Pages %d 0 R/OCProperties<</OCGs[%d 0 R %d 0 R]/D<</OFF[%d 0 R]>>>>>>", tree, on, off, off)
	if got := readText(t, m.File(root, ""), Options{}); got != "shown" {
		t.Errorf("got %q", got)
	}
}

func TestRead_rotatedPages(t *testing.T) {
	for _, turn := range []int{0, 90, 180, 270, -90} {
		body := strings.Replace(string(pdftest.Text("The harbour at low water", "in two lines.")), "/Contents", fmt.Sprintf("/Rotate %d/Contents", turn), 1)
		if got := readText(t, []byte(body), Options{}); got != "The harbour at low water in two lines." {
			t.Errorf("turned by %d: got %q", turn, got)
		}
	}
}
