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

// outlined is the content of n shapes that are no lines.
func outlined(n int) string {
	return strings.Repeat("72 700 m 80 700 l 76 712 l h f ", n)
}

// pictured is a page with the images I, of a kind that this package decodes, and J, of one that it doesn't.
func pictured(content, page string) []byte {
	m := &pdftest.Maker{}
	i := m.Stream("/Type/XObject/Subtype/Image/Width 8/Height 8"+grayBits, strings.Repeat("\xAA", 8))
	j := m.Stream("/Type/XObject/Subtype/Image/Width 8/Height 8/Filter/JBIG2Decode"+grayBits, "x")
	x := m.Stream("/Type/XObject/Subtype/Image/Width 8/Height 8/Filter/JPXDecode", "\x00\x00\x00\x0cjP")
	tree := m.Reserve()
	p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/MediaBox[0 0 600 800]%s/Resources<</XObject<</I %d 0 R/J %d 0 R/X %d 0 R>>%s>>>>",
		tree, m.Stream("", content), page, i, j, x, pdftest.Fonts)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", p)
	return m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
}

// A page that is one upright image is recognized by that, all others as they are drawn.
func TestRead_whatIsDrawnForRecognition(t *testing.T) {
	whole := "q 600 0 0 800 0 0 cm /%s Do Q "
	for name, c := range map[string]struct {
		body []byte
		want string // what is recognized
	}{
		"a scan":                    {pictured(fmt.Sprintf(whole, "I"), ""), "image"},
		"a scan of unknown form":    {pictured(fmt.Sprintf(whole, "J"), ""), "drawing"},
		"a scan few programs read":  {pictured(fmt.Sprintf(whole, "X"), ""), "drawing"},
		"a scan on its side":        {pictured(fmt.Sprintf(whole, "I"), "/Rotate 90"), "drawing"},
		"a scan upside down":        {pictured("q -600 0 0 -800 600 800 cm /I Do Q ", ""), "drawing"},
		"a scan in a mirror":        {pictured("q -600 0 0 800 600 0 cm /I Do Q ", ""), "drawing"},
		"a scan turned to be right": {pictured("q 0 800 -600 0 600 0 cm /I Do Q ", "/Rotate 90"), "image"},
		"strips":                    {pictured("q 600 0 0 500 0 300 cm /I Do Q q 600 0 0 300 0 0 cm /I Do Q ", ""), "drawing"},
		"text as a mask":            {pictured(fmt.Sprintf(whole, "I")+fmt.Sprintf(whole, "I"), ""), "drawing"},
		"a picture among shapes":    {pictured(fmt.Sprintf(whole, "I")+outlined(12), ""), "drawing"},
		"shapes":                    {pictured(outlined(12), ""), "drawing"},
		"glyphs without text":       {unreadFile("u"), "drawing"},
		"such glyphs and a scan":    {unreadFile("s"), "drawing"},
		"few shapes":                {pictured(outlined(11), ""), ""},
		"lines":                     {pictured(strings.Repeat("72 700 m 500 700 l S ", 40), ""), ""},
		"text beside shapes":        {pictured(outlined(100)+pdftest.TextAt("F1", 12, 72, 600, "The harbour at low water"), ""), ""},
		"nothing":                   {pictured("", ""), ""},
	} {
		recognized := ""
		doc, err := Read(t.Context(), c.body, Options{
			Draw: func(_ context.Context, page, all int) ([]byte, string, error) {
				if page != 1 || all != 1 {
					t.Errorf("%s: page %d of %d", name, page, all)
				}
				return []byte("drawing"), "image/png", nil
			},
			Recognize: func(_ context.Context, img []byte, _ string) ([]Recognized, error) {
				if recognized = "image"; string(img) == "drawing" {
					recognized = "drawing"
				}
				return []Recognized{{Text: "high water", Box: [4]float64{0.1, 0.2, 0.5, 0.3}}}, nil
			},
		})
		if err != nil || recognized != c.want {
			t.Errorf("%s: got %q, want %q; %v", name, recognized, c.want, err)
			continue
		}
		b := doc.Pages[0].Blocks
		if c.want == "drawing" && (len(b) != 1 || b[0].Text != "high water" || b[0].Box != [4]float64{0.1, 0.2, 0.5, 0.3} || len(doc.Warnings) > 0) {
			t.Errorf("%s: got %+v, %q", name, b, doc.Warnings)
		}
	}
}

const shapesWarning = "page 1: there are shapes and no text; letters that are drawn as shapes need OCR of page pictures"

func TestRead_pagesOfShapesAreNamed(t *testing.T) {
	draw := func(context.Context, int, int) ([]byte, string, error) { return []byte("drawing"), "image/png", nil }
	for name, o := range map[string]Options{
		"nothing set": {}, "no pictures": {Recognize: nothing}, "no recognition": {Draw: draw}, "fast": {Draw: draw, Recognize: nothing, Mode: ModeFast},
	} {
		doc, err := Read(t.Context(), pictured(outlined(20), ""), o)
		if err != nil || !slices.Equal(doc.Warnings, []string{shapesWarning}) || doc.Pages[0].Status != "partial" {
			t.Errorf("%s: got %+v, %v", name, doc, err)
		}
	}
	doc, err := Read(t.Context(), pictured(outlined(20), ""), Options{Draw: draw, Recognize: nothing})
	if err != nil || len(doc.Warnings) > 0 || doc.Pages[0].Status != "ok" {
		t.Errorf("shapes that are no letters: got %+v, %v", doc, err)
	}
	doc, err = Read(t.Context(), unreadFile("u"), Options{Draw: draw, Recognize: nothing})
	if want := fmt.Sprintf(unreadWarning, "page 1"); err != nil || !slices.Equal(doc.Warnings, []string{want}) {
		t.Errorf("glyphs that recognition can't read either: got %+v, %v", doc, err)
	}
}

func nothing(context.Context, []byte, string) ([]Recognized, error) { return nil, nil }

func TestRead_drawingFails(t *testing.T) {
	broken := errors.New("no pictures")
	draw := func(context.Context, int, int) ([]byte, string, error) { return nil, "", broken }
	recognize := func(context.Context, []byte, string) ([]Recognized, error) {
		return []Recognized{{Text: "high water"}}, nil
	}
	o := Options{Draw: draw, Recognize: recognize}
	doc, err := Read(t.Context(), pictured("q 600 0 0 500 0 300 cm /I Do Q q 600 0 0 300 0 0 cm /I Do Q ", ""), o)
	if err != nil || string(doc.HTML) != "<p>high water</p>\n" || !slices.Equal(doc.Warnings, []string{"page 1 could not be drawn: no pictures"}) {
		t.Errorf("strips: got %+v, %v", doc, err)
	}
	for name, c := range map[string]struct {
		body []byte
		want string
	}{"shapes": {pictured(outlined(20), ""), shapesWarning}, "glyphs": {unreadFile("u"), fmt.Sprintf(unreadWarning, "page 1")}} {
		doc, err = Read(t.Context(), c.body, o)
		if err != nil || !slices.Equal(doc.Warnings, []string{"page 1: text recognition: no pictures", c.want}) {
			t.Errorf("%s: got %+v, %v", name, doc, err)
		}
	}
}
