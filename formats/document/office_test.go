package document

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

func TestConvert_officeFilesAreWholeDocuments(t *testing.T) {
	body, err := os.ReadFile("internal/office/testdata/golden/made.docx")
	if err != nil {
		t.Fatal(err)
	}
	res, err := Convert(t.Context(), Input{Body: body}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	html := string(res.HTML)
	for _, want := range []string{"<!DOCTYPE html>", "<title>A Study of Things</title>", `<meta name="author"`, "<h1>First heading</h1>", "</html>"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q", want)
		}
	}
	if res.Kind != DOCX || res.Metadata.Title != "A Study of Things" || res.NumPages != 0 {
		t.Errorf("got %s %+v", res.Kind, res.Metadata)
	}
}

func TestConvert_slidesCountAsPages(t *testing.T) {
	body, err := os.ReadFile("internal/office/testdata/golden/made.pptx")
	if err != nil {
		t.Fatal(err)
	}
	res, err := Convert(t.Context(), Input{Body: body}, Options{})
	if err != nil || res.NumPages != 5 || res.TotalPages != 5 {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestConvert_errorsOfReadersHaveTheirTypesHere(t *testing.T) {
	locked := zipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "x", "META-INF/manifest.xml", "<encryption-data/>")
	if e, ok := errors.AsType[*EncryptedError](convertError(t, Input{Body: locked}, Options{})); !ok || e.Kind != ODT || e.Wrong {
		t.Errorf("encrypted: got %v", e)
	}
	bomb := zipOf(t, "word/document.xml", strings.Repeat(" ", 16<<20))
	if e, ok := errors.AsType[*TooLargeError](convertError(t, Input{Body: bomb}, Options{})); !ok || e.What != "unzipped" {
		t.Errorf("too large: got %v", e)
	}
	if e, ok := errors.AsType[*DamagedError](convertError(t, Input{Body: zipOf(t, "word/document.xml", "")}, Options{})); !ok || e.Kind != DOCX {
		t.Errorf("damaged: got %v", e)
	}
	if e, ok := errors.AsType[*TooLargeError](convertError(t, Input{Body: make([]byte, 11)}, Options{Limits: Limits{Bytes: 10}})); !ok || e.What != "bytes" {
		t.Errorf("too many bytes: got %v", e)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Convert(ctx, Input{Body: bomb}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: got %v", err)
	}
}

func convertError(t *testing.T, in Input, o Options) error {
	t.Helper()
	_, err := Convert(t.Context(), in, o)
	if err == nil {
		t.Error("got no error")
	}
	return err
}

func TestConvert_filesUnderAPasswordAreReadAsWhatIsInside(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	f.SetCellValue("Sheet1", "A1", "secret")
	var b bytes.Buffer
	if err := f.Write(&b, excelize.Options{Password: "pw"}); err != nil {
		t.Fatal(err)
	}
	if e, ok := errors.AsType[*EncryptedError](convertError(t, Input{Body: b.Bytes(), Password: "no"}, Options{})); !ok || !e.Wrong {
		t.Errorf("a wrong password: got %v", e)
	}
	res, err := Convert(t.Context(), Input{Body: b.Bytes(), Password: "pw"}, Options{})
	if err != nil || res.Kind != XLSX || !bytes.Contains(res.HTML, []byte("secret")) {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestConvert_feedsResolveTheirLinks(t *testing.T) {
	body := []byte(`<rss><channel><title>T</title><item><title>One</title><link>/1</link></item></channel></rss>`)
	res, err := Convert(t.Context(), Input{Body: body, URL: "https://example.org/feed"}, Options{})
	if err != nil || res.Kind != Feed || !bytes.Contains(res.HTML, []byte(`<a href="https://example.org/1">One</a>`)) {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestConvert_linesOfJSON(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"flat objects are a table": {"{\"a\":1,\"b\":\"<x>\"}\n\n{\"b\":null,\"c\":true}\n", "<table>\n<thead><tr><th>a</th><th>b</th><th>c</th></tr></thead>\n<tr><td>1</td><td>&lt;x&gt;</td><td></td></tr>\n<tr><td></td><td></td><td>true</td></tr>\n</table>"},
		"others are code":          {"{\"a\":[1]}\n{\"a\":2}\n", "<pre><code class=\"language-json\">{&#34;a&#34;:[1]}\n{&#34;a&#34;:2}</code></pre>"},
		"broken lines are code":    {"{\"a\":1}\n{\"a\":", "<pre><code class=\"language-json\">{&#34;a&#34;:1}\n{&#34;a&#34;:</code></pre>"},
	} {
		res, err := Convert(t.Context(), Input{Body: []byte(c.in), Name: "a.jsonl"}, Options{})
		if err != nil || !strings.Contains(string(res.HTML), c.want) {
			t.Errorf("%s: got %s, %v", name, res.HTML, err)
		}
	}
}

// reads is OCR that answers always the same.
type reads struct {
	text string
	err  error
	got  *Image
}

func (r reads) Recognize(_ context.Context, img Image) (Recognized, error) {
	*r.got = img
	return Recognized{Paragraphs: []Paragraph{{Text: r.text}}}, r.err
}

func TestConvert_imagesTellTheirSizeAndWithOCRTheirText(t *testing.T) {
	var got Image
	in := Input{Body: pixel(t), Name: "dir/a.png"}
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"alone":    {Options{}, "<p>PNG image, 1 × 1 pixels</p>\n\n</body>"},
		"with OCR": {Options{OCR: reads{"a < b", nil, &got}}, "<p>PNG image, 1 × 1 pixels</p>\n<p>a &lt; b</p>"},
		"fast":     {Options{OCR: reads{"a", nil, &got}, Mode: ModeFast}, "<p>PNG image, 1 × 1 pixels</p>\n\n</body>"},
	} {
		res, err := Convert(t.Context(), in, c.o)
		if err != nil || !strings.Contains(string(res.HTML), c.want) || res.Metadata.Title != "a.png" {
			t.Errorf("%s: got %+v, %v", name, res, err)
		}
	}
	if got.MediaType != "image/png" || len(got.Body) != len(in.Body) {
		t.Errorf("OCR got %s of %d bytes", got.MediaType, len(got.Body))
	}
	for name, o := range map[string]Options{"no OCR": {Mode: ModeOCR}, "OCR that fails": {OCR: reads{"", errors.New("no"), &got}}} {
		if e, ok := errors.AsType[*OCRRequiredError](convertError(t, in, o)); !ok {
			t.Errorf("%s: got %v", name, e)
		}
	}
}

func TestImageSize_ofFormatsWithoutADecoder(t *testing.T) {
	avif := "\x00\x00\x00\x1cftypavif....\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x02\x80\x00\x00\x01\xe0"
	jp2 := "\x00\x00\x00\x0CjP  \r\n\x87\n....ihdr\x00\x00\x01\xe0\x00\x00\x02\x80"
	for _, body := range []string{avif, jp2} {
		if w, h := imageSize([]byte(body)); w != 640 || h != 480 {
			t.Errorf("got %d × %d", w, h)
		}
	}
}

func FuzzConvert_others(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{\"b\":2}"), "a.jsonl")
	f.Add(pixel(f), "a.png")
	f.Add([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x28\x00\x00\x00"), "a.bmp")
	f.Add([]byte("II*\x00\x08\x00\x00\x00"), "a.tiff")
	f.Add([]byte("From: a\nTo: b\nDate: c\n\nx"), "a.eml")
	f.Fuzz(func(t *testing.T, body []byte, name string) {
		in := Input{Body: body, Name: name}
		if Detect(in) == PDF {
			return
		}
		res, err := Convert(t.Context(), in, Options{Limits: Limits{Unzipped: 4 << 20, Cells: 10_000, Text: 1 << 20}})
		if err == nil && !bytes.HasPrefix(res.HTML, []byte("<!DOCTYPE html>")) {
			t.Errorf("got %q", res.HTML)
		}
		if errors.As(err, new(*DamagedError)) && strings.Contains(err.Error(), "reader failed") {
			t.Error(err) // a panic
		}
	})
}
