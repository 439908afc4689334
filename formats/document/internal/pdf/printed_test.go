package pdf

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/documenttest"
)

// readPrinted reads a file of testdata/printed: pages that a browser has printed.
func readPrinted(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata/printed", name+".pdf"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Read(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(doc.HTML)
}

var (
	paragraphPattern = regexp.MustCompile(`(?s)<(?:p|li)>(.*?)</(?:p|li)>`)
	tagPattern       = regexp.MustCompile(`<[^>]+>`)
)

// paragraphsOf are the texts of paragraphs and list items.
func paragraphsOf(s string) (out []string) {
	for _, m := range paragraphPattern.FindAllStringSubmatch(s, -1) {
		out = append(out, html.UnescapeString(tagPattern.ReplaceAllString(m[1], "")))
	}
	return out
}

// Columns of text, justified or not, are forty paragraphs of sixty words between "Start i" and "End i.", in order.
func TestRead_columnsKeepTheirParagraphs(t *testing.T) {
	for _, name := range []string{"col2j", "col3j", "col4l"} {
		got := readPrinted(t, name)
		if strings.Contains(got, "<table") {
			t.Errorf("%s: a table was found in running text", name)
		}
		whole := 0
		for _, p := range paragraphsOf(got) {
			first, last := fmt.Sprintf("Start%d ", whole), fmt.Sprintf(" End%d.", whole)
			if strings.HasPrefix(p, first) && strings.HasSuffix(p, last) && len(strings.Fields(p)) == 62 {
				whole++
			}
		}
		if whole != 40 {
			t.Errorf("%s: %d of 40 paragraphs are whole and in order", name, whole)
		}
	}
}

// Headings at the top of pages differ from each other by a number only, and are no running headers.
func TestRead_headingsAtTheTopOfPagesStay(t *testing.T) {
	for name, want := range map[string][]string{
		"slides-tag": {"Results", "Step 1", "Step 2", "Step 3", "Step 4"},
		"invoices":   {"Invoice 2026-1001", "Invoice 2026-1004", "Invoice 2026-1008"},
	} {
		got := readPrinted(t, name)
		for _, h := range want {
			if !strings.Contains(got, "<h1>"+h+"</h1>") {
				t.Errorf("%s: no heading %q in %s", name, h, got)
			}
		}
	}
}

// A price below 100 stays in its cell.
func TestRead_cellsOfPrices(t *testing.T) {
	for name, rows := range map[string][]string{
		"small":    {"<td>Item 0</td><td>94.69</td><td>in stock</td>", "<td>Item 14</td><td>71.86</td><td>in stock</td>"},
		"tblplain": {"<td>Item 3</td><td>287</td><td>6.06</td><td>yes</td><td></td>", "<td>Item 25</td><td>111</td><td>934.05</td><td>yes</td><td>Note on 25</td>"},
	} {
		got := readPrinted(t, name)
		for _, row := range rows {
			if !strings.Contains(got, row) {
				t.Errorf("%s: no row %s in %s", name, row, got)
			}
		}
	}
}

// A table that is most of a page is no text in columns, though lines above and below it leave the same white free.
func TestRead_longTablesAreNoColumns(t *testing.T) {
	got := readPrinted(t, "longtable")
	for _, row := range []string{
		"<td>Hand</td><td>Old castle railway daily around wagon significantly ridge tower many</td><td>Clay street manage east considerable section</td>",
		"<td>Side</td><td>Brief paint shallow forest wide during public</td><td></td>",
	} {
		if !strings.Contains(got, row) {
			t.Errorf("no row %s in %s", row, got)
		}
	}
}

// Lists within lists nest, though their bullets are drawn and are no text.
func TestRead_drawnBulletsMakeLists(t *testing.T) {
	got := readPrinted(t, "mixed")
	const nested = "<ul>\n<li>one<ul>\n<li>one a</li>\n<li>one b</li>\n</ul>\n</li>\n<li>two Start9 "
	if !strings.Contains(got, nested) {
		t.Errorf("no %s in %s", nested, got)
	}
}

// Every pair x.html, x.pdf of testdata/made is a page of package documenttest and its print: all of its structure is found.
func TestRead_madePagesKeepTheirStructure(t *testing.T) {
	files, err := filepath.Glob("testdata/made/*.pdf")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(strings.TrimSuffix(path, "pdf") + "html")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Read(t.Context(), body, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := documenttest.Compare(string(page), string(doc.HTML))
		if err != nil {
			t.Fatal(err)
		}
		if got.Order != 1 || got.Headings != 1 || got.Tables != 1 && got.Tables != documenttest.None {
			t.Errorf("%s: got %+v, want 1 in each part, in %s", path, got, doc.HTML)
		}
	}
}
