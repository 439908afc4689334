package local_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// site is a virtual host whose pages can be changed. It is safe for concurrent use.
type site struct {
	mu    sync.Mutex
	pages map[string]string // path → text; "!" in front: a status 500
	asked int
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	text, ok := s.pages[r.URL.Path]
	s.asked++
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if text, broken := strings.CutPrefix(text, "!"); broken || !ok {
		w.WriteHeader(map[bool]int{true: 500, false: 404}[broken])
		_, _ = fmt.Fprintf(w, "<p>%s</p>", text)
		return
	}
	_, _ = fmt.Fprintf(w, `<html lang=en><title>Page %s</title><meta property="article:published_time" content="2026-05-06"><main><h1>About %s</h1><p>%s</p></main></html>`, r.URL.Path, r.URL.Path[1:], text)
}

func (s *site) set(path, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = text
}

// noNet fails the test on look-ups and dials.
type noNet struct{ t *testing.T }

func (n noNet) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	n.t.Error("a name was looked up")
	return nil, errors.New("no network")
}

const home = "https://granary.example"

func newEngine(t *testing.T, s *site, dir string, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	o := engine.Options{
		Dir: dir, Render: engine.RenderNever, Resolver: noNet{t}, AllowZeroDataRetention: true,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			t.Error("something was dialled")
			return nil, errors.New("no network")
		},
		Hosts:  map[string]http.Handler{"granary.example": s, "mill.example": s},
		Search: []search.Provider{local.New(local.Options{Patience: time.Minute})},
	}
	for _, c := range change {
		c(&o)
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return e
}

func scrape(t *testing.T, e *engine.Engine, url string, o engine.ScrapeOptions) {
	t.Helper()
	if _, err := e.Scrape(t.Context(), url, o); err != nil {
		t.Fatal(err)
	}
}

// found are the paths of the hits, in order.
func found(t *testing.T, e *engine.Engine, query string, o engine.SearchOptions) string {
	t.Helper()
	r, err := e.Search(t.Context(), query, o)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, h := range r.Data.Web {
		paths = append(paths, strings.TrimPrefix(h.URL, home))
	}
	return strings.Join(paths, " ")
}

func fresh() engine.ScrapeOptions { return engine.ScrapeOptions{MaxAge: new(time.Duration(0))} }

func TestEngine_findsWhatItsCacheHolds(t *testing.T) {
	for name, inFolder := range map[string]bool{"in memory": false, "in a folder": true} {
		t.Run(name, func(t *testing.T) {
			s, dir := &site{pages: map[string]string{"/a": "four sacks of barley", "/b": "barley and oats", "/sitemap.xml": "barley"}}, ""
			if inFolder {
				dir = t.TempDir()
			}
			e := newEngine(t, s, dir)
			scrape(t, e, home+"/a", engine.ScrapeOptions{})
			if _, err := os.Stat(filepath.Join(dir, "index")); inFolder && !errors.Is(err, fs.ErrNotExist) {
				t.Error("there is an index before the first search")
			}
			r, err := e.Search(t.Context(), "sack barley", engine.SearchOptions{})
			if err != nil || len(r.Data.Web) != 1 || r.Credits != 2 || r.Warning != "" {
				t.Fatalf("got %+v, %v", r, err)
			}
			if h := r.Data.Web[0]; h.URL != home+"/a" || h.Title != "Page /a" || !strings.Contains(h.Description, "four sacks of barley") || len(h.Matches) != 2 {
				t.Errorf("got %+v", h)
			}
			scrape(t, e, home+"/b", engine.ScrapeOptions{})
			if got := found(t, e, "barley oats", engine.SearchOptions{}); got != "/b" {
				t.Errorf("a new page: %s", got)
			}
			s.set("/a", "four sacks of rye")
			scrape(t, e, home+"/a", fresh())
			if got := found(t, e, "barley", engine.SearchOptions{}); got != "/b" {
				t.Errorf("a changed page: %s", got)
			}
			if got := found(t, e, "about a", engine.SearchOptions{}); !strings.HasPrefix(got, "/a") {
				t.Errorf("by heading: %s", got)
			}
			s.set("/b", "!barley")
			scrape(t, e, home+"/b", fresh())
			if got := found(t, e, "barley", engine.SearchOptions{}); got != "" {
				t.Errorf("a page that is an error now: %s", got)
			}
			for tbs, want := range map[string]string{"cdr:1,cd_min:05/06/2026,cd_max:05/06/2026": "/a", "cdr:1,cd_min:05/07/2026": ""} {
				if got := found(t, e, "rye", engine.SearchOptions{TBS: tbs}); got != want {
					t.Errorf("%s: %s", tbs, got)
				}
			}
		})
	}
}

