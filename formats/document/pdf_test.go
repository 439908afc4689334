package document

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// madePDF is a file of pages with one line of text each; an empty line is a page with an image only.
func madePDF(lines ...string) []byte {
	var b strings.Builder
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n"+format+"\nendobj\n", append([]any{len(offsets)}, args...)...)
	}
	b.WriteString("%PDF-1.7\n")
	object("<</Type/Catalog/Pages 2 0 R/Lang(en)>>")
	kids := ""
	for i := range lines {
		kids += fmt.Sprintf("%d 0 R ", 5+2*i)
	}
	object("<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 612 792]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/XObject<</I 3 0 R>>>>>>", len(lines), kids)
	object("<</Type/XObject/Subtype/Image/Width 8/Height 1/BitsPerComponent 1/ColorSpace/DeviceGray/Length 1>>\nstream\n\xaa\nendstream")
	for i, l := range lines {
		content := "BT /F 12 Tf 72 700 Td (" + l + ") Tj ET"
		if l == "" {
			content = "612 0 0 792 0 0 cm /I Do"
		}
		object("<</Length %d>>\nstream\n%s\nendstream", len(content), content)
		object("<</Type/Page/Parent 2 0 R/Contents %d 0 R/Annots[<</Subtype/Link/Rect[70 695 300 715]/A<</URI(%s)>>>>]>>", 4+2*i, linkOf(i))
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n1 %d\n", len(offsets))
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, at)
	return []byte(b.String())
}

func linkOf(page int) string {
	return []string{"tides.html", "https://other.example/", "javascript:alert(1)", "file:///etc/passwd"}[page%4]
}

func ExampleConvert() {
	res, err := Convert(context.Background(), Input{Body: madePDF("The harbour at low water")}, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Kind, res.NumPages, "of", res.TotalPages)
	fmt.Println(strings.Contains(string(res.HTML), "<p>The harbour at low water</p>"))
	// Output:
	// pdf 1 of 1
	// true
}

func TestConvert_pdf(t *testing.T) {
	in := Input{Body: madePDF("First page.", "Second page.", "Third page."), URL: "https://harbour.example/book/a.pdf"}
	res, err := Convert(t.Context(), in, Options{MaxPages: 2, Pages: true, Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	if res.Kind != PDF || res.NumPages != 2 || res.TotalPages != 3 || len(res.Pages) != 2 || res.Metadata.Language != "en" {
		t.Errorf("got %+v", res)
	}
	html := string(res.HTML)
	for _, want := range []string{`<html lang="en">`, `<a href="https://harbour.example/book/tides.html">First page.</a>`, `<a href="https://other.example/">Second page.</a>`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
	}
	b := res.Pages[1].Blocks
	if len(b) != 1 || b[0].ID != "p2.b1" || b[0].Type != "text" || b[0].Source != "text" || b[0].Confidence.OCR != 1 || b[0].Text != "Second page." || !strings.Contains(string(res.Pages[1].HTML), "Second") {
		t.Errorf("got %+v", res.Pages[1])
	}
}

func TestConvert_pdfLinksLeadToTheWebOnly(t *testing.T) {
	res, err := Convert(t.Context(), Input{Body: madePDF("a", "b", "c", "d")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if html := string(res.HTML); strings.Count(html, "<a ") != 1 || strings.Contains(html, "javascript") || strings.Contains(html, "passwd") {
		t.Errorf("got %s", html)
	}
}

func TestConvert_pdfErrors(t *testing.T) {
	_, err := Convert(t.Context(), Input{Body: []byte("%PDF-1.4 and nothing more")}, Options{})
	if e, ok := errors.AsType[*DamagedError](err); !ok || e.Kind != PDF {
		t.Errorf("damaged: got %v", err)
	}
	_, err = Convert(t.Context(), Input{Body: madePDF("a")}, Options{Limits: Limits{Bytes: 100}})
	if e, ok := errors.AsType[*TooLargeError](err); !ok || e.What != "bytes" || e.Limit != 100 {
		t.Errorf("too large: got %v", err)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Convert(gone, Input{Body: madePDF("a")}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// ocrFunc is an OCR of one function.
type ocrFunc func(ctx context.Context, img Image) (Recognized, error)

func (f ocrFunc) Recognize(ctx context.Context, img Image) (Recognized, error) { return f(ctx, img) }

func TestConvert_scannedPDF(t *testing.T) {
	in := Input{Body: madePDF("")}
	_, err := Convert(t.Context(), in, Options{})
	if e, ok := errors.AsType[*OCRRequiredError](err); !ok || e.Err != nil || !strings.Contains(err.Error(), "install tesseract") {
		t.Errorf("without OCR: got %v", err)
	}
	broken := errors.New("out of order")
	_, err = Convert(t.Context(), in, Options{OCR: ocrFunc(func(context.Context, Image) (Recognized, error) { return Recognized{}, broken })})
	if _, ok := errors.AsType[*OCRRequiredError](err); !ok || !errors.Is(err, broken) {
		t.Errorf("with a broken OCR: got %v", err)
	}
	ocr := ocrFunc(func(_ context.Context, img Image) (Recognized, error) {
		return Recognized{Paragraphs: []Paragraph{{Text: "read from " + img.MediaType, Confidence: 0.5}}}, nil
	})
	res, err := Convert(t.Context(), in, Options{OCR: ocr, Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	if b := res.Pages[0].Blocks; len(b) != 1 || b[0].Source != "ocr" || b[0].Confidence.OCR != 0.5 || b[0].Text != "read from image/png" {
		t.Errorf("got %+v", b)
	}
	if _, err := Convert(t.Context(), in, Options{OCR: ocr, Mode: ModeFast}); err == nil {
		t.Error("fast mode read a scan")
	}
}

func TestConvert_partlyScannedPDFWarns(t *testing.T) {
	res, err := Convert(t.Context(), Input{Body: madePDF("text", "")}, Options{})
	if err != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "OCR") {
		t.Errorf("got %+v, %v", res, err)
	}
}

// fakeExtractor stands for another PDF reader.
type fakeExtractor struct{ got Options }

func (f *fakeExtractor) ExtractPDF(_ context.Context, in Input, o Options) (*Result, error) {
	f.got = o
	return &Result{Kind: PDF, HTML: in.Body}, nil
}

func TestConvert_extractorTakesThePlaceOfTheReader(t *testing.T) {
	f := &fakeExtractor{}
	res, err := Convert(t.Context(), Input{Body: madePDF("a")}, Options{Extractor: f})
	if err != nil || len(res.HTML) == 0 || f.got.Limits.Pages == 0 || f.got.Mode != ModeAuto {
		t.Errorf("got %v, options %+v", err, f.got)
	}
}

// Every PDF of the corpus converts or says what is wrong with it.
func TestConvert_pdfCorpus(t *testing.T) {
	root := os.Getenv("WINNOW_CORPUS")
	if root == "" {
		t.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	files, _ := filepath.Glob(filepath.Join(root, "pdf", "*.pdf"))
	if len(files) == 0 {
		t.Fatal("no PDFs in the corpus")
	}
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Convert(t.Context(), Input{Body: body, Name: path}, Options{Pages: true, Blocks: true})
		_, encrypted := errors.AsType[*EncryptedError](err)
		_, scanned := errors.AsType[*OCRRequiredError](err)
		if err != nil && !encrypted && !scanned {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		if err == nil && (res.NumPages == 0 || len(res.Pages) != res.NumPages) {
			t.Errorf("%s: %d pages, %d in the list", filepath.Base(path), res.NumPages, len(res.Pages))
		}
	}
}
