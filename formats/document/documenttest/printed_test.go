package documenttest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/formats/document/documenttest"
)

// heldBack is the first seed of those that no rule was tuned on.
const heldBack = 2_000_000

// The least mean scores of the held-back seeds.
const (
	leastOrder    = 0.97
	leastHeadings = 0.92
	leastTables   = 0.93
)

// Pages of known structure are printed by the browser and read. WINNOW_STRUCTURE is how many; WINNOW_STRUCTURE_FROM is
// the first seed, by default the first that is held back; WINNOW_STRUCTURE_DIR keeps pages and prints in a folder.
func TestMake_printedPagesKeepTheirStructure(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("WINNOW_STRUCTURE"))
	if err != nil || testing.Short() {
		t.Skip("WINNOW_STRUCTURE is not set: it is the number of pages to print and read; needs a browser")
	}
	first, err := strconv.ParseUint(os.Getenv("WINNOW_STRUCTURE_FROM"), 10, 64)
	if err != nil {
		first = heldBack
	}
	p := newPrinter(t)
	s := sums{}
	for seed := first; seed < first+uint64(count); seed++ {
		made := documenttest.Make(seed)
		body := p.print(t, seed, made)
		keep(t, seed, made, body)
		s.add(t, seed, made, readPrint(t, body))
	}
	s.log(t)
	s.check(t, "Order", leastOrder, func(s documenttest.Score) float64 { return s.Order })
	s.check(t, "Headings", leastHeadings, func(s documenttest.Score) float64 { return s.Headings })
	s.check(t, "Tables", leastTables, func(s documenttest.Score) float64 { return s.Tables })
}

func readPrint(t *testing.T, body []byte) string {
	t.Helper()
	res, err := document.Convert(t.Context(), document.Input{Body: body, MediaType: "application/pdf"}, document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(res.HTML)
}

func keep(t *testing.T, seed uint64, made documenttest.Made, body []byte) {
	t.Helper()
	dir := os.Getenv("WINNOW_STRUCTURE_DIR")
	if dir == "" {
		return
	}
	name := filepath.Join(dir, fmt.Sprintf("%s-%d", made.Kind, seed))
	if err := os.WriteFile(name+".html", []byte(made.Page), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".pdf", body, 0o644); err != nil {
		t.Fatal(err)
	}
}

// printer is a browser and the proxy that it gets its pages from.
type printer struct {
	pool  *browser.Pool
	proxy *httptest.Server
}

func newPrinter(t *testing.T) *printer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if _, err := browser.Install(ctx, browser.InstallOptions{System: true}); err != nil {
		t.Fatal(err)
	}
	p := &printer{pool: browser.NewPool(browser.Options{}), proxy: httptest.NewServer(http.HandlerFunc(servePage))}
	t.Cleanup(p.proxy.Close)
	t.Cleanup(func() {
		if err := p.pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// servePage serves the page whose seed is the path.
func servePage(w http.ResponseWriter, r *http.Request) {
	seed, err := strconv.ParseUint(strings.TrimPrefix(r.URL.Path, "/"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, documenttest.Make(seed).Page)
}

func (p *printer) print(t *testing.T, seed uint64, made documenttest.Made) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	page, err := p.pool.Open(ctx, browser.PageOptions{Proxy: p.proxy.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	if _, err := page.Goto(ctx, fmt.Sprintf("http://made.example/%d", seed)); err != nil {
		t.Fatal(err)
	}
	body, err := page.PDF(ctx, actions.PDFOptions{Landscape: made.Landscape})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// sums are the scores of pages by kind.
type sums map[string][]documenttest.Score

func (s sums) add(t *testing.T, seed uint64, made documenttest.Made, got string) {
	t.Helper()
	score, err := documenttest.Compare(made.Page, got)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%-10s seed %d: order %.3f headings %.3f tables %.3f", made.Kind, seed, score.Order, score.Headings, score.Tables)
	s[made.Kind] = append(s[made.Kind], score)
}

func (s sums) log(t *testing.T) {
	t.Helper()
	for _, kind := range documenttest.Kinds() {
		t.Logf("%-10s %3d pages: order %.3f headings %.3f tables %.3f", kind, len(s[kind]),
			mean(s[kind], func(s documenttest.Score) float64 { return s.Order }),
			mean(s[kind], func(s documenttest.Score) float64 { return s.Headings }),
			mean(s[kind], func(s documenttest.Score) float64 { return s.Tables }))
	}
}

// check compares the mean over all pages that have the part.
func (s sums) check(t *testing.T, part string, least float64, of func(documenttest.Score) float64) {
	t.Helper()
	var all []documenttest.Score
	for _, scores := range s {
		all = slices.Concat(all, scores)
	}
	got := mean(all, of)
	t.Logf("%s: %.4f over %d pages", part, got, len(all))
	if got < least {
		t.Errorf("%s: %.4f, want at least %.2f", part, got, least)
	}
}

// mean leaves out what does not apply; None if nothing applies.
func mean(scores []documenttest.Score, of func(documenttest.Score) float64) float64 {
	sum, n := 0.0, 0
	for _, s := range scores {
		if v := of(s); v != documenttest.None {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return documenttest.None
	}
	return sum / float64(n)
}
