package office

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestReaders_giveTheGoldenHTML(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, name := range files {
		if filepath.Ext(name) == ".html" {
			if _, err := os.Stat(strings.TrimSuffix(name, ".html")); err != nil {
				t.Errorf("%s has no file", name)
			}
			continue
		}
		pairs++
		t.Run(filepath.Base(name), func(t *testing.T) { goldenPair(t, name) })
	}
	if pairs < 20 {
		t.Errorf("%d pairs found", pairs)
	}
}

func goldenPair(t *testing.T, name string) {
	read := readers[filepath.Ext(name)]
	if read == nil {
		t.Fatalf("no reader for %s", name)
	}
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := read(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkHTML(t, doc.Body)
	got := strings.TrimSpace(string(doc.Body)) + "\n"
	if *update {
		if err := os.WriteFile(name+".html", []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name + ".html")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
