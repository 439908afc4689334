package engine

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats"
)

// dotted is a PNG of w by w pixels, without loss or gain when it is packed.
func dotted(t testing.TB, w int, seed uint32) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, w, w))
	for i := range img.Pix {
		seed = seed*1664525 + 1013904223
		img.Pix[i] = byte(seed >> 24)
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.NoCompression} // nothing of it can be compressed
	if err := encoder.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// illustrated is a DOCX of paragraphs, after each a picture with its description: of name → bytes in the order of uses.
func illustrated(t testing.TB, pictures map[string][]byte, uses ...string) []byte {
	const ns = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ` +
		`xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
		`xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"`
	var text, relations strings.Builder
	var parts [][2]string
	for i, name := range uses {
		fmt.Fprintf(&text, `<w:p><w:r><w:t>Before %d.</w:t></w:r></w:p><w:p><w:r><w:drawing><wp:inline><wp:docPr descr="Picture %s"/><pic:pic><pic:blipFill><a:blip r:embed="%s"/></pic:blipFill></pic:pic></wp:inline></w:drawing></w:r></w:p>`, i+1, name, name)
	}
	for name, body := range pictures {
		fmt.Fprintf(&relations, `<Relationship Id="%s" Type="x/image" Target="media/%s"/>`, name, name)
		parts = append(parts, [2]string{"word/media/" + name, string(body)})
	}
	return zipOf(t, append(parts, [2]string{"word/document.xml", "<w:document " + ns + "><w:body>" + text.String() + "</w:body></w:document>"},
		[2]string{"word/_rels/document.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + relations.String() + "</Relationships>"}))
}

func threePictures(t testing.TB) (file []byte, pictures map[string][]byte) {
	pictures = map[string][]byte{"a.png": dotted(t, 20, 1), "b.png": dotted(t, 20, 2), "c.png": dotted(t, 20, 3), "old.wmf": []byte("\xd7\xcd\xc6\x9a")}
	return illustrated(t, pictures, "a.png", "b.png", "a.png", "c.png", "old.wmf"), pictures
}

// uriOf is a PNG as an address.
func uriOf(picture []byte) string {
	return page.Image{MediaType: "image/png", Bytes: picture}.DataURI()
}

var withImages = []formats.Format{{Type: formats.Markdown}, {Type: formats.Images}}

const noWMF = "Pictures were left out (of kinds that browsers don't show): old.wmf."

// checkPictures checks a document of threePictures whose pictures lie in a folder.
func checkPictures(t *testing.T, doc *Document, folder string, pictures map[string][]byte) {
	t.Helper()
	at := map[string]string{}
	for name, body := range pictures {
		at[name] = filepath.Join(folder, fmt.Sprintf("%x.png", sha256.Sum256(body)))
	}
	var want []string
	for i, name := range []string{"a.png", "b.png", "a.png", "c.png"} {
		want = append(want, fmt.Sprintf("Before %d.\n\n![Picture %s](%s)", i+1, name, at[name]))
	}
	if want := strings.Join(append(want, "Before 5.\n\nPicture old.wmf"), "\n\n"); doc.Markdown != want || doc.Warning != noWMF {
		t.Errorf("got %q, %q\nwant %q", doc.Markdown, doc.Warning, want)
	}
	if !slices.Equal(doc.Images, []string{at["a.png"], at["b.png"], at["c.png"]}) {
		t.Errorf("got images %q", doc.Images)
	}
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		if got, err := os.ReadFile(at[name]); err != nil || !bytes.Equal(got, pictures[name]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 3 {
		t.Errorf("in the folder: %v, %v", entries, err)
	}
}

func TestParse_picturesOfAFileAreAssets(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "the (assets)")
	e := newTestEngine(t, Options{AssetDir: folder})
	file, pictures := threePictures(t)
	escaped := filepath.Dir(folder) + "/the%20(assets)"
	for range 2 {
		doc := parsed(t, e, ParseInput{Reader: bytes.NewReader(file), Name: "three.docx"}, ParseOptions{Formats: withImages})
		doc.Markdown = strings.ReplaceAll(doc.Markdown, escaped, folder)
		checkPictures(t, doc, folder, pictures)
	}
	from := ParseInput{Reader: bytes.NewReader(file), Name: "three.docx", URL: "https://granary.example/files/"}
	doc := parsed(t, e, from, ParseOptions{Formats: withImages})
	doc.Markdown = strings.ReplaceAll(doc.Markdown, escaped, folder)
	checkPictures(t, doc, folder, pictures)
}

func TestParse_picturesThatNobodyWantsAreText(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "assets")
	e := newTestEngine(t, Options{AssetDir: folder})
	file, _ := threePictures(t)
	doc := parsed(t, e, ParseInput{Reader: bytes.NewReader(file), Name: "three.docx"}, ParseOptions{})
	if !strings.HasPrefix(doc.Markdown, "Before 1.\n\nPicture a.png\n\nBefore 2.") || doc.Warning != "" {
		t.Errorf("got %q, %q", doc.Markdown, doc.Warning)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}

func TestParse_picturesWithoutAFolderAreDataURIs(t *testing.T) {
	e := newTestEngine(t, Options{})
	file, pictures := threePictures(t)
	uris := []string{}
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		uris = append(uris, uriOf(pictures[name]))
	}
	doc := parsed(t, e, ParseInput{Reader: bytes.NewReader(file), Name: "three.docx"}, ParseOptions{Formats: withImages})
	if !strings.HasPrefix(doc.Markdown, "Before 1.\n\n![Picture a.png](<Base64-Image-Removed>)\n\nBefore 2.") || !slices.Equal(doc.Images, uris) || doc.Warning != noWMF {
		t.Errorf("got %q, %q, %q", doc.Markdown, doc.Images, doc.Warning)
	}
	doc = parsed(t, e, ParseInput{Reader: bytes.NewReader(file), Name: "three.docx"}, ParseOptions{Formats: withImages, RemoveBase64Images: new(false)})
	if !strings.HasPrefix(doc.Markdown, "Before 1.\n\n![Picture a.png]("+uris[0]+")\n\nBefore 2.") {
		t.Errorf("with data URIs: got %q", doc.Markdown)
	}
}

func TestParse_dataURIsAreBounded(t *testing.T) {
	e := newTestEngine(t, Options{})
	large, small := dotted(t, 2900, 1), dotted(t, 20, 2) // 8.4 MB
	file := illustrated(t, map[string][]byte{"large.png": large, "small.png": small}, "large.png", "small.png", "large.png")
	doc := parsed(t, e, ParseInput{Reader: bytes.NewReader(file), Name: "large.docx"}, ParseOptions{Formats: withImages})
	if len(doc.Images) != 1 || doc.Images[0] != uriOf(small) || !strings.Contains(doc.Markdown, "Before 1.\n\nPicture large.png\n\nBefore 2.") {
		t.Errorf("got %d images, %q", len(doc.Images), doc.Markdown)
	}
	if want := "Pictures were left out (data URIs have room for 8 MiB, a folder for assets would have it for all): 1."; doc.Warning != want {
		t.Errorf("got %q", doc.Warning)
	}
}

func TestScrape_picturesOfAFileAreMadeEachTime(t *testing.T) {
	file, pictures := threePictures(t)
	folder := t.TempDir()
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
		w.Write(file)
	})
	e := cachingEngine(t, site, func(o *Options) { o.AssetDir, o.AllowZeroDataRetention = folder, true })
	const url = "https://granary.example/three.docx"
	for range 2 { // from the site, then from the cache
		checkPictures(t, scrapeOK(t, e, url, ScrapeOptions{Formats: withImages}), folder, pictures)
		for name := range pictures { // they are the caller's to delete
			_ = os.Remove(filepath.Join(folder, fmt.Sprintf("%x.png", sha256.Sum256(pictures[name]))))
		}
	}
	doc := scrapeOK(t, e, url, ScrapeOptions{Formats: withImages, ZeroDataRetention: true})
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 || len(doc.Images) != 3 || !strings.HasPrefix(doc.Images[0], "data:image/png;base64,") {
		t.Errorf("private: got %.60q, %v in the folder", doc.Images, entries)
	}
}

func TestParse_assetFolderThatCantBeMade(t *testing.T) {
	file, _ := threePictures(t)
	taken := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := newTestEngine(t, Options{AssetDir: taken})
	if doc, err := e.Parse(t.Context(), ParseInput{Reader: bytes.NewReader(file), Name: "three.docx"}, ParseOptions{Formats: withImages}); err == nil || !strings.Contains(err.Error(), "asset folder: ") {
		t.Errorf("got %v, %v", doc, err)
	}
}
