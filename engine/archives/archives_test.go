package archives

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/archive/replay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const mill = "https://mill.example"

func serveMill(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/old":
		http.Redirect(w, r, "/rye", http.StatusFound)
	case "/rye", "/barley":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>Mill</title><h1>Mill</h1><p>What there is to say of %s, in some words.</p>", r.URL.Path[1:])
	default:
		http.NotFound(w, r)
	}
}

// texts are the documents of an engine, or the codes of its errors.
func texts(t *testing.T, o engine.Options, scrape engine.ScrapeOptions) map[string]string {
	t.Helper()
	o.Render = engine.RenderNever
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	all := map[string]string{}
	for _, path := range []string{"/rye", "/barley", "/old"} {
		doc, err := e.Scrape(t.Context(), mill+path, scrape)
		if err != nil {
			all[path] = string(engine.CodeOf(err))
			continue
		}
		all[path] = doc.Markdown
		if at := doc.Metadata.CachedAt; at != nil {
			all[path] += at.Format(" 2006")
		}
	}
	return all
}

func noNetwork(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("there is no network")
}

// A site that was recorded is imported into a cache, whose pages have the age of the recording; the cache is exported, and lives on from
// that file alone.
func TestImport_andExport(t *testing.T) {
	recordedAt := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	dir := t.TempDir()
	for _, name := range []string{"mill.wacz", "mill.warc.gz"} {
		file, cache, carried := filepath.Join(dir, name), filepath.Join(dir, name+".cache"), filepath.Join(dir, "carried-"+name)
		first := texts(t, engine.Options{Hosts: map[string]http.Handler{"mill.example": http.HandlerFunc(serveMill)},
			Record: &recording.Options{File: file, Now: func() time.Time { return recordedAt }}}, engine.ScrapeOptions{MaxAge: new(time.Duration(0))})
		n, err := Import(t.Context(), engine.Options{Dir: cache, Replay: []string{file}, Render: engine.RenderNever, DialContext: noNetwork})
		if n != 2 || err != nil {
			t.Fatalf("%s: %d pages, %v", name, n, err)
		}
		got := texts(t, engine.Options{Dir: cache}, engine.ScrapeOptions{Lockdown: true})
		if got["/rye"] != first["/rye"]+" 2026" || got["/barley"] != first["/barley"]+" 2026" {
			t.Errorf("%s: imported %q, want %q", name, got, first)
		}
		if n, err = Export(t.Context(), cache, recording.Options{File: carried}, nil); n != 2 || err != nil {
			t.Fatalf("%s: %d pages exported, %v", name, n, err)
		}
		again := texts(t, engine.Options{Replay: []string{carried}, DialContext: noNetwork}, engine.ScrapeOptions{MaxAge: new(time.Duration(0))})
		if again["/rye"] != first["/rye"] || again["/barley"] != first["/barley"] || again["/old"] != string(engine.CodeNoCachedData) {
			t.Errorf("%s: carried %q, want %q", name, again, first)
		}
		if got := moments(t, carried); !slices.Equal(got, []string{"/barley 2026-03-04", "/rye 2026-03-04"}) {
			t.Errorf("%s: pages %q", name, got)
		}
	}
}

