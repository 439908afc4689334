package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch/archive"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func exchange(address, body string) archive.Exchange {
	return archive.Exchange{URL: address, Response: &archive.Message{Line: "HTTP/1.1 200 OK", Body: strings.NewReader(body),
		Header: archive.Header{{Name: "Set-Cookie", Value: "s3cret"}}}}
}

func open(t *testing.T, name string) (*os.File, int64) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return f, info.Size()
}

func TestRecorder_wacz(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "site.wacz")
	r, err := Create(Options{File: file, Title: "A site"})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { r.Record(exchange(fmt.Sprintf("https://a.example/%d", i), fmt.Sprint("body ", i))) })
	}
	wg.Wait()
	r.Resource("wss://a.example/", "text/plain", strings.NewReader("a message"))
	for _, purpose := range []string{"empty", "document", "document", "iframe"} {
		e := exchange("https://a.example/"+purpose, "<p>")
		e.Request = &archive.Message{Line: "GET / HTTP/1.1", Header: archive.Header{{Name: "Sec-Fetch-Dest", Value: purpose}}}
		e.Response.Header.Set("Content-Type", "text/html; charset=utf-8")
		r.Record(e)
	}
	form := exchange("https://a.example/form?password=s3cret", "<p>")
	form.Response.Header.Set("Content-Type", "text/html")
	form.Request = &archive.Message{Line: "GET /form?password=s3cret HTTP/1.1"}
	r.Record(form)
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Fatal(err)
	}
	f, size := open(t, file)
	w, err := archive.OpenWACZ(f, size)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Verify(); err != nil || w.Title != "A site" {
		t.Errorf("%v, %q", err, w.Title)
	}
	for _, address := range []string{"https://a.example/7", "wss://a.example/"} {
		if found, err := w.Lookup(address); err != nil || len(found) != 1 || found[0].URL != address {
			t.Errorf("%v, %v, want %s", found, err, address)
		}
	}
	var pages []string
	for p, err := range w.Pages() {
		if pages = append(pages, p.URL); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"https://a.example/document", "https://a.example/form?password=%28redacted%29"}; !slices.Equal(pages, want) {
		t.Errorf("pages %q, want %q", pages, want)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	r.Record(exchange("https://a.example/late", "x")) // after Close nothing is kept, and nothing breaks
}

func TestRecorder_warc(t *testing.T) {
	for _, suffix := range []string{".warc.gz", ".warc"} {
		dir := t.TempDir()
		file := filepath.Join(dir, "site"+suffix)
		r, err := Create(Options{File: file})
		if err != nil {
			t.Fatal(err)
		}
		r.Record(exchange("https://a.example/", "home"))
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		x, size := open(t, filepath.Join(dir, "site.cdxj"))
		found, err := archive.NewIndex(x, size).Lookup("https://a.example/")
		if err != nil || len(found) != 1 || found[0].Filename != "site"+suffix {
			t.Fatalf("%v, %v", found, err)
		}
		f, _ := open(t, file)
		rec, err := archive.NewReader(io.NewSectionReader(f, found[0].Offset, found[0].Length)).Next()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(rec); err != nil || !strings.HasSuffix(string(text), "home") || strings.Contains(string(text), "s3cret") {
			t.Errorf("%q, %v", text, err)
		}
	}
}

func TestCreate_refuses(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.wacz")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", ".wacz", "x", "x.zip", there, filepath.Join(dir, "none", "x.wacz")} {
		if r, err := Create(Options{File: name}); err == nil || r != nil {
			t.Errorf("File %q: %v", name, err)
		}
	}
}

var errBody = errors.New("the body fails")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBody }

// What can't be kept makes Close fail, and is in the log; all else is kept.
func TestRecorder_failuresAreReported(t *testing.T) {
	var log bytes.Buffer
	file := filepath.Join(t.TempDir(), "site.wacz")
	r, err := Create(Options{File: file, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	bad := exchange("https://a.example/bad", "")
	bad.Response.Body = failing{}
	r.Record(bad)
	r.Record(bad)
	r.Record(exchange("https://a.example/good", "x"))
	if err := r.Close(); !errors.Is(err, errBody) || strings.Count(log.String(), "\n") != 1 {
		t.Errorf("%v, log %q", err, log.String())
	}
	f, size := open(t, file)
	w, err := archive.OpenWACZ(f, size)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := w.Lookup("https://a.example/good"); len(found) != 1 || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}
