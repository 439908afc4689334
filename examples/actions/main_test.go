package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestRun_fillsInTheForm(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	var out bytes.Buffer
	folder := t.TempDir()
	if err := run(t.Context(), &out, folder, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- Spelt in the loft", "- Spelt in the cellar", "script returned number 2", "screenshot of the filled form: " + folder} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, &out)
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("screenshots: %v, %v", files, err)
	}
}
