package browser

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

// fileRoutes are files that clicks have the browser save.
var fileRoutes = map[string]http.HandlerFunc{
	"/files": page(`<a id=link href="/report">x</a><a id=attribute href="/slow-report" download="named.csv">x</a>
		<a id=tab target=_blank href="/report">x</a><form action="/report" method=post><button id=form>x</button></form>
		<button id=blob onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['made,here'], {type: 'text/csv'})); a.download = 'made.csv'; a.click()">x</button>
		<button id=large onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob([new Uint8Array(3 << 20)])); a.download = 'large.bin'; a.click()">x</button>
		<a id=cut href="/cut">x</a>`),
	"/report": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		fmt.Fprint(w, r.Method+",1")
	},
	"/slow-report": func(w http.ResponseWriter, r *http.Request) {
		pause(r, 700)
		fmt.Fprint(w, "slow,1")
	},
	"/cut": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=cut.bin")
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, "part")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	},
}

// downloadsOf clicks and waits until all has come to rest.
func downloadsOf(t *testing.T, a *Acting, selector string) actions.Effects {
	t.Helper()
	press(t, a, selector)
	if _, err := a.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	var got actions.Effects
	eventually(t, selector+" has an effect", func() bool { // what a script makes is a file only some time later
		var err error
		if got, err = a.Effects(testContext(t)); err != nil {
			t.Fatal(err)
		}
		return len(got.Downloads)+len(got.Notes) > 0
	})
	return got
}

// fileCases are what the clicks give: name, type and content of a file.
var fileCases = []struct{ selector, name, kind, content string }{
	{"#blob", "made.csv", "", "made,here"},
	{"#link", "report.csv", "text/csv; charset=utf-8", "GET,1"},
	{"#form", "report.csv", "text/csv; charset=utf-8", "POST,1"},
	{"#attribute", "named.csv", "*", "slow,1"}, // whether its answer is known depends on the browser
	{"#tab", "report.csv", "text/csv; charset=utf-8", "GET,1"},
	{"#blob", "made.csv", "", "made,here"},
}

func checkFiles(t *testing.T, a *Acting) {
	t.Helper()
	for _, c := range fileCases {
		got := downloadsOf(t, a, c.selector)
		if len(got.Downloads) != 1 {
			t.Errorf("%s: got %+v, want a file", c.selector, got)
			continue
		}
		f := got.Downloads[0]
		if f.Name != c.name || f.Type != c.kind && c.kind != "*" || string(f.Data) != c.content {
			t.Errorf("%s: got %q of type %q with %q, want %+v", c.selector, f.Name, f.Type, f.Data, c)
		}
		if shown := a.Page().URL(); !strings.HasSuffix(shown, "/files") {
			t.Errorf("%s: the page is %s", c.selector, shown)
		}
	}
}

func TestActing_filesThatAClickHasSavedAreEffects(t *testing.T) {
	t.Parallel()
	s := newSite(t, newProxy(t).URL, fileRoutes)
	pool := ownPool(t, Options{Shared: quiet()}) // which has no other files
	p := openFrom(t, pool, PageOptions{Proxy: s.proxy, MaxDownload: 1 << 20})
	visit(t, p, s.URL+"/files")
	a := follow(t, p)
	checkFiles(t, a)
	if got := downloadsOf(t, a, "#large"); len(got.Downloads) != 0 || !strings.Contains(strings.Join(got.Notes, ""), "it has 3145728 bytes, and at most 1048576 are allowed") {
		t.Errorf("a large file: got %d files, notes %q", len(got.Downloads), got.Notes)
	}
	if got := downloadsOf(t, a, "#cut"); len(got.Downloads) != 0 || !strings.Contains(strings.Join(got.Notes, ""), "/cut failed: ") {
		t.Errorf("a file that breaks off: got %+v", got)
	}
	wantNoFiles(t, p)
	a.End()
	if _, err := p.Click(testContext(t), "#link", actions.ClickOptions{Timeout: patience}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the download has begun", p.loader.download.Load)
	eventually(t, "nothing is kept without actions", func() bool { return len(savedFiles(p)) == 0 })
}

// savedFiles are what the browser keeps of downloads.
func savedFiles(p *Page) []string {
	files, _ := filepath.Glob(filepath.Join(p.gen.Folder.Tmp(), "playwright-artifacts-*", "*"))
	more, _ := filepath.Glob(filepath.Join(p.gen.Folder.Dir, "download-*"))
	return append(files, more...)
}

func wantNoFiles(t *testing.T, p *Page) {
	t.Helper()
	if _, err := os.Stat(p.gen.Folder.Tmp()); err != nil {
		t.Error(err)
	}
	eventually(t, "the browser's files are gone", func() bool { return len(savedFiles(p)) == 0 })
}

func TestActing_filesOfASession(t *testing.T) {
	s, site := commonSession(t, fileRoutes)
	s.opts.Page.MaxDownload = 1 << 20
	defer func() { s.opts.Page.MaxDownload = 0 }()
	_ = pageOf(t, s).tab.Page.Context().Close()
	p := pageOf(t, s) // in a context that accepts them
	visit(t, p, site.URL+"/files")
	a := follow(t, p)
	checkFiles(t, a)
	if got := downloadsOf(t, a, "#large"); len(got.Downloads) != 0 || !strings.Contains(strings.Join(got.Notes, ""), "it has 3145728 bytes") {
		t.Errorf("a large file: got %d files, notes %q", len(got.Downloads), got.Notes)
	}
	a.End()
	_ = p.tab.Page.Context().Close()
}
