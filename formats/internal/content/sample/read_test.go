package sample

import (
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const known = `{"url": "https://site.test/a", "_internal": {"page_type": {"primary": "article"}},
	"ground_truth": {"main_content": "The text", "with": ["text"], "without": ["menu"], "title": "A"}}`

// folder makes a sample of these files; those named .gz are compressed.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path, data := filepath.Join(dir, filepath.FromSlash(name)), []byte(files[name])
		if strings.HasSuffix(name, ".gz") {
			data = zipped(t, data)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func zipped(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead_inOrderOfIDs(t *testing.T) {
	dir := folder(t, map[string]string{
		"ground-truth/2.json": strings.Replace(known, `"The text"`, "null", 1), "html/2.html.gz": "<p>two",
		"ground-truth/1.json": known, "html/1.html.gz": "<p>one",
		"ground-truth/notes.txt": "no page",
	})
	want := []Page{
		{ID: "1", URL: "https://site.test/a", Type: "article", HTML: []byte("<p>one"), Reference: "The text", With: []string{"text"}, Without: []string{"menu"}},
		{ID: "2", URL: "https://site.test/a", Type: "article", HTML: []byte("<p>two"), With: []string{"text"}, Without: []string{"menu"}},
	}
	var got []Page
	for p, err := range Read(dir) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestRead_stopsWhenTheLoopDoes(t *testing.T) {
	dir := folder(t, map[string]string{"ground-truth/1.json": known, "html/1.html.gz": "", "ground-truth/2.json": known})
	for p, err := range Read(dir) {
		if p.ID != "1" || err != nil {
			t.Fatalf("got %q, %v", p.ID, err)
		}
		break
	}
}

func TestRead_errorsNameThePage(t *testing.T) {
	dir := folder(t, map[string]string{
		"ground-truth/1-no-json.json": "{", "html/1-no-json.html.gz": "",
		"ground-truth/2-no-type.json": "{}", "html/2-no-type.html.gz": "",
		"ground-truth/3-no-html.json":          known,
		"ground-truth/4-html-is-a-folder.json": known, "html/4-html-is-a-folder.html.gz/x": "",
		"ground-truth/5-good.json": known, "html/5-good.html.gz": "<p>x",
	})
	var failed []string
	for p, err := range Read(dir) {
		if err != nil && !strings.Contains(err.Error(), p.ID) {
			t.Errorf("%s: the error is %q", p.ID, err)
		}
		if err != nil {
			failed = append(failed, p.ID)
		}
	}
	if want := []string{"1-no-json", "2-no-type", "3-no-html", "4-html-is-a-folder"}; !slices.Equal(failed, want) {
		t.Errorf("failed: %q, want %q", failed, want)
	}
}

func TestRead_aFolderWithoutPagesIsAnError(t *testing.T) {
	for name, dir := range map[string]string{"no such folder": filepath.Join(t.TempDir(), "none"), "no pages": folder(t, map[string]string{"ground-truth/x.txt": ""})} {
		errs := 0
		for _, err := range Read(dir) {
			if err == nil {
				t.Errorf("%s: a page", name)
			}
			errs++
		}
		if errs != 1 {
			t.Errorf("%s: %d errors", name, errs)
		}
	}
}
