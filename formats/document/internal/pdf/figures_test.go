package pdf

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
	"github.com/winnow-go/winnow/formats/document/internal/pictures"
)

// keeping reads a file whose pictures are kept, by number.
func keeping(t *testing.T, ctx context.Context, body []byte) (html string, kept int, left []string) {
	t.Helper()
	set := pictures.New(func(pictures.Picture) (string, error) {
		kept++
		return fmt.Sprintf("/%d", kept), nil
	}, pictures.Limits{Count: 10, Bytes: 1 << 20})
	doc, err := Read(ctx, body, Options{Pictures: set})
	if err != nil {
		t.Fatal(err)
	}
	return string(doc.HTML), kept, set.Warnings()
}

// page4 is a page with a text, and images of several kinds as XObjects.
func page4(content string) []byte {
	m := &pdftest.Maker{}
	add := func(dict, data string) int { return m.Stream("/Type/XObject/Subtype/Image"+dict, data) }
	i := add("/Width 8/Height 8"+grayBits, strings.Repeat("\xAA", 8))
	k := add("/Width 8/Height 8/ImageMask true/BitsPerComponent 1", strings.Repeat("\xAA", 8))
	x := add("/Width 8/Height 8/Filter/JPXDecode", "\x00\x00\x00\x0cjP")
	j := add("/Width 8/Height 8/Filter/JBIG2Decode"+grayBits, "x")
	tree := m.Reserve()
	content += pdftest.TextAt("F1", 12, 72, 700, "The harbour at low water lies dry.") + pdftest.TextAt("F1", 12, 72, 100, "At high water it does not.")
	p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</I %d 0 R/K %d 0 R/X %d 0 R/J %d 0 R>>%s>>>>",
		tree, m.Stream("", content), i, k, x, j, pdftest.Fonts)
	m.Set(tree, "<</Type/Pages/Count 1/Kids[%d 0 R]>>", p)
	return m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
}

func TestRead_whichPicturesAreKept(t *testing.T) {
	const at = " 0 0 100 72 400 cm /"
	for name, c := range map[string]struct {
		content string
		kept    int
		left    []string
	}{
		"a picture":            {"q 100" + at + "I Do Q ", 1, nil},
		"one in two places":    {"q 100" + at + "I Do Q q 100 0 0 100 300 400 cm /I Do Q ", 1, nil},
		"a sign":               {"q 12 0 0 12 72 400 cm /I Do Q ", 0, nil},
		"a line":               {"q 400 0 0 2 72 400 cm /I Do Q ", 0, nil},
		"a background":         {"q 600 0 0 800 0 0 cm /I Do Q ", 0, nil},
		"outside of the page":  {"q 100 0 0 100 700 400 cm /I Do Q ", 0, nil},
		"a mask":               {"q 100" + at + "K Do Q ", 0, nil},
		"decoration":           {"/Artifact BMC q 100" + at + "I Do Q EMC ", 0, nil},
		"of no browser's kind": {"q 100" + at + "X Do Q ", 0, []string{"Pictures were left out (of kinds that browsers don't show): one of page 1."}},
		"of an unknown kind":   {"q 100" + at + "J Do Q ", 0, []string{"Pictures were left out (of kinds that browsers don't show): one of page 1."}},
	} {
		html, kept, left := keeping(t, t.Context(), page4(c.content))
		if kept != c.kept || !slices.Equal(left, c.left) {
			t.Errorf("%s: %d kept, %q", name, kept, left)
		}
		first, second := strings.Index(html, "lies dry"), strings.Index(html, "At high")
		if img := strings.Index(html, "<img"); c.kept > 0 != (first < img && img < second) || first < 0 || second < first {
			t.Errorf("%s: got %s", name, html)
		}
	}
}

// The caller of Read looks at the error; the text is there.
func TestRead_anErrorOfKeepingEndsIt(t *testing.T) {
	full := errors.New("full")
	set := pictures.New(func(pictures.Picture) (string, error) { return "", full }, pictures.Limits{Count: 10, Bytes: 1 << 20})
	doc, err := Read(t.Context(), page4("q 100 0 0 100 72 400 cm /I Do Q "), Options{Pictures: set})
	if err != nil || strings.Contains(string(doc.HTML), "<figure") || !errors.Is(set.Err(), full) {
		t.Errorf("got %v, %v", err, set.Err())
	}
}

// endsAt is a context whose time is over when it has been looked at so many times.
type endsAt struct {
	context.Context
	left int
}

func (c *endsAt) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Where the time for looking is over, pictures are named as left out, and the text stays.
func TestReading_keepPicturesEndsWithTheTime(t *testing.T) {
	body := page4("q 100 0 0 100 72 400 cm /I Do Q ")
	for looks := range 40 {
		set := pictures.New(func(pictures.Picture) (string, error) { return "/1", nil }, pictures.Limits{Count: 10, Bytes: 1 << 20})
		b := &reader.Budget{Context: t.Context(), Limit: 1 << 20}
		f, leaves, err := reader.Open(b, body, "")
		if err != nil {
			t.Fatal(err)
		}
		r := &reading{file: f, options: Options{Pictures: set}, doc: &Document{TotalPages: 1}}
		r.pages(leaves)
		b.Context = &endsAt{t.Context(), looks}
		r.keepPictures()
		kept := slices.ContainsFunc(r.found[0].blocks, func(b block) bool { return b.src != "" })
		if late := strings.Contains(fmt.Sprint(set.Warnings()), pictures.Late); late == kept || len(r.found[0].blocks) < 2 {
			t.Errorf("%d looks: kept %v, %q, %d blocks", looks, kept, set.Warnings(), len(r.found[0].blocks))
		}
	}
}
