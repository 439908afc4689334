package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// hostEngine renders virtual hosts and has no network.
func hostEngine(t testing.TB, hosts map[string]http.Handler, change ...func(*Options)) *Engine {
	t.Helper()
	return renderingEngine(t, append([]func(*Options){noNetwork(t), func(o *Options) { o.Hosts = hosts }}, change...)...)
}

const form = `<form><input name=q autofocus><button>Go</button></form><p id=p></p><script>
document.querySelector("form").onsubmit = e => { e.preventDefault(); setTimeout(() => p.textContent = "asked for " + e.target.q.value, 50) }</script>`

func TestActions_areDoneInOrderBeforeTheContentIsRead(t *testing.T) {
	e, host := sharedSite(t, htmlPage(form))
	doc, err := e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Actions: []actions.Action{
		{Type: actions.Click, Selector: "input"},
		{Type: actions.Write, Text: "grain"},
		{Type: actions.Screenshot},
		{Type: actions.Press, Key: "Enter"},
		{Type: actions.Scrape},
		{Type: actions.ExecuteJavaScript, Script: "({answer: 42})"},
		{Type: actions.PDF},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(doc.Markdown, "asked for grain") {
		t.Errorf("markdown %q", doc.Markdown)
	}
	out := doc.Actions
	if out == nil || len(out.Screenshots) != 1 || len(out.Scrapes) != 1 || len(out.JavaScriptReturns) != 1 || len(out.PDFs) != 1 {
		t.Fatalf("output %+v", out)
	}
	if !strings.HasPrefix(out.Screenshots[0], "data:image/png;base64,") || !strings.HasPrefix(out.PDFs[0], "data:application/pdf;base64,") {
		t.Errorf("got %.30s, %.30s", out.Screenshots[0], out.PDFs[0])
	}
	if got := string(out.JavaScriptReturns[0].Value); got != `{"answer":42}` {
		t.Errorf("script returned %s", got)
	}
}

func TestActions_aFailureNamesIndexTypeSelectorAndReason(t *testing.T) {
	e, host := sharedSite(t, htmlPage(form+`<div id=cover style="position:fixed;inset:0"></div>`))
	_, err := e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Actions: []actions.Action{
		{Type: actions.Wait, Milliseconds: 1}, {Type: actions.Click, Selector: "button"},
	}})
	var failed *actions.Error
	if CodeOf(err) != CodeAction || !errors.As(err, &failed) || failed.Index != 1 || actions.ReasonOf(err) != actions.Covered {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"click", "button", "cover"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

func TestActions_onAFileAreRefused(t *testing.T) {
	e, host := sharedSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"a":1}`)
	}))
	_, err := e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Actions: []actions.Action{{Type: actions.Press, Key: "Enter"}}})
	if CodeOf(err) != CodeActionsNotSupported {
		t.Errorf("got %v", err)
	}
}

// littleTime is for scrapes that wait until it has run out. A sixth of it, in which the document is made, suffices on a busy machine.
const littleTime = 12 * time.Second

// stall keeps a page of stalling busy for ever, as an endless loop does, and the machine idle: the page waits for an answer.
const stall = `const never = new XMLHttpRequest(); never.open("GET", "/never", false); never.send()`

// stalling is a page at whose /never there is no answer.
func stalling(body string) http.Handler {
	pages := http.NewServeMux()
	pages.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	pages.Handle("/", htmlPage(body))
	return pages
}

func TestScrape_timeAfterTheActionsCostsAWarningNotTheContent(t *testing.T) {
	e, host := sharedSite(t, stalling("<p>here already</p>"))
	if _, err := e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Render: RenderAlways}); err != nil { // the browser's start isn't timed
		t.Fatal(err)
	}
	var doc *Document
	err := error(nil)
	for timeout := littleTime; timeout < 10*littleTime && (doc == nil || CodeOf(err) == CodeTimeout); timeout *= 2 { // until the machine loads the page in it
		doc, err = e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Timeout: timeout, MaxAge: fresh, Actions: []actions.Action{
			{Type: actions.ExecuteJavaScript, Script: `setTimeout(() => { ` + stall + ` }, 0)`},
		}})
	}
	if err != nil || !strings.Contains(doc.Markdown, "here already") || !strings.Contains(doc.Warning, "time ran out") {
		t.Errorf("got %+v, %v", doc, err)
	}
}

// notDone is an action that doesn't finish in time, and what the document so far holds.
type notDone struct {
	timeout time.Duration
	list    []actions.Action
	want    string
}

// An action that doesn't finish fails the scrape, whatever the timeout; the document so far comes beside the error.
func TestActions_thatDoNotFinishFailTheScrape(t *testing.T) {
	e, host := sharedSite(t, stalling("<p id=p>here already</p>"))
	if err := e.pool.Prepare(t.Context()); err != nil { // the browser's start isn't timed
		t.Fatal(err)
	}
	write := actions.Action{Type: actions.ExecuteJavaScript, Script: `p.textContent = "written by then"`}
	for name, c := range map[string]notDone{
		"a selector, little time": {littleTime, []actions.Action{{Type: actions.Wait, Selector: "#never"}}, "here already"},
		"a pause, little time":    {littleTime, []actions.Action{{Type: actions.Wait, Milliseconds: 30_000}}, "here already"},
		"a busy page":             {littleTime, []actions.Action{{Type: actions.ExecuteJavaScript, Script: stall}}, "here already"},
		"a failure, enough time":  {time.Minute, []actions.Action{write, {Type: actions.Click, Selector: "#none"}}, "written by then"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait
			c.check(t, e, "http://"+host+"/")
		})
	}
}

func (c notDone) check(t *testing.T, e *Engine, page string) {
	var told []string
	var doc *Document
	var err error
	for timeout := c.timeout; timeout < 10*c.timeout && (CodeOf(err) == CodeTimeout || doc == nil); timeout *= 2 { // until the machine loads the page in it
		told = nil
		doc, err = e.Scrape(t.Context(), page, ScrapeOptions{Timeout: timeout, Actions: c.list, OnStep: func(s Step) { told = append(told, s.Name) }})
	}
	if _, ok := errors.AsType[*actions.Error](err); CodeOf(err) != CodeAction || !ok {
		t.Fatalf("got %v, want %s (%v)", err, CodeAction, told)
	}
	if doc == nil || !strings.Contains(doc.Markdown, c.want) || !strings.Contains(doc.Warning, "actions did not finish") || doc.Metadata.CreditsUsed != 0 {
		t.Fatalf("got %+v, want %q so far (%v)", doc, c.want, told)
	}
	record, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID)
	if err != nil || record.Code != CodeAction || record.Document != nil {
		t.Errorf("recorded as %+v, %v", record, err)
	}
}

// A button in a frame of another site is found, and the result says where it was.
func TestActions_reachFramesOfOtherSites(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{
		"shop.example": htmlPage(`<p>basket</p><iframe src="http://pay.example/"></iframe>`),
		"pay.example":  htmlPage(`<button class=pay onclick="this.after('paid')">Pay</button>`),
	})
	doc, err := e.Scrape(t.Context(), "http://shop.example/", ScrapeOptions{
		Formats: []formats.Format{{Type: formats.Markdown}}, OnlyMainContent: new(false),
		Actions: []actions.Action{{Type: actions.Wait, Selector: ".pay"}, {Type: actions.Click, Selector: ".pay"}},
	})
	if err != nil || !strings.Contains(doc.Markdown, "paid") {
		t.Fatalf("got %+v, %v", doc, err)
	}
	if want := []actions.Note{{Action: 1, Text: "The element is in the frame http://pay.example/."}}; !slices.Equal(doc.Actions.Notes, want) {
		t.Errorf("got notes %v, want %v", doc.Actions.Notes, want)
	}
}

// Who cancels gets nothing but that.
func TestActions_thatAreCancelledGiveNoDocument(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	e, host := sharedSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stop" {
			cancel()
		}
		htmlPage("<p>here already</p>").ServeHTTP(w, r)
	}))
	doc, err := e.Scrape(ctx, "http://"+host+"/", ScrapeOptions{Actions: []actions.Action{
		{Type: actions.ExecuteJavaScript, Script: `void fetch("/stop")`}, {Type: actions.Wait, Selector: "#never"},
	}})
	if CodeOf(err) != CodeCancelled || doc != nil {
		t.Errorf("got %+v, %v", doc, err)
	}
}

// A page of a job whose actions didn't finish has failed.
func TestActions_thatDoNotFinishFailThePageOfAJob(t *testing.T) {
	e, host := sharedSite(t, htmlPage("<p>here already</p>"))
	job, err := e.StartBatch(t.Context(), []string{"http://" + host + "/"}, BatchOptions{Scrape: ScrapeOptions{
		Actions: []actions.Action{{Type: actions.Click, Selector: "#none"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	status, err := job.Wait(t.Context())
	if err != nil || status.Completed != 0 || status.Failed != 1 {
		t.Errorf("got %+v, %v", status, err)
	}
}

// diary counts visits in localStorage and IndexedDB, and reports whether a cookie was there.
const diary = `<p id=p>…</p><script>
const had = document.cookie || "no cookie";
document.cookie = "seen=1; max-age=3600";
localStorage.n = Number(localStorage.n || 0) + 1;
const open = indexedDB.open("d", 1);
open.onupgradeneeded = () => open.result.createObjectStore("s");
open.onsuccess = () => {
  const store = open.result.transaction("s", "readwrite").objectStore("s"), get = store.get("n");
  get.onsuccess = () => {
    const n = (get.result || 0) + 1;
    store.put(n, "n").onsuccess = () => p.textContent = "visit " + localStorage.n + "/" + n + ", " + had;
  };
};
</script>`

func TestProfile_isSharedByNameAndOwnerAndOutlivesTheEngine(t *testing.T) {
	t.Parallel()
	hosts := map[string]http.Handler{"a.example": htmlPage(diary)}
	dir := t.TempDir()
	visit := func(e *Engine, o ScrapeOptions) string {
		t.Helper()
		doc, err := e.Scrape(t.Context(), "https://a.example/", o)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(doc.Markdown)
	}
	keep, read := &Profile{Name: "p"}, &Profile{Name: "p", SaveChanges: new(false)}
	inDir := func(o *Options) { o.Dir = dir }
	first := hostEngine(t, hosts, inDir)
	if got := visit(first, ScrapeOptions{Profile: keep}); !strings.HasPrefix(got, "visit 1/1, no cookie") {
		t.Errorf("first: %q", got)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := hostEngine(t, hosts, inDir)
	for _, c := range []struct {
		o    ScrapeOptions
		want string
	}{
		{ScrapeOptions{Profile: read}, "visit 2/2, seen=1"},
		{ScrapeOptions{Profile: read}, "visit 2/2, seen=1"},
		{ScrapeOptions{Profile: read, Owner: "other"}, "visit 1/1, no cookie"},
		{ScrapeOptions{Render: RenderAlways}, "visit 1/1, no cookie"},
	} {
		if got := visit(second, c.o); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}

func TestProfile_hasOneWriterAtATime(t *testing.T) {
	t.Parallel()
	held, release := make(chan struct{}), make(chan struct{})
	e := hostEngine(t, map[string]http.Handler{
		"a.example": htmlPage("<p>x</p>"),
		"slow.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				close(held)
				<-release
			}
		}),
	})
	ended := make(chan error)
	go func() {
		_, err := e.Scrape(t.Context(), "http://slow.example/", ScrapeOptions{Profile: &Profile{Name: "p"}})
		ended <- err
	}()
	<-held
	if _, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Profile: &Profile{Name: "p"}}); CodeOf(err) != CodeProfileBusy {
		t.Errorf("second writer: %v", err)
	}
	if _, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Profile: &Profile{Name: "p", SaveChanges: new(false)}}); err != nil {
		t.Errorf("reader: %v", err)
	}
	close(release)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestProfile_damagedIsAClearErrorThatNamesTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := hostEngine(t, map[string]http.Handler{"a.example": htmlPage("<p>x</p>")}, func(o *Options) { o.Dir = dir })
	o := ScrapeOptions{Profile: &Profile{Name: "p"}}
	if _, err := e.Scrape(t.Context(), "http://a.example/", o); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "profiles", "*.json"))
	if len(files) != 1 {
		t.Fatalf("profile files: %v", files)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Scrape(t.Context(), "http://a.example/", o); CodeOf(err) != CodeProfileDamaged || !strings.Contains(err.Error(), files[0]) {
		t.Errorf("got %v", err)
	}
	if data, _ := os.ReadFile(files[0]); string(data) != "{" {
		t.Errorf("the file was overwritten: %q", data)
	}
}

func TestBlockAds_keepsTrackersAwayUnlessToldNotTo(t *testing.T) {
	t.Parallel()
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte("||tracker.example^\n##.promo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var hits atomic.Int64
	count := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { hits.Add(1) })
	e := hostEngine(t, map[string]http.Handler{
		"a.example": htmlPage(`<p>content</p><div class=promo>buy now</div><script src="https://x.tracker.example/t.js"></script><script src="http://stats.doubleclick.net/d.js"></script>
			<script>const shown = getComputedStyle(document.querySelector(".promo")).display; document.body.append("promo is " + shown)</script>`),
		"x.tracker.example":     count,
		"stats.doubleclick.net": count,
	}, func(o *Options) { o.FilterLists = []string{list} })
	for _, c := range []struct {
		block *bool
		hits  int64
		promo string
	}{{nil, 0, "promo is none"}, {new(true), 0, "promo is none"}, {new(false), 2, "promo is block"}} {
		hits.Store(0)
		doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: RenderAlways, BlockAds: c.block, Formats: []formats.Format{{Type: formats.RawHTML}}})
		if err != nil || hits.Load() != c.hits || !strings.Contains(doc.RawHTML, c.promo) {
			t.Errorf("%v: %d requests, %v, %+v", c.block, hits.Load(), err, doc)
		}
	}
}

func TestNew_refusesAFilterListThatIsNotThere(t *testing.T) {
	_, err := New(Options{FilterLists: []string{filepath.Join(t.TempDir(), "none.txt")}})
	wantRefusal(t, err, "FilterLists[0]", CodeBadRequest)
}

func TestScrape_aWallIsTold(t *testing.T) {
	walls := http.NewServeMux()
	walls.Handle("/login", htmlPage(`<main><h1>Sign in</h1><form><input name=u><input type=password name=p><button>Go</button></form></main>`))
	walls.Handle("/challenge", htmlPage(`<title>Just a moment...</title><script>window._cf_chl_opt = {}</script><p>Checking your browser</p>`))
	walls.Handle("/open", htmlPage(`<p>come in</p>`))
	e, host := sharedSite(t, walls)
	for path, want := range map[string]string{"/login": "login", "/challenge": "cloudflare", "/open": ""} {
		for _, render := range []Render{RenderNever, RenderAlways} {
			doc, err := e.Scrape(t.Context(), "http://"+host+path, ScrapeOptions{Render: render})
			if err != nil || doc.Metadata.BlockedBy != want {
				t.Errorf("%s by %s: %+v, %v; want %q", path, render, doc, err, want)
			}
		}
	}
}

func TestScrape_aDownloadIsFetchedButHasNoPage(t *testing.T) {
	e, host := sharedSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Disposition", `attachment; filename="a.txt"`)
		fmt.Fprint(w, "the text of the file")
	}))
	doc, err := e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Screenshot}}})
	if err != nil || !strings.Contains(doc.Markdown, "the text of the file") || doc.Screenshot != "" || !strings.Contains(doc.Warning, "no screenshot") {
		t.Errorf("%+v, %v", doc, err)
	}
	_, err = e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Actions: []actions.Action{{Type: actions.Press, Key: "Enter"}}})
	if CodeOf(err) != CodeActionsNotSupported {
		t.Errorf("with actions: %v", err)
	}
}
