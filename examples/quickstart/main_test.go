package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

func TestRun_showsTheCarriedSite(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	var out, progress bytes.Buffer
	if err := run(t.Context(), []string{"-out", t.TempDir()}, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	for _, want := range []string{
		"# In stock today 今日の在庫", "- **Spelt**: 42 sacks", "rendered by: browser", "screenshot:", // the scripted page
		"# On winnowing", "> Throw it up", "```go", "rendered by: http", // the article
		"| Hill", "steps:       lookup",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the output:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "The Mill, 1 Stream Lane") {
		t.Error("the footer is in the markdown")
	}
	if !strings.Contains(progress.String(), "fetch") {
		t.Errorf("no progress was shown: %s", &progress)
	}
}

func TestRun_jsonIsOneDocumentALine(t *testing.T) {
	site := httptest.NewServer(handler())
	defer site.Close()
	var out, progress bytes.Buffer
	if err := run(t.Context(), []string{"-json", "-allow-private", "-render", "never", "-format", "markdown, links", site.URL + "/article", site.URL + "/table"}, &out, &progress); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines: %s", len(lines), &out)
	}
	for _, line := range lines {
		var doc engine.Document
		if err := json.Unmarshal([]byte(line), &doc); err != nil || doc.Markdown == "" || len(doc.Links) == 0 && strings.Contains(line, "/article") {
			t.Errorf("%v: %s", err, line)
		}
	}
}

func TestRun_errorsAreClear(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-render", "never", "http://127.0.0.1:1/"}, "unsafe_domain_blocked"},
		{[]string{"-render", "sometimes", "http://example.com/"}, `"auto", "never" or "always"`},
		{[]string{"-timeout", "1ms", "http://example.com/"}, "timeout"},
		{[]string{"-format", "pigeon", "http://example.com/"}, "pigeon"},
		{[]string{"http://"}, "url"},
	} {
		var out, progress bytes.Buffer
		err := run(t.Context(), c.args, &out, &progress)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.args, err, c.want)
			continue
		}
		if strings.Contains(oneLine(err), "\n") {
			t.Errorf("%v: more than one line", c.args)
		}
	}
}
