package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

func openOthers(t testing.TB, name string) (*WACZ, error) {
	t.Helper()
	f := others(t, name)
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return OpenWACZ(f, info.Size())
}

func TestWACZ_filesOfOtherTools(t *testing.T) {
	tests := []struct{ file, address, page, software string }{
		{"valid_example_1.wacz", "http://www.example.com/", "Example Domain", ""},
		{"valid_signed_example_1.wacz", "https://example.com/favicon.ico", "Example Domain", "py-wacz 0.4.0"},
	}
	for _, tt := range tests {
		w, err := openOthers(t, tt.file)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Verify(); err != nil || w.Software != tt.software {
			t.Errorf("%s: Verify: %v, software %q", tt.file, err, w.Software)
		}
		found, err := w.Lookup(tt.address)
		if err != nil || len(found) != 1 || found[0].URL != tt.address || found[0].Digest.Algorithm != "sha1" {
			t.Errorf("%s: %+v, %v", tt.file, found, err)
		}
		rec, err := w.Record(found[0])
		if err != nil || rec.URL() != tt.address {
			t.Errorf("%s: %v", tt.file, err)
		}
		for p, err := range w.Pages() {
			if err != nil || p.Title != tt.page || p.Time.Year() < 2020 {
				t.Errorf("%s: page %+v, %v", tt.file, p, err)
			}
		}
	}
	w, err := openOthers(t, "invalid_example_1.wacz")
	if err != nil {
		t.Fatal(err)
	}
	err = w.Verify()
	for _, want := range []string{"sha224", "data/archive/test.txt"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("invalid: %v, want it to name %q", err, want)
		}
	}
}

// content is a file of two pages.
func content(t testing.TB) WACZContent {
	var entries []Entry
	o := options()
	o.OnEntry = func(e Entry) { entries = append(entries, e) }
	file := writtenFile(t, o, page("https://a.example/", "home"), page("https://a.example/2", "second"))
	return WACZContent{Title: "A site", Created: moment, Index: entries,
		Archives: []WARCFile{{o.Name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil }}},
		Pages:    slices.Values([]Page{{"https://a.example/", moment, "Home"}, {"https://a.example/2", time.Time{}, ""}})}
}

func packedFile(t testing.TB, c WACZContent) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteWACZ(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWriteWACZ_isReadBack(t *testing.T) {
	file := packedFile(t, content(t))
	if !bytes.Equal(file, packedFile(t, content(t))) {
		t.Error("the same content makes other bytes")
	}
	w, err := OpenWACZ(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Verify(); err != nil || w.Title != "A site" || w.Software != "winnow" || !w.Created.Equal(moment.Truncate(time.Second)) {
		t.Errorf("%v, %+v", err, w)
	}
	if got := w.Archives(); !slices.Equal(got, []string{"archive/test.warc.gz"}) {
		t.Errorf("%q", got)
	}
	found, err := w.Lookup("https://a.example/2")
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	rec, err := w.Record(found[0])
	if err != nil {
		t.Fatal(err)
	}
	m, err := rec.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(m.Body); string(body) != "second" || err != nil {
		t.Errorf("%q, %v", body, err)
	}
	var pages []Page
	for p, err := range w.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	if len(pages) != 2 || pages[0].Title != "Home" || !pages[0].Time.Equal(moment.Truncate(time.Second)) || pages[1].URL != "https://a.example/2" {
		t.Errorf("%+v", pages)
	}
}

// Any byte of the content that changes is found.
func TestWACZ_verifyFindsDamage(t *testing.T) {
	file := packedFile(t, content(t))
	found := 0
	for at := 60; at < len(file); at += 41 {
		bad := bytes.Clone(file)
		bad[at] ^= 0x10
		w, err := OpenWACZ(bytes.NewReader(bad), int64(len(bad)))
		if err == nil {
			err = w.Verify()
		}
		if err != nil {
			found++
		}
	}
	// What isn't found lies in fields of the zip file that mean nothing here, such as times.
	if tries := (len(file)-60)/41 + 1; found < tries*8/10 {
		t.Errorf("found %d of %d", found, tries)
	}
}

func TestWriteWACZ_refuses(t *testing.T) {
	c := content(t)
	c.Archives = nil
	if err := WriteWACZ(io.Discard, c); err == nil {
		t.Error("without a WARC file")
	}
	c = content(t)
	for _, name := range []string{"", "a/b", "..", "."} {
		c.Archives[0].Name = name
		if err := WriteWACZ(io.Discard, c); err == nil {
			t.Errorf("Name %q", name)
		}
	}
	c = content(t)
	c.Archives[0].Open = func() (io.ReadCloser, error) { return nil, errDisk }
	if err := WriteWACZ(io.Discard, c); !errors.Is(err, errDisk) {
		t.Errorf("%v, want %v", err, errDisk)
	}
	if err := WriteWACZ(failingWriter{}, content(t)); !errors.Is(err, errDisk) {
		t.Errorf("%v, want %v", err, errDisk)
	}
}

// zipOf makes a zip file of names and contents; deflated, as other tools may do.
func zipOf(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		out, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, parts[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestOpenWACZ_withoutAnIndexMakesOne(t *testing.T) {
	warc := string(writtenFile(t, options(), page("https://a.example/", "home")))
	file := zipOf(t, descriptionName, `{"resources":[]}`, "archive/a.warc.gz", warc, "pages/pages.jsonl", "{\"format\":\"x\"}\n\nno json\n{\"url\":\"https://a.example/\"}")
	w, err := OpenWACZ(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Lookup("https://a.example/")
	if err != nil || len(found) != 1 || found[0].Filename != "a.warc.gz" {
		t.Fatalf("%v, %v", found, err)
	}
	if rec, err := w.Record(found[0]); err != nil || rec.URL() != "https://a.example/" {
		t.Errorf("%v", err)
	}
	var errs, pages int
	for _, err := range w.Pages() {
		if pages++; err != nil {
			errs++
		}
	}
	if pages != 2 || errs != 1 {
		t.Errorf("%d pages, of which %d errors; want 2 and 1", pages, errs)
	}
	if err := w.Verify(); err == nil || !strings.Contains(err.Error(), "archive/a.warc.gz") {
		t.Errorf("Verify: %v", err)
	}
}

func TestOpenWACZ_refuses(t *testing.T) {
	tests := map[string][]byte{
		"zip":        []byte("no zip file"),
		"not in":     zipOf(t, "x", "y"),
		"invalid":    zipOf(t, descriptionName, "no JSON"),
		"index.cdxj": zipOf(t, descriptionName, "{}", "indexes/index.cdxj.gz", "no gzip"),
	}
	for want, file := range tests {
		if w, err := OpenWACZ(bytes.NewReader(file), int64(len(file))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want an error with %q", w, err, want)
		}
	}
}

func FuzzWACZ(f *testing.F) {
	f.Add(packedFile(f, content(f)))
	f.Add(zipOf(f, descriptionName, "{}", "indexes/index.cdx.gz", zipped("a)/ 20200101000000 {}\n")))
	for _, name := range []string{"valid_example_1.wacz", "valid_signed_example_1.wacz", "invalid_example_1.wacz"} {
		text, err := os.ReadFile(filepath.Join("testdata", "others", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		w, err := OpenWACZ(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		_ = w.Verify()
		for range w.Pages() {
		}
		found, _ := w.Lookup("https://a.example/")
		for _, e := range found {
			_, _ = w.Record(e)
		}
	})
}