// moments are the pages of an archive with their days.
func moments(t *testing.T, file string) []string {
	t.Helper()
	r, err := replay.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	found := map[string]bool{}
	for p := range r.Pages() {
		found[strings.TrimPrefix(p.URL, mill)+p.Time.Format(" 2006-01-02")] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// Export leaves out what isn't wanted, and writes what led to a page.
func TestExport_someOfIt(t *testing.T) {
	dir := t.TempDir()
	hosts := map[string]http.Handler{"mill.example": http.HandlerFunc(serveMill)}
	texts(t, engine.Options{Dir: dir, Hosts: hosts}, engine.ScrapeOptions{})
	file := filepath.Join(t.TempDir(), "some.wacz")
	n, err := Export(t.Context(), dir, recording.Options{File: file}, func(url string) bool { return url == mill+"/old" })
	if n != 1 || err != nil {
		t.Fatalf("%d pages, %v", n, err)
	}
	got := texts(t, engine.Options{Replay: []string{file}}, engine.ScrapeOptions{MaxAge: new(time.Duration(0))})
	if !strings.Contains(got["/old"], "of rye") || !strings.Contains(got["/rye"], "of rye") || got["/barley"] != string(engine.CodeNoCachedData) {
		t.Errorf("%q", got)
	}
}

func TestImport_andExport_refuse(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	broken := filepath.Join("..", "..", "fetch", "archive", "testdata", "others", "example.warc.gz")
	tests := map[string]func() (int, error){
		"Dir is empty":    func() (int, error) { return Import(t.Context(), engine.Options{Replay: []string{"x.wacz"}}) },
		"Replay is empty": func() (int, error) { return Import(t.Context(), engine.Options{Dir: dir}) },
		"x.wacz":          func() (int, error) { return Import(t.Context(), engine.Options{Dir: dir, Replay: []string{"x.wacz"}}) },
		"canceled": func() (int, error) {
			return Import(ctx, engine.Options{Dir: dir, Replay: []string{broken}, Render: engine.RenderNever})
		},
		"dir is empty": func() (int, error) { return Export(t.Context(), "", recording.Options{}, nil) },
		"ends in":      func() (int, error) { return Export(t.Context(), dir, recording.Options{File: "x.zip"}, nil) },
	}
	for want, try := range tests {
		if n, err := try(); n != 0 || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d, %v; want an error with %q", n, err, want)
		}
	}
}

// harOf is what the developer tools of browsers save of a page and what it loads.
const harOf = `{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[],"entries":[
	{"startedDateTime":"2026-03-04T05:06:07.000Z","request":{"method":"GET","url":"https://mill.example/rye","httpVersion":"http/2.0","headers":[{"name":":authority","value":"mill.example"}]},
	"response":{"status":200,"statusText":"","headers":[{"name":"content-type","value":"text/html; charset=utf-8"},{"name":"content-encoding","value":"br"}],
	"content":{"size":60,"mimeType":"text/html","text":"<title>Rye</title><main><p>A sack of rye, ground on Monday.</p></main>"}}},
	{"startedDateTime":"2026-03-04T05:06:08.000Z","request":{"method":"GET","url":"https://mill.example/a.png","headers":[]},
	"response":{"status":200,"headers":[{"name":"content-type","value":"image/png"}],"content":{"size":3,"mimeType":"image/png","text":"R0lG","encoding":"base64"}}}]}}`

// A HAR file is imported: its pages, not what they load, as of their times.
func TestImport_har(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "saved.har")
	if err := os.WriteFile(file, []byte(harOf), 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := Import(t.Context(), engine.Options{Dir: dir, Replay: []string{file}, Render: engine.RenderNever, DialContext: noNetwork})
	if n != 1 || err != nil {
		t.Fatalf("%d pages, %v", n, err)
	}
	if got := texts(t, engine.Options{Dir: dir}, engine.ScrapeOptions{Lockdown: true})["/rye"]; !strings.Contains(got, "ground on Monday") || !strings.HasSuffix(got, " 2026") {
		t.Errorf("got %q", got)
	}
}

// Files of other tools are imported, of whatever kind.
func TestImport_filesOfOtherTools(t *testing.T) {
	others := filepath.Join("..", "..", "fetch", "archive", "testdata", "others")
	for _, file := range []string{"example.warc.gz", "example.arc.gz", "valid_example_1.wacz"} {
		n, err := Import(t.Context(), engine.Options{Dir: t.TempDir(), Replay: []string{filepath.Join(others, file)}, Render: engine.RenderNever})
		if n == 0 {
			t.Errorf("%s: %d pages, %v", file, n, err)
		}
	}
}

// Pages whose recording breaks off aren't counted, and what can't be read of an archive is named, beside what is imported.
func TestImport_namesWhatIsDamaged(t *testing.T) {
	text := func(path string, length int) string {
		http := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n<h1>Mill</h1><p>What there is to say of %s, in some words.</p>", path)
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-03-04T05:06:07Z\r\nWARC-Target-URI: %s/%s\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", mill, path, len(http)+length, http)
	}
	file := filepath.Join(t.TempDir(), "damaged.warc")
	if err := os.WriteFile(file, []byte(text("rye", 0)+text("barley", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	n, err := Import(t.Context(), engine.Options{Dir: dir, Replay: []string{file}, Render: engine.RenderNever})
	if n != 1 || err == nil || !strings.Contains(err.Error(), mill+"/barley: ") {
		t.Errorf("%d pages, %v", n, err)
	}
	if got := texts(t, engine.Options{Dir: dir}, engine.ScrapeOptions{Lockdown: true})["/rye"]; !strings.Contains(got, "say of rye") {
		t.Errorf("a body without the encoding that its header names: %q", got)
	}
}
