package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// withPictures is a PDF whose pages show the same logo, and the second one a picture between two lines.
func withPictures() []byte {
	m := &pdftest.Maker{}
	const gray = "/ColorSpace/DeviceGray/BitsPerComponent 8"
	logo := m.Stream("/Type/XObject/Subtype/Image/Width 2/Height 2"+gray, "abcd")
	picture := m.Stream("/Type/XObject/Subtype/Image/Width 4/Height 2"+gray, "abcdefgh")
	tree, kids := m.Reserve(), ""
	for _, more := range []string{"", "q 200 0 0 100 72 400 cm /P Do Q ", ""} {
		text := pdftest.TextAt("F1", 12, 72, 600, "The harbour at low water.") + pdftest.TextAt("F1", 12, 72, 300, "And at high water.")
		content := m.Stream("", "q 40 0 0 40 500 740 cm /L Do Q "+text+more)
		page := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</L %d 0 R/P %d 0 R>>%s>>>>",
			tree, content, logo, picture, pdftest.Fonts)
		kids += fmt.Sprintf(" %d 0 R", page)
	}
	m.Set(tree, "<</Type/Pages/Count 3/Kids[%s]>>", kids)
	return m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
}

func TestConvert_picturesOfAPDFAreKeptInTheirPlace(t *testing.T) {
	kept := 0
	keep := func(hash string, img Image) (string, error) {
		kept++
		if len(hash) != 64 || img.MediaType != "image/png" {
			t.Errorf("%s of type %s", hash, img.MediaType)
		}
		return "/kept/one.png", nil
	}
	for name, wanted := range map[string]bool{"wanted": true, "not wanted": false} {
		o, before := Options{}, kept
		if wanted {
			o.KeepPicture = keep
		}
		res, err := Convert(t.Context(), Input{Body: withPictures()}, o)
		if err != nil || len(res.Warnings) > 0 {
			t.Fatalf("%s: %v, %+v", name, err, res)
		}
		html := string(res.HTML)
		figure := strings.Index(html, `<figure><img src="/kept/one.png" alt=""></figure>`)
		if wanted != (figure > 0) || wanted != (kept == before+1) || strings.Count(html, "<img") > 1 {
			t.Errorf("%s: %d kept\n%s", name, kept, html)
		}
		if wanted && strings.Count(html[:figure], "low water") != 2 {
			t.Errorf("the picture is not in its place\n%s", html)
		}
	}
}
