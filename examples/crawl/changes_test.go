package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// later is the built-in site some time after: rye is sold out, spelt is grown no more, and the tools have another address.
func later(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/grains/rye":
		body(w, "text/html", "<title>Rye</title><h1>Rye</h1><p>All rye is sold.</p>")
	case "/grains/spelt":
		http.NotFound(w, r)
	case "/tools":
		http.Redirect(w, r, "/shed", http.StatusMovedPermanently)
	case "/shed":
		r.URL.Path = "/tools"
		servePage(w, r)
	default:
		serve(w, r)
	}
}

func TestRun_comesAgain(t *testing.T) {
	out := t.TempDir()
	mustCrawl(t, "-out", out)
	before := tree(t, out)
	var said strings.Builder
	p := program{stdout: &said, stderr: io.Discard, site: http.HandlerFunc(later)}
	if err := p.run(context.Background(), []string{"-since", "-quiet", "-out", out}); err != nil {
		t.Fatal(err)
	}
	if want := "3 changes, 2 pages written, 0 failed\n" + filepath.Join(out, "changes.md") + "\n"; said.String() != want {
		t.Errorf("it says %q, want %q", said.String(), want)
	}
	files := tree(t, out)
	for _, want := range []string{
		"- changed: <https://granary.example/grains/rye>\n", "      +All rye is sold.\n", "- removed: <https://granary.example/grains/spelt>\n",
		"- moved: <https://granary.example/shed>, from <https://granary.example/tools>\n",
	} {
		if !strings.Contains(files["changes.md"], want) {
			t.Errorf("%q is not among the changes:\n%s", want, files["changes.md"])
		}
	}
	if !strings.Contains(files["pages/granary.example_grains_rye.md"], "All rye is sold.") || files["pages/granary.example_shed.md"] == "" {
		t.Error("pages that have changed or moved are not written")
	}
	for _, gone := range []string{"pages/granary.example_grains_spelt.md", "pages/granary.example_tools.md"} {
		if files[gone] != "" {
			t.Errorf("%s is there still", gone)
		}
	}
	if name := "pages/granary.example_almanac.md"; files[name] != before[name] {
		t.Errorf("%s was written again", name)
	}
	if err := p.run(context.Background(), []string{"-since", "-quiet", "-out", out}); err != nil || !strings.Contains(tree(t, out)["changes.md"], "Nothing.") {
		t.Errorf("a third time: %v, %s", err, tree(t, out)["changes.md"])
	}
}

func TestRun_comesAgainToNothing(t *testing.T) {
	for _, args := range [][]string{{"-since"}, {"-since", "-out", t.TempDir()}} {
		p := program{stdout: io.Discard, stderr: io.Discard, site: http.HandlerFunc(serve)}
		if err := p.run(context.Background(), append(args, "-quiet")); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// A crawl that comes again goes to the site of the folder, by the flags of the last crawl there; another site is refused.
func TestRun_comesAgainToTheSameSite(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(serve))
	defer site.Close()
	out := t.TempDir()
	mustCrawl(t, "-out", out, "-allow-private", "-render", "never", "-limit", "3", site.URL)
	run := func(args ...string) (string, error) {
		var said strings.Builder
		p := program{stdout: &said, stderr: io.Discard, site: http.HandlerFunc(serve)}
		err := p.run(context.Background(), append(args, "-since", "-quiet", "-out", out))
		return said.String(), err
	}
	if said, err := run(); err != nil || !strings.HasPrefix(said, "0 changes, 0 pages written, 0 failed\n") {
		t.Errorf("without a URL: %q, %v", said, err)
	}
	if _, err := run("-limit", "4"); err != nil {
		t.Error(err)
	}
	p := program{stdout: io.Discard, stderr: io.Discard, site: http.HandlerFunc(serve)}
	if err := p.run(context.Background(), []string{"-since", "-quiet", "-out", out, siteURL}); err == nil || !strings.Contains(err.Error(), site.URL) {
		t.Errorf("another site: %v", err)
	}
	for name := range tree(t, out) {
		if strings.Contains(name, "granary") {
			t.Errorf("%s is of another site", name)
		}
	}
}
