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

// scans is a file of pages that are images.
func scans(pages int) []byte {
	m := &pdftest.Maker{}
	img := m.Stream("/Type/XObject/Subtype/Image/Width 8/Height 8"+grayBits, strings.Repeat("\xAA", 8))
	c := m.Stream("", "q 612 0 0 792 0 0 cm /I Do Q")
	tree := m.Reserve()
	kids := ""
	for range pages {
		p := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I %d 0 R>>>>>>", tree, c, img)
		kids += fmt.Sprintf("%d 0 R ", p)
	}
	m.Set(tree, "<</Type/Pages/Count %d/Kids[%s]>>", pages, kids)
	return m.File(m.Add("<</Type/Catalog/Pages %d 0 R>>", tree), "")
}

// readUntil reads scans; the time to look is over while the given page is recognized.
func readUntil(t *testing.T, page, pages int, o Options) (*Document, error) {
	looking, stop := context.WithCancel(t.Context())
	defer stop()
	n := 0
	o.Recognize = func(ctx context.Context, _ []byte, _ string) ([]Recognized, error) {
		if n++; n == page {
			stop()
			return nil, ctx.Err()
		}
		return []Recognized{{Text: fmt.Sprintf("Sheet %d.", n)}}, nil
	}
	return read(t.Context(), looking, scans(pages), o)
}

func TestRead_pagesThatTheTimeDidNotReachAreNamed(t *testing.T) {
	for _, c := range []struct {
		page, pages int
		missing     string
	}{{3, 5, "pages 3 to 5"}, {5, 5, "page 5"}, {50, 60, "pages 50 to 60"}} {
		var told []int
		doc, err := readUntil(t, c.page, c.pages, Options{Progress: func(done, all int) { told = append(told, done*1000+all) }})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"the time was over before " + c.missing + " could be read"}
		if !doc.Incomplete || len(doc.Pages) != c.page-1 || doc.TotalPages != c.pages || !slices.Equal(doc.Warnings, want) {
			t.Errorf("got incomplete %v, %d of %d pages, %q", doc.Incomplete, len(doc.Pages), doc.TotalPages, doc.Warnings)
		}
		if last := fmt.Sprintf("Sheet %d.", c.page-1); !strings.Contains(string(doc.HTML), last) {
			t.Errorf("got %s, want %q", doc.HTML, last)
		}
		if len(told) != c.page-1 || told[0] != 1000+c.pages || told[len(told)-1] != (c.page-1)*1000+c.pages {
			t.Errorf("progress: %v", told)
		}
	}
}

func TestRead_noPageInTimeIsAnError(t *testing.T) {
	if _, err := readUntil(t, 1, 5, Options{}); !errors.Is(err, ErrTime) {
		t.Errorf("got %v", err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if _, err := read(t.Context(), over, scans(5), Options{}); !errors.Is(err, ErrTime) {
		t.Errorf("before it is opened: got %v", err)
	}
	if _, err := Read(over, scans(5), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// The pages that MaxPages leaves out are not missing.
func TestRead_completeWithinMaxPages(t *testing.T) {
	doc, err := Read(t.Context(), pdftest.ThreePages(), Options{MaxPages: 2})
	if err != nil || doc.Incomplete || len(doc.Warnings) > 0 {
		t.Errorf("got %+v, %v", doc, err)
	}
}
