package office

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"hash/crc32"
	"io"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/net/html"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// reader is one of the package's readers.
type reader = func(context.Context, []byte, Options) (*Document, error)

// readers are all of them by the extension of their files.
var readers = map[string]reader{
	".docx": DOCX, ".xlsx": XLSX, ".pptx": PPTX, ".odt": ODT, ".ods": ODS, ".odp": ODP, ".rtf": RTF, ".epub": EPUB, ".eml": EML, ".csv": CSV,
	".xls": XLS, ".doc": DOC, ".msg": MSG, ".ppt": PPT,
}

// archive makes a zip of parts: pairs of name and content.
func archive(tb testing.TB, parts ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		if err := addPart(w, parts[i], parts[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// addPart packs a part. To pack a large one costs more, under the race detector, than all that is done with it: one that archives share is
// packed once, and fast.
func addPart(w *zip.Writer, name, content string) error {
	if len(content) < 1<<20 {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		return err
	}
	data := deflated(content)
	f, err := w.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE([]byte(content)),
		CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(content)),
	})
	if err == nil {
		_, err = f.Write(data)
	}
	return err
}

// lastDeflated is the last large part that was packed.
var lastDeflated struct {
	sync.Mutex
	content string
	data    []byte
}

func deflated(content string) []byte {
	l := &lastDeflated
	l.Lock()
	defer l.Unlock()
	if l.content != content {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestSpeed)
		_, _ = io.WriteString(w, content)
		_ = w.Close()
		l.content, l.data = content, b.Bytes()
	}
	return l.data
}

// bodyOfDoc reads a file and gives the HTML on one line, without white space between elements.
func bodyOfDoc(t *testing.T, read reader, body []byte, o Options) string {
	t.Helper()
	doc, err := read(t.Context(), body, o)
	if err != nil {
		t.Fatal(err)
	}
	checkHTML(t, doc.Body)
	return squeeze(doc.Body)
}

func squeeze(b []byte) string { return strings.TrimSpace(strings.ReplaceAll(string(b), "\n", "")) }

// checkHTML fails when a body is not balanced or holds what could do harm.
func checkHTML(tb testing.TB, body []byte) {
	tb.Helper()
	z := html.NewTokenizer(bytes.NewReader(body))
	var open []string
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		t := z.Token()
		switch kind {
		case html.StartTagToken:
			checkTag(tb, t)
			if t.Data != "br" && t.Data != "hr" && t.Data != "img" {
				open = append(open, t.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != t.Data {
				tb.Fatalf("</%s> closes %v in %q", t.Data, open, body)
			}
			open = open[:len(open)-1]
		case html.CommentToken, html.DoctypeToken, html.SelfClosingTagToken:
			tb.Fatalf("%v in %q", t, body)
		}
	}
	if len(open) > 0 {
		tb.Fatalf("%v stay open in %q", open, body)
	}
}

func checkTag(tb testing.TB, t html.Token) {
	tb.Helper()
	switch t.Data {
	case "script", "style", "iframe", "object", "embed", "form", "input", "link", "meta", "base", "svg":
		tb.Fatalf("element %s", t.Data)
	}
	for _, a := range t.Attr {
		low := strings.ToLower(a.Val)
		if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(low, "javascript:") || strings.HasPrefix(low, "file:") || strings.HasPrefix(low, "data:") {
			tb.Fatalf("attribute %s=%q", a.Key, a.Val)
		}
	}
}
