package httpapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// forPrograms are messages that name fields of the program and never reach a client over HTTP, each with the reason.
var forPrograms = map[string]string{
	"unset beside ProxyURL":    "a request over HTTP cannot set the address of a proxy",
	"unset without ObeyRobots": "a request over HTTP sets a robots agent for crawls alone, which obey robots.txt anyway",
	"unset the option DriverDir, so that the driver is downloaded":                                                                                  "the server does not set it",
	"Options.Args: %q is refused: %s":                                                                                                               "engine.New returns it",
	"it would accept any certificate for every page; use PageOptions.SkipTLSVerify":                                                                 "engine.New returns it",
	"it would switch the sandbox off; use Options.NoSandbox":                                                                                        "engine.New returns it",
	"it would weaken the sandbox; use Options.NoSandbox":                                                                                            "engine.New returns it",
	"nothing together with ConnectURL: the browser runs already":                                                                                    "engine.New returns it",
	"nothing beside AllowZeroDataRetention: what is recorded is kept":                                                                               "engine.New returns it",
	"nothing beside Browser.ConnectURL: a remote browser doesn't trust the recording guard":                                                         "engine.New returns it",
	"nothing beside Browser.ConnectURL: a remote browser doesn't trust the guard that replays":                                                      "engine.New returns it",
	"0 beside Browser.ConnectURL: a remote browser doesn't trust the guard that logs in":                                                            "engine.New returns it",
	"false beside Browser.ConnectURL: a remote browser doesn't trust the engine's proxy":                                                            "engine.New returns it",
	"unset with Options.Replay and Browser.ConnectURL":                                                                                              "a request over HTTP cannot name a file to record to",
	"set Options.CDP and Options.CLI":                                                                                                               "the engine sets both",
	"Chromium's sandbox does not start on this system: allow unprivileged user namespaces, or set the option NoSandbox where every page is trusted": "a line of the log",
	"filter lists: sessions apply only rules for whole hosts; with Options.FilterInProxy they apply all":                                            "a line of the log",
	"the driver in %s cannot be patched (%v): one page can end it for all; unset DriverDir and PLAYWRIGHT_DRIVER_PATH to use a patched one":         "a line of the log",
	"the search index has no pages yet: give it to an engine (engine.Options.Search)":                                                               "the engine attaches its index",
}

// Every message of the engine, its rooms, its search and its browser that names a field of the program is put into the words of
// HTTP by serverNames, or never gets there; and every row of serverNames has a message.
func TestServerNames_coverEveryMessageThatNamesAField(t *testing.T) {
	fields := programNames()
	texts, needed := messages(t, "..", "../internal", "../search", "../../browser", "../../browser/code", "../../browser/internal"), map[string]bool{}
	if len(texts) < 1000 {
		t.Fatalf("found %d messages only", len(texts))
	}
	for text, path := range texts {
		if namesField(text, fields) && forPrograms[text] != "" {
			needed[text] = true
		} else if shown := serverNames.Replace(text); namesField(shown, fields) {
			t.Errorf("%s: clients over HTTP would read %q", path, shown)
		}
	}
	for text := range forPrograms {
		if !needed[text] {
			t.Errorf("no message is %q any more", text)
		}
	}
	all := strings.Builder{}
	for text := range texts {
		all.WriteString(text + "\n")
	}
	for i := 0; i < len(serverWords); i += 2 {
		if !strings.Contains(all.String(), serverWords[i]) {
			t.Errorf("no message has %q any more", serverWords[i])
		}
	}
}

// programNames are the fields of the engine's options and requests that no sentence has by chance: those of several words.
func programNames() map[string]bool {
	names := map[string]bool{}
	for _, o := range []any{
		engine.Options{}, engine.ScrapeOptions{}, engine.CrawlOptions{}, engine.BatchOptions{}, engine.MapOptions{}, engine.SearchOptions{},
		engine.ParseOptions{}, engine.ExtractOptions{}, engine.AgentOptions{}, engine.SessionOptions{}, engine.InteractRequest{},
	} {
		addFields(names, reflect.TypeOf(o))
	}
	return names
}

var severalWords = regexp.MustCompile(`^[A-Z][a-z]+[A-Z]`)

// addFields adds the fields of a struct and of the structs in it.
func addFields(names map[string]bool, t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for field := range t.Fields() {
		if severalWords.MatchString(field.Name) {
			names[field.Name] = true
		}
		if field.IsExported() && strings.HasPrefix(t.PkgPath(), "github.com/winnow-go/winnow/") {
			addFields(names, field.Type)
		}
	}
}

var (
	word        = regexp.MustCompile(`[A-Za-z]+`)
	ofTheOption = regexp.MustCompile(`Options\.[A-Z]|; Errors lists`)
)

// namesField reports whether a message names a field or method of the program.
func namesField(text string, fields map[string]bool) bool {
	if ofTheOption.MatchString(text) {
		return true
	}
	for _, w := range word.FindAllString(text, -1) {
		if fields[w] {
			return true
		}
	}
	return false
}

// messages are the texts of several words in the sources of some folders, with the file of each. Of internal folders all below counts.
func messages(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || path != folder && filepath.Base(folder) != "internal"):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				expr, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				text, whole := textOf(expr)
				if strings.Contains(text, " ") {
					texts[text] = path
				}
				return !whole
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// textOf returns the text of a literal, or of literals that are joined; whole reports that nothing below it is to be read.
func textOf(expr ast.Expr) (text string, whole bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ = strconv.Unquote(e.Value)
		}
		return text, true
	case *ast.BinaryExpr:
		left, a := textOf(e.X)
		right, b := textOf(e.Y)
		if e.Op == token.ADD && a && b {
			return left + right, true
		}
	}
	return "", false
}

func TestHeadOf_warningsNameTheRequestsField(t *testing.T) {
	for warning, want := range map[string]string{
		"Links lead out of the seed's path; CrawlEntireDomain follows them.":  "Links lead out of the seed's path; crawlEntireDomain follows them.",
		"robots.txt forbids pages that the crawl found; Errors lists them.":   "robots.txt forbids pages that the crawl found; GET /v2/crawl/{id}/errors lists them.",
		"2 pages could not be read; Errors lists them.":                       "2 pages could not be read.",
		"the time of 1m0s ran out, and pages are left out. And nothing more.": "the time of 1m0s ran out, and pages are left out. And nothing more.",
	} {
		if got := headOf(engine.JobStatus{Warning: warning}).Warning; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestNameForClients_hitsNameTheServer(t *testing.T) {
	const text, want = "proxy: want a tier for which Options.Proxies has a proxy", "proxy: want a tier for which the server has a proxy (its flag -proxy adds one)"
	d := engine.SearchData{Web: []engine.WebHit{{Code: engine.CodeProxy, Error: "scrape http://x: SCRAPE_PROXY_SELECTION_ERROR: " + text}, {}}, News: []engine.NewsHit{{Error: text}}}
	nameForClients(d)
	if d.Web[0].Error != want || d.Web[1].Error != "" || d.News[0].Error != want {
		t.Errorf("got %q, %q, %q", d.Web[0].Error, d.Web[1].Error, d.News[0].Error)
	}
}
