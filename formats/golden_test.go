package formats

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected files of the golden pairs")

// goldenFolders are the folders of testdata with golden pairs: name.in.<kind> becomes name.out.<ext>.
// The first line of an input may be <!-- options {…} --> with Options as JSON.
var goldenFolders = map[string]struct {
	ext    string
	render func(t *testing.T, d *DOM, o Options) string
}{
	"markdown":   {"md", func(t *testing.T, d *DOM, o Options) string { return render(t, d, o, Markdown).Markdown + "\n" }},
	"main":       {"md", func(t *testing.T, d *DOM, o Options) string { return renderMain(t, d, o) }},
	"html":       {"html", func(t *testing.T, d *DOM, o Options) string { return render(t, d, o, HTML).HTML + "\n" }},
	"links":      {"txt", func(t *testing.T, d *DOM, o Options) string { return lines(render(t, d, o, Links).Links) }},
	"images":     {"txt", func(t *testing.T, d *DOM, o Options) string { return lines(render(t, d, o, Images).Images) }},
	"attributes": {"json", func(t *testing.T, d *DOM, o Options) string { return asJSON(t, render(t, d, o, Attributes).Attributes) }},
	"metadata":   {"json", func(t *testing.T, d *DOM, o Options) string { return metadataJSON(t, render(t, d, o).Metadata) }},
	"product":    {"json", func(t *testing.T, d *DOM, o Options) string { return asJSON(t, render(t, d, o, Product).Product) }},
	"menu":       {"json", func(t *testing.T, d *DOM, o Options) string { return asJSON(t, render(t, d, o, Menu).Menu) }},
	"signals":    {"json", signalsJSON},
}

func signalsJSON(t *testing.T, d *DOM, _ Options) string {
	return asJSON(t, struct {
		MainWords int
		Signals
	}{ask(t, d.MainWords), ask(t, d.Signals)})
}

const goldenURL = "https://example.com/docs/page.html"

func TestGolden(t *testing.T) {
	for folder, g := range goldenFolders {
		t.Run(folder, func(t *testing.T) {
			names := goldenNames(t, filepath.Join("testdata", folder))
			for name, in := range names {
				t.Run(name, func(t *testing.T) {
					d, o := parseGolden(t, in)
					checkGolden(t, filepath.Join("testdata", folder, name+".out."+g.ext), g.render(t, d, o))
				})
			}
		})
	}
}

// goldenNames lists the inputs of a folder by name and fails on a file that belongs to no pair.
func goldenNames(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	inputs := make(map[string]string)
	for _, e := range entries {
		if name, _, ok := strings.Cut(e.Name(), ".in."); ok {
			inputs[name] = filepath.Join(dir, e.Name())
		}
	}
	for _, e := range entries {
		name, _, out := strings.Cut(e.Name(), ".out.")
		if _, known := inputs[name]; out && !known || !out && !strings.Contains(e.Name(), ".in.") {
			t.Errorf("%s/%s: belongs to no pair", dir, e.Name())
		}
	}
	if len(inputs) == 0 {
		t.Fatalf("%s: no pairs", dir)
	}
	return inputs
}

func parseGolden(t *testing.T, file string) (*DOM, Options) {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var o Options
	if rest, ok := strings.CutPrefix(string(body), "<!-- options "); ok {
		options, rest, _ := strings.Cut(rest, " -->\n")
		if err := json.Unmarshal([]byte(options), &o); err != nil {
			t.Fatalf("%s: options: %v", file, err)
		}
		body = []byte(rest)
	}
	mediaTypes := map[string]string{".html": "text/html", ".json": "application/json", ".txt": "text/plain", ".md": "text/markdown",
		".xml": "application/xml", ".csv": "text/csv", ".xhtml": "application/xhtml+xml", ".py": "text/x-python"}
	return mustParse(t, string(body), mediaTypes[filepath.Ext(file)]), o
}

func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

func mustParse(t testing.TB, body, mediaType string) *DOM {
	t.Helper()
	d, err := Parse(context.Background(), Source{URL: goldenURL, MediaType: mediaType, Body: []byte(body), Raw: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func render(t testing.TB, d *DOM, o Options, types ...Type) *Output {
	t.Helper()
	o.Formats = types
	out, err := d.Render(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func renderMain(t testing.TB, d *DOM, o Options) string {
	o.OnlyMainContent = true
	return render(t, d, o, Markdown).Markdown + "\n"
}

func lines(list []string) string { return strings.Join(append(list, ""), "\n") }

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// metadataJSON shows the fields and the extra names together.
func metadataJSON(t testing.TB, m Metadata) string {
	return asJSON(t, struct {
		Metadata
		Extra map[string][]string `json:"extra,omitempty"`
	}{m, m.Extra})
}
