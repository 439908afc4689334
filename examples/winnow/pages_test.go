package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/doctor"
)

func TestScrape_onePageIsItsText(t *testing.T) {
	o := good(t, "", demoArgs("scrape", millURL)...)
	if !strings.HasPrefix(o.stdout, "![Hand mill](") || !strings.Contains(o.stdout, "\n# Hand mill\n") || o.stderr != "" {
		t.Errorf("got %q, said %q", o.stdout, o.stderr)
	}
	o = good(t, "", demoArgs("scrape", "--whole", "-f", "links", millURL)...)
	contains(t, "links", o.stdout, "https://shop.example/terms\n")
	o = good(t, "", demoArgs("scrape", "-f", "product", millURL)...)
	contains(t, "product", o.stdout, "\"title\": \"Hand mill\"")
	o = good(t, "", demoArgs("scrape", "-f", `{"type": "attributes", "selectors": [{"selector": "h1", "attribute": "class"}]}`, millURL)...)
	contains(t, "attributes", o.stdout, `"selector": "h1"`)
}

func TestScrape_severalSayWhichIsWhich(t *testing.T) {
	o := ran(t, "", demoArgs("scrape", millURL, refused, ryeURL)...)
	contains(t, "stdout", o.stdout, "url: \""+millURL+"\"\n---\n\n![Hand mill](", "\n---\ntitle: \"Winter rye", "url: \""+ryeURL+"\"")
	contains(t, "stderr", o.stderr, refused+": unsafe_domain_blocked: ")
}

func TestScrape_linesOfJSONHaveTheFailuresToo(t *testing.T) {
	o := ran(t, "", demoArgs("scrape", "--json", millURL, refused)...)
	lines := jsonLines(t, o.stdout)
	if len(lines) != 2 || lines[1]["url"] != refused || lines[1]["code"] != "unsafe_domain_blocked" || lines[1]["error"] == "" {
		t.Fatalf("got %s", o.stdout)
	}
	text, _ := lines[0]["markdown"].(string)
	contains(t, "markdown", text, "# Hand mill")
}

func TestScrape_aFolderHasAFileForEachFormat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	ran(t, "", demoArgs("scrape", "-o", dir, "-f", "markdown,html,rawHtml,links", millURL, refused)...)
	const name = "shop.example_products_hand-mill"
	if got, want := names(t, dir), "failed.ndjson "+name+".html "+name+".json "+name+".md "+name+".raw.html"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	contains(t, "markdown", read(t, dir, name+".md"), "title: \"Hand mill", "# Hand mill")
	contains(t, "rawHtml", read(t, dir, name+".raw.html"), "<html")
	contains(t, "the rest", read(t, dir, name+".json"), `"links": [`)
	if lines := jsonLines(t, read(t, dir, failedFile)); len(lines) != 1 || lines[0]["url"] != refused {
		t.Errorf("got %v", lines)
	}
	good(t, "", demoArgs("scrape", "-o", dir, millURL)...)
	if strings.Contains(names(t, dir), failedFile) {
		t.Error("the list of an earlier run's failures is still there")
	}
}

func TestMap_feedsABatch(t *testing.T) {
	for _, form := range [][]string{nil, {"--json"}} {
		listed := good(t, "", append([]string{"map", "--demo", "-q", "https://blog.example/"}, form...)...)
		o := good(t, "# a comment\n\n"+listed.stdout, demoArgs("batch", "--json")...)
		if got, want := len(jsonLines(t, o.stdout)), strings.Count(listed.stdout, "\n"); got != want || got < 5 {
			t.Errorf("%d documents of %d addresses", got, want)
		}
	}
}

func TestBatch_readsWhatScrapeHasWritten(t *testing.T) {
	scraped := good(t, "", demoArgs("scrape", "--json", millURL)...)
	list := write(t, filepath.Join(t.TempDir(), "a.ndjson"), scraped.stdout)
	o := good(t, ryeURL, demoArgs("batch", "--json", list, "-")...)
	if got := len(jsonLines(t, o.stdout)); got != 2 {
		t.Errorf("%d documents: %s", got, o.stdout)
	}
}

func TestCrawl_givesAFileForEachPage(t *testing.T) {
	dir := t.TempDir()
	o := good(t, "", "crawl", "--demo", "--render", "never", "--limit", "5", "-o", dir, "https://blog.example/")
	if got := strings.Count(names(t, dir), ".md"); got != 5 {
		t.Errorf("%d files: %s", got, names(t, dir))
	}
	contains(t, "stderr", o.stderr, "5 of 5 pages", "not followed: ")
}

