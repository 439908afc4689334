package main

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

func TestSession_isStillLoggedInWhenItComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test runs a real browser")
	}
	var out bytes.Buffer
	err := logInAndComeBack(t.Context(), &out, true)
	if errors.Is(err, engine.ErrNotConfigured) && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("sessions can't be run here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const want = "Nobody is logged in.\nAda is logged in.\nAda is logged in.\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}
