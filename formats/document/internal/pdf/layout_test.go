package pdf

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Every pair x.in.txt, x.out.html of testdata/layout is a drawing and what is read from it.
func TestRead_layout(t *testing.T) {
	files, err := filepath.Glob("testdata/layout/*.in.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no drawings: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".in.txt"), func(t *testing.T) {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := Read(t.Context(), pdftest.Drawing(t, string(source)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(path, ".in.txt") + ".out.html"
			if *update {
				if err := os.WriteFile(golden, doc.HTML, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(doc.HTML); got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