func TestSearch_findsWhatACrawlHasKept(t *testing.T) {
	cache := t.TempDir()
	good(t, "", demoArgs("crawl", "--cache", cache, "-o", t.TempDir(), "https://blog.example/")...)
	o := good(t, "", "search", "-q", "--cache", cache, "east", "wind")
	contains(t, "stdout", o.stdout, "1. Waiting for the east wind", "https://blog.example/articles/the-east-wind")
	o = good(t, "", "search", "-q", "--cache", cache, "--source", "news", "--json", "wind")
	if lines := jsonLines(t, o.stdout); len(lines) == 0 || lines[0]["date"] == nil {
		t.Errorf("news: %s", o.stdout)
	}
	o = good(t, "", "doctor", "--help")
	contains(t, "help", o.stdout, "--cache")
}

func TestParse_filesAndPipes(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	a := write(t, filepath.Join(dir, "a.html"), "<title>T</title><main><h1>First</h1><p>of two</p></main>")
	b := write(t, filepath.Join(dir, "b", "a.html"), "<main><h1>Second</h1><p>of two</p></main>")
	o := good(t, "", "parse", a)
	if o.stdout != "# First\n\nof two\n" {
		t.Errorf("got %q", o.stdout)
	}
	o = good(t, "x,y\n1,2\n", "parse", "-", "--name", "t.csv")
	contains(t, "stdin", o.stdout, "| x")
	good(t, "", "parse", "-o", out, a, b)
	if got := names(t, out); strings.Count(got, ".md") != 2 || !strings.Contains(got, "a.html.md") {
		t.Errorf("got %s", got)
	}
	bad := write(t, filepath.Join(dir, "bad.bin"), "\x00\x01\x02\x03")
	if o := ran(t, "", "parse", "--json", a, bad); o.status != partly || len(jsonLines(t, o.stdout)) != 2 {
		t.Errorf("status %d: %s", o.status, o.stdout)
	}
}

func TestCompletion_ofCommandsAndValues(t *testing.T) {
	for want, args := range map[string][]string{
		"crawl":      {"cr"},
		"always":     {"scrape", "--render", ""},
		"screenshot": {"crawl", "-f", ""},
		"news":       {"search", "--source", ""},
		"ocr":        {"parse", "--mode", ""},
		"only":       {"crawl", "--sitemap", ""},
	} {
		contains(t, want, good(t, "", append([]string{"__complete"}, args...)...).stdout, want)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		contains(t, shell, good(t, "", "completion", shell).stdout, "winnow")
	}
}

func TestBundle_refusesWhatIsNone(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	o := ran(t, "", "bundle", "install", write(t, filepath.Join(t.TempDir(), "file"), "no bundle"))
	if o.status != failed || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("status %d: %s", o.status, o.stderr)
	}
	contains(t, "stderr", o.stderr, "damaged at manifest.json")
	if o := ran(t, "", "bundle", "pack"); o.status != wrongUsage {
		t.Errorf("status %d: %s", o.status, o.stderr)
	}
	dir := t.TempDir()
	if o := ran(t, "", "bundle", "pack", "--filters", filepath.Join(dir, "nowhere.txt"), filepath.Join(dir, "out")); o.status != failed || names(t, dir) != "" {
		t.Errorf("status %d: %s, left %s", o.status, o.stderr, names(t, dir))
	}
	contains(t, "help", good(t, "", "bundle").stdout, "pack", "install")
}

func TestDoctor_lacksNothingAfterInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	o := good(t, "", "install", "--system", "-q")
	contains(t, "install", o.stdout, "driver ", "browser ")
	o = good(t, "", "doctor", "--cache", filepath.Join(t.TempDir(), "new"))
	contains(t, "doctor", o.stdout, "ok       browser", "ok       rendering", "sandbox", "ocr", "ok       cache")
	o = ran(t, "", "doctor", "--json", refused)
	lines := jsonLines(t, o.stdout)
	if findings, _ := lines[0]["findings"].([]any); o.status != notAllowed || len(lines) != 1 || len(findings) < 12 {
		t.Errorf("status %d: %s", o.status, o.stdout)
	}
	dir := t.TempDir()
	good(t, "", "scrape", "--demo", "-q", "-o", dir, "-f", "markdown,screenshot", "https://lab.example/")
	contains(t, "files", names(t, dir), "lab.example.png", "lab.example.md")
}

// Where there is no browser, the proof of silence is one more finding: what is missing decides the status, and JSON stays JSON.
func TestDoctor_silenceWithoutABrowser(t *testing.T) {
	empty := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, empty)
	}
	t.Setenv(asProgram, "1") // in the namespace
	o := ran(t, "", "doctor", "--silence", "--json")
	var all diagnosis
	if err := json.Unmarshal([]byte(o.stdout), &all); err != nil || o.status != missing || all.Silence != nil {
		t.Fatalf("status %d, %v, %+v\n%s", o.status, err, all.Silence, o.stderr)
	}
	last := all.Findings[len(all.Findings)-1]
	if last.Name != "silence" || last.State != doctor.Broken || !strings.Contains(last.Text, "no usable driver") {
		t.Errorf("got %+v", last)
	}
}
