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

func TestRun_findsNewsAndImages(t *testing.T) {
	for source, want := range map[string]string{
		"news":   "1. Mice (2026-07-25T00:00:00Z)\n   https://" + siteHost + "/mice\n",
		"images": "1. Two cats on a sack\n   https://" + siteHost + "/cats.png\n   on https://" + siteHost + "/mice\n",
	} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{"-source", source, "cats"}, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) || strings.Contains(out.String(), "2. ") {
			t.Errorf("%s: got %s", source, &out)
		}
	}
	if err := run(t.Context(), []string{"-source", "tea", "cats"}, io.Discard, io.Discard); err == nil {
		t.Error("no such source, and no error")
	}
}
