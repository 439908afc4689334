package main

import (
	"bytes"
	"testing"
)

func TestVisitTwice_theSecondVisitIsKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	var out bytes.Buffer
	if err := visitTwice(t.Context(), &out, true); err != nil {
		t.Fatal(err)
	}
	want := "visitor: Welcome, this is visit 1.\nvisitor: Welcome back, this is visit 2.\nstranger: Welcome, this is visit 1.\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}
