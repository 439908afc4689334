package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/internal/content"
)

func TestRightShares(t *testing.T) {
	words := func(texts ...string) (list [][]string) {
		for _, text := range texts {
			list = append(list, strings.Fields(text))
		}
		return list
	}
	for _, c := range []struct {
		name      string
		blocks    [][]string
		reference string
		want      []float64
	}{
		{"a menu and a text", words("home about", "bees sleep in winter", "share"), "bees sleep in winter", []float64{0, 1, 0}},
		{"a word of the text elsewhere", words("bees", "bees sleep in winter"), "bees sleep in winter", []float64{0, 1}},
		{"another order", words("they eat what they have stored", "bees sleep in winter all of them"), "bees sleep in winter all of them they eat what they have stored", []float64{1, 1}},
		{"half of a block", words("one two three four"), "one two", []float64{0.5}},
		{"no reference", words("one"), "", []float64{0}},
		{"no words", words(""), "one", []float64{0}},
	} {
		got := rightShares(c.blocks, strings.Fields(c.reference))
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// sampleOf writes a sample of n pages, each a text between a menu and a list of other pages.
func sampleOf(t *testing.T, n int) string {
	dir := t.TempDir()
	for _, folder := range []string{"html", "ground-truth"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("Paragraph %d says what happened on that day, and why nobody was surprised by it. ", i), 3)
		html := "<title>Page</title><nav><a href=/>Home</a><a href=/b>Bees</a></nav><main><h1>Page</h1>" + strings.Repeat("<p>"+text+"</p>", 20) +
			"</main><div>" + strings.Repeat("<div><b>Another page</b></div>", 30) + "</div>"
		write(t, filepath.Join(dir, "html", fmt.Sprint(i, ".html.gz")), zipped(t, html))
		truth, err := json.Marshal(map[string]any{
			"url": "https://site.test/", "_internal": map[string]any{"page_type": map[string]string{"primary": "article"}},
			"ground_truth": map[string]string{"main_content": "Page " + strings.Repeat(text, 20)},
		})
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "ground-truth", fmt.Sprint(i, ".json")), truth)
	}
	return dir
}

func zipped(t *testing.T, text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t *testing.T, name string, data []byte) {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRun_writesWhatIsRead(t *testing.T) {
	dir := sampleOf(t, 7)
	held := filepath.Join(t.TempDir(), "held")
	write(t, held, []byte("1\n2\n"))
	var files [2][]byte
	for i := range files {
		out := filepath.Join(t.TempDir(), "learnt.json")
		if err := run(t.Context(), []string{dir}, held, out); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = data
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same sample gave two files")
	}
	l, err := content.ParseLearnt(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Figures["pages"]; got != "5 of 7" {
		t.Errorf("learnt from %s pages, want 5 of 7", got)
	}
	if l.Figures["learnt, untouched pages"] == "" {
		t.Error("no figures of the pages that were held apart")
	}
}

func TestRun_refuses(t *testing.T) {
	if run(t.Context(), nil, "", "") == nil {
		t.Error("no folder: want an error")
	}
	if run(t.Context(), []string{t.TempDir()}, "", "") == nil {
		t.Error("a folder without pages: want an error")
	}
	if run(t.Context(), []string{sampleOf(t, 1)}, filepath.Join(t.TempDir(), "none"), "") == nil {
		t.Error("no file of ids: want an error")
	}
}
