package natsdb

import (
	"os/exec"
	"strings"
	"testing"
)

// A program that imports the engine alone doesn't link NATS, and one that imports this package links no server.
func TestHouse_theEngineDoesNotLinkNATS(t *testing.T) {
	for pkg, want := range map[string]bool{"engine": false, "crawl": false, "crawl/natsdb": true, "engine/cluster": true} {
		out, err := exec.Command("go", "list", "-deps", "github.com/winnow-go/winnow/"+pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(out), "github.com/nats-io/nats.go"); got != want || strings.Contains(string(out), "nats-server") {
			t.Errorf("%s links it: %v, want %v, and no server", pkg, got, want)
		}
	}
}
