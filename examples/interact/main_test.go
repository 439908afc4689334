package main

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

func TestInteract_threeLanguagesSeeOnePage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test runs a real browser")
	}
	var out bytes.Buffer
	err := interact(t.Context(), &out, true)
	if errors.Is(err, engine.ErrNotConfigured) && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("sessions can't be run here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const want = "scraped: Counted to 1.\nnode: 1 -> 2\nnode: still known: 1\npython printed: title: The counter\npython: 3\nbash printed: 3\ndestroyed: "
	// What it costs depends on how many minutes it lasted.
	if !strings.HasPrefix(out.String(), want) || !strings.HasSuffix(out.String(), " credits\n") {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}
