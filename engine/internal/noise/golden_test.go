package noise

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// Each pair of pages in testdata was seen on two days; the golden file says what counts and what is passed over.
func TestCompare_golden(t *testing.T) {
	pairs, err := filepath.Glob("testdata/*.before.md")
	if err != nil || len(pairs) == 0 {
		t.Fatal(pairs, err)
	}
	for _, path := range pairs {
		name := strings.TrimSuffix(path, ".before.md")
		before, after := readFile(t, path), readFile(t, name+".after.md")
		got := written(Compare(Version{before, noon.AddDate(0, 0, -1)}, Version{after, noon}, nil))
		if *update {
			if err := os.WriteFile(name+".golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := readFile(t, name+".golden"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

func written(r Result) string {
	var out strings.Builder
	for _, b := range r.Blocks {
		fmt.Fprintf(&out, "counts\n- %s\n+ %s\n\n", b.Before, b.After)
	}
	for _, p := range r.Passed {
		fmt.Fprintf(&out, "%s (%s)\n- %s\n+ %s\n\n", p.Kind, p.Rule, p.Before, p.After)
	}
	return out.String()
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