func TestEngine_findsNothingThatIsForgottenOrNeverKept(t *testing.T) {
	s, dir := &site{pages: map[string]string{"/kept": "barley", "/gone": "barley hushmarker", "/zdr": "barley zdrmarker", "/secret": "barley"}}, t.TempDir()
	e := newEngine(t, s, dir)
	scrape(t, e, home+"/kept", engine.ScrapeOptions{})
	scrape(t, e, home+"/gone", engine.ScrapeOptions{})
	scrape(t, e, home+"/zdr", engine.ScrapeOptions{ZeroDataRetention: true})
	scrape(t, e, home+"/secret", engine.ScrapeOptions{Headers: map[string]string{"X-Key": "k"}})
	if got := found(t, e, "barley -gone", engine.SearchOptions{}); got != "/kept" {
		t.Errorf("got %s", got)
	}
	if n, err := e.Forget(t.Context(), home+"/gone"); err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	if got := found(t, e, "barley", engine.SearchOptions{}); got != "/kept" {
		t.Errorf("got %s", got)
	}
	if err := errors.Join(e.Compact(t.Context()), e.Close()); err != nil {
		t.Fatal(err)
	}
	for _, marker := range []string{"hushmarker", "zdrmarker"} {
		if local.Holds(t, filepath.Join(dir, "index"), marker) {
			t.Errorf("%s is in the files of the index", marker)
		}
	}
	// A program without the index can't reach into it: it goes.
	e = newEngine(t, s, dir, func(o *engine.Options) { o.Search = nil })
	if _, err := e.Forget(t.Context(), home+"/kept"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "index")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the index is still there: %v", err)
	}
}

