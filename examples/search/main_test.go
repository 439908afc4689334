package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestRun_findsWhatTheCrawlHasSeen(t *testing.T) {
	for query, want := range map[string]string{"barley sacks": "/barley\n", `"two cats"`: "/mice\n", "late barley -sacks": "/oats\n"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{query}, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(out.String(), "2. "); !strings.Contains(first, "https://"+siteHost+want) {
			t.Errorf("%s: %s", query, &out)
		}
	}
	if err := run(t.Context(), nil, io.Discard, io.Discard); err == nil {
		t.Error("no words, and no error")
	}
}
