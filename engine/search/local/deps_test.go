package local

import (
	"os/exec"
	"strings"
	"testing"
)

// A program that imports the engine alone doesn't link the full-text library.
func TestHouse_theEngineDoesNotLinkTheLibrary(t *testing.T) {
	for pkg, want := range map[string]bool{"engine": false, "engine/search": false, "engine/search/local": true} {
		out, err := exec.Command("go", "list", "-deps", "github.com/winnow-go/winnow/"+pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(out), "github.com/blevesearch/"); got != want {
			t.Errorf("%s links it: %v", pkg, got)
		}
	}
}
