package passages

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected files of the golden pairs")

// name.in.md becomes name.out.json, by passages of at most 64 tokens.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.in.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, in := range files {
		md, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.MarshalIndent(Split(string(md), Options{MaxTokens: 64, Language: "en"}), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		out := strings.TrimSuffix(in, ".in.md") + ".out.json"
		if *update {
			if err := os.WriteFile(out, append(got, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(out); err != nil || string(want) != string(got)+"\n" {
			t.Errorf("%s: got %s, want %s (%v)", in, got, want, err)
		}
	}
}