// Forgetting reaches an index that isn't in use yet.
func TestEngine_forgettingReachesTheIndexOfAnEarlierProgram(t *testing.T) {
	s, dir := &site{pages: map[string]string{"/gone": "barley hushmarker", "/kept": "barley"}}, t.TempDir()
	e := newEngine(t, s, dir)
	scrape(t, e, home+"/gone", engine.ScrapeOptions{})
	scrape(t, e, home+"/kept", engine.ScrapeOptions{})
	if got := found(t, e, "hushmarker", engine.SearchOptions{}); got != "/gone" {
		t.Fatalf("got %s", got)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = newEngine(t, s, dir)
	if _, err := e.Forget(t.Context(), home+"/gone"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Compact(t.Context()), e.Close()); err != nil {
		t.Fatal(err)
	}
	if local.Holds(t, filepath.Join(dir, "index"), "hushmarker") {
		t.Error("the forgotten text is in the files of the index")
	}
}

func TestEngine_findsNothingThatIsPruned(t *testing.T) {
	s := &site{pages: map[string]string{}}
	for i := range 30 {
		s.pages[fmt.Sprintf("/%d", i)] = "barley " + strings.Repeat(fmt.Sprint(i, " words. "), 300)
	}
	e := newEngine(t, s, "", func(o *engine.Options) { o.Cache.MaxBytes = 40_000 })
	for i := range 30 {
		scrape(t, e, fmt.Sprintf("%s/%d", home, i), engine.ScrapeOptions{})
		if i == 0 && found(t, e, "barley", engine.SearchOptions{}) != "/0" {
			t.Error("the first page isn't found")
		}
	}
	if err := e.Compact(t.Context()); err != nil { // prunes all that is due
		t.Fatal(err)
	}
	st, err := e.CacheStats(t.Context())
	if err != nil || st.Pages == 0 || st.Pages == 30 {
		t.Fatalf("%+v, %v", st, err)
	}
	if got := len(strings.Fields(found(t, e, "barley", engine.SearchOptions{Limit: 100}))); got != int(st.Pages) {
		t.Errorf("%d are found, %d kept", got, st.Pages)
	}
}

func TestEngine_searchesUnderLockdown(t *testing.T) {
	s, dir := &site{pages: map[string]string{"/a": "barley"}}, t.TempDir()
	e := newEngine(t, s, dir)
	scrape(t, e, home+"/a", engine.ScrapeOptions{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	asked := s.asked
	e = newEngine(t, s, dir, func(o *engine.Options) { o.Hosts = nil })
	r, err := e.Search(t.Context(), "barley", engine.SearchOptions{Scrape: &engine.ScrapeOptions{Lockdown: true}})
	if err != nil || len(r.Data.Web) != 1 || r.Data.Web[0].Document == nil || !strings.Contains(r.Data.Web[0].Markdown, "barley") || r.Credits != 2+5 {
		t.Errorf("got %+v, %v", r, err)
	}
	if s.asked != asked {
		t.Error("the site was asked")
	}
}

func TestEngine_takesOneIndexOfItsOwn(t *testing.T) {
	x := local.New(local.Options{})
	_, err := engine.New(engine.Options{Search: []search.Provider{x, local.New(local.Options{})}})
	if opt, ok := errors.AsType[*engine.OptionError](err); !ok || opt.Field != "Search" {
		t.Errorf("two: %v", err)
	}
	first, err := engine.New(engine.Options{Search: []search.Provider{x}})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := engine.New(engine.Options{Search: []search.Provider{x}}); !errors.Is(err, search.ErrAttached) {
		t.Errorf("shared: %v", err)
	}
}

// With an embedder the engine finds by meaning, and under lockdown too where it is local.
func TestEngine_findsByMeaning(t *testing.T) {
	for _, isLocal := range []bool{true, false} {
		toy, err := llmtest.StartEmbedder(256, map[string]string{"vehicle": "automobile"})
		if err != nil {
			t.Fatal(err)
		}
		defer toy.Close()
		client, err := toy.Client("toy", func(o *llm.OpenAIEmbedderOptions) { o.Local = isLocal })
		if err != nil {
			t.Fatal(err)
		}
		index := local.New(local.Options{Patience: time.Minute, Embedder: client})
		s, dir := &site{pages: map[string]string{"/cars": "buy an automobile in spring", "/soup": "simmer barley for an hour"}}, t.TempDir()
		e := newEngine(t, s, dir, func(o *engine.Options) { o.Search = []search.Provider{index} })
		scrape(t, e, home+"/cars", engine.ScrapeOptions{})
		scrape(t, e, home+"/soup", engine.ScrapeOptions{})
		if err := index.Embed(t.Context()); err != nil {
			t.Fatal(err)
		}
		r, err := e.Search(t.Context(), "vehicle", engine.SearchOptions{Limit: 1})
		if err != nil || len(r.Data.Web) != 1 || r.Data.Web[0].URL != home+"/cars" || r.Warning != "" {
			t.Fatalf("got %+v, %v", r, err)
		}
		passage := r.Data.Web[0].Passages[0]
		doc, err := e.Scrape(t.Context(), home+"/cars", engine.ScrapeOptions{})
		if err != nil || doc.Markdown[passage.From:passage.To] != passage.Text || !strings.Contains(passage.Text, "automobile") {
			t.Errorf("%+v is not in %q, %v", passage, doc.Markdown, err)
		}
		calls := len(toy.Calls())
		r, err = e.Search(t.Context(), "vehicle", engine.SearchOptions{Scrape: &engine.ScrapeOptions{Lockdown: true}})
		if err != nil || (len(toy.Calls()) > calls) != isLocal || (len(r.Data.Web) > 0) != isLocal || strings.Contains(r.Warning, "not local") == isLocal {
			t.Errorf("local %v, under lockdown: %d calls, %+v, %v", isLocal, len(toy.Calls())-calls, r, err)
		}
		if _, err := e.Forget(t.Context(), home+"/cars"); err != nil {
			t.Fatal(err)
		}
		if got := found(t, e, "vehicle", engine.SearchOptions{}); got != "/soup" {
			t.Errorf("after forgetting: %s", got)
		}
	}
}
