package serving

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/server/demo"
	"github.com/winnow-go/winnow/formats"
)

// visitor is a person at the page of a server: the browser of another engine.
type visitor struct {
	t      *testing.T
	engine *engine.Engine
}

// common is the browser of all visitors: nil where no test has needed it. TestMain closes it.
var common *engine.SharedBrowser

// newVisitor uses the browser of this machine and installs none.
func newVisitor(t *testing.T) *visitor {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test starts a real browser")
	}
	if common == nil {
		var err error
		if common, err = engine.NewSharedBrowser(engine.BrowserOptions{Install: browser.InstallNever}, nil); err != nil {
			t.Fatal(err)
		}
	}
	o := engine.Options{}
	o.Policy.AllowPrivate = true
	o.Browser.Shared = common
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return &visitor{t, e}
}

// visit opens a page, does the steps, and gives what came of them. A wait for a selector is what a person looks for.
func (v *visitor) visit(address string, mobile bool, steps ...actions.Action) *engine.Document {
	v.t.Helper()
	doc, err := v.engine.Scrape(v.t.Context(), address, engine.ScrapeOptions{
		Formats: []formats.Format{{Type: formats.RawHTML}}, Actions: steps, Mobile: mobile, MaxAge: new(time.Duration(0)), Timeout: 5 * time.Minute,
	})
	if _, ok := errors.AsType[*browser.InstallError](err); ok {
		toolMissing(v.t, "this machine has no browser, and this test installs none: ", err)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	return doc
}

func sees(selector string) actions.Action {
	return actions.Action{Type: actions.Wait, Selector: selector}
}

// awaits is a sees that lasts as long as the scrape may: on a busy machine an interpreter takes longer than the 30 s of a wait to start.
func awaits(selector string) actions.Action {
	return runs(fmt.Sprintf(`await new Promise(done => {
		const look = () => document.querySelector(%q) ? done() : setTimeout(look, 50);
		look();
	})`, selector))
}

func clicks(selector string) actions.Action {
	return actions.Action{Type: actions.Click, Selector: selector}
}

func presses(key string) actions.Action { return actions.Action{Type: actions.Press, Key: key} }

func runs(script string) actions.Action {
	return actions.Action{Type: actions.ExecuteJavaScript, Script: script}
}

// unlocked serves the pages of a server without the policy that forbids further scripts, and with one.
func unlocked(t *testing.T, server, script string) string {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Header.Del("Origin") // the server would take the page for another site's
			r.Out.Header.Del("Sec-Fetch-Site")
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: func(r *http.Response) error {
			r.Header.Del("Content-Security-Policy")
			if r.Request.URL.Path != "/" {
				return nil
			}
			page, err := io.ReadAll(r.Body)
			page = bytes.Replace(page, []byte("</head>"), []byte(`<script src="/axe.js"></script></head>`), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(page)), int64(len(page))
			r.Header.Del("Content-Length")
			return err
		},
	}
	mux := http.NewServeMux()
	mux.Handle("/", proxy)
	mux.HandleFunc("/axe.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, script) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// scrapesTwice shows a diff: the page of the laboratory changes with each visit.
var scrapesTwice = []actions.Action{
	clicks("#scrape [data-url*=lab]"), presses("Enter"), sees("#scrape-result article"), clicks("#scrape-result [role=tab]:nth-child(3)"), sees(".badge.new"),
	clicks("#scrape-url"), presses("Enter"), sees("#scrape-result [role=tab]:nth-child(3)[aria-selected=false]"), clicks("#scrape-result [role=tab]:nth-child(3)"),
	sees("#scrape-result .diff ins.added"), clicks("#scrape .recipe summary"), sees("#scrape .recipe .source"),
}

// notesWaiting notes that a page was shown as one that waits, which it is for a moment only.
const notesWaiting = `new MutationObserver(() => {
	if (document.querySelector(".growth .badge.waiting")) document.body.dataset.waited = "";
}).observe(document.body, {subtree: true, childList: true, attributes: true, attributeFilter: ["class"]})`

// crawls watches a crawl with slow and failing pages.
var crawls = []actions.Action{
	clicks("#tab-jobs"), clicks("#jobs [data-url*=lab]"), runs(notesWaiting), presses("Enter"),
	sees(".growth .badge.failed"), sees(".job-head .badge.completed"), awaits("[data-waited]"),
}

// stopsShort watches a crawl that has fewer pages than its site, and links to another.
var stopsShort = []actions.Action{
	clicks("#jobs [data-url*=shop]"), clicks("#job-limit"), presses("Control+a"), {Type: actions.Write, Text: "5"}, presses("Enter"), sees(".growth .badge.skipped"),
}

// TestPage_whatItShows reads what a newcomer sees after some clicks.
func TestPage_whatItShows(t *testing.T) {
	v, r := newVisitor(t), started(t, "-demo")
	doc := v.visit(r.url, true, slices.Concat([]actions.Action{sees(".tabs-box.has-after"), clicks(".top .more:last-child"), sees(".tabs-box.has-before")}, scrapesTwice, crawls, stopsShort)...)
	for _, want := range []string{
		`<ins class="line added"><span class="sign">+</span>Edition 2.</ins>`, `<del class="line removed"><span class="sign">−</span>Edition 1.</del>`,
		"4 lines added, 4 lines removed", "curl -X POST '" + r.url + "/v2/scrape'", `"url": "https://lab.example/changing"`,
		`>/404</a></span><span class="badge failed">failed</span><span class="about">status 404</span>`, `>/changing</a></span><span class="badge done">done</span>`,
		`leads to https://lab.example/arrived`, `<span class="badge skipped">skipped</span><span class="about">the limit of pages is reached</span>`, "Summaries and JSON come from a language model",
	} {
		if !strings.Contains(doc.RawHTML, want) {
			t.Errorf("%q is not in the page:\n%s", want, doc.RawHTML)
		}
	}
}

// TestPage_byKeyboardAlone goes from field to example to tabs to the key, and opens and closes its box.
func TestPage_byKeyboardAlone(t *testing.T) {
	v, r := newVisitor(t), started(t, "-demo")
	doc := v.visit(r.url, false, sees("#scrape-url:focus"), presses("Tab"), presses("Tab"), sees("#scrape .example:focus-visible"), presses("Enter"),
		sees("#scrape-url:focus"), presses("Enter"), sees("#scrape-result article"), presses("Shift+Tab"), sees("#tab-scrape:focus-visible"), presses("ArrowRight"),
		sees("#tab-jobs:focus-visible[aria-selected=true]"), presses("Home"), sees("#tab-scrape:focus"), presses("Shift+Tab"), sees("#key:focus-visible"),
		presses("Enter"), sees("#key-value:focus"), presses("Escape"), sees("#key:focus[aria-expanded=false]"),
		presses("Enter"), sees("#key[aria-expanded=true]"), clicks("h2"), sees("#key[aria-expanded=false]"))
	if !strings.Contains(doc.RawHTML, "€189.00") || !strings.Contains(doc.RawHTML, ">Product</button>") {
		t.Error(doc.RawHTML)
	}
}

// TestPage_tasksNeedAModel looks at the fields of tasks: what is hidden can't be chosen.
func TestPage_tasksNeedAModel(t *testing.T) {
	v := newVisitor(t)
	const visible = `["[value=summary]", "[value=json]", "[value=extract]", "[value=agent]"].map((s) => { const e = document.querySelector(s); e.closest("section").hidden = false; return e.checkVisibility(); }).join()`
	for want, flags := range map[string][]string{"false,false,false,false": nil, "true,true,true,true": {"-model-url", "http://127.0.0.1:9/v1", "-model", "none"}} {
		page := unlocked(t, started(t, append([]string{"-demo"}, flags...)...).url, os.DevNull)
		doc := v.visit(page, false, sees("#scrape-url:focus"), runs(visible))
		if got := string(doc.Actions.JavaScriptReturns[0].Value); got != `"`+want+`"` {
			t.Errorf("%q: %v, want %s", flags, got, want)
		}
	}
}

// TestPage_aLiveViewStandsBesideItsSession starts a second browser, in a sandbox.
func TestPage_aLiveViewStandsBesideItsSession(t *testing.T) {
	v, r := newVisitor(t), started(t, "-demo")
	a, err := r.ask("POST", "/v2/browser", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(a.body, "BROWSER_NOT_CONFIGURED") {
		toolMissing(t, "no sessions on this machine: ", a.body)
	}
	doc := v.visit(r.url+"/#/sessions", false, sees("#session-list button"), clicks("#session-list button"), sees("#console-view[src]"), clicks("#console-form .primary"),
		awaits("#console-result dd"), sees("#console .recipe"), clicks("#console-end"), awaits("#sessions-empty:not([hidden])"))
	if !strings.Contains(doc.RawHTML, "Ended after") || !strings.Contains(doc.RawHTML, "Tools and seed for small fields — Halm") {
		t.Error(doc.RawHTML)
	}
}

// TestPageExamples_areOfAllSites keeps the buttons of the page to what -demo serves.
func TestPageExamples_areOfAllSites(t *testing.T) {
	if got := (&settings{}).pageExamples(); got != nil {
		t.Errorf("without -demo: %v", got)
	}
	hosts := demo.Hosts()
	for _, x := range (&settings{demo: true}).pageExamples() {
		u, err := url.Parse(x.URL)
		if err != nil || hosts[u.Host] == nil || x.About == "" || len(x.Formats) == 0 {
			t.Errorf("%+v: %v", x, err)
			continue
		}
		w := httptest.NewRecorder()
		hosts[u.Host].ServeHTTP(w, httptest.NewRequest("GET", x.URL, nil))
		if w.Code != 200 {
			t.Errorf("%s: %d", x.URL, w.Code)
		}
		delete(hosts, u.Host)
	}
	if len(hosts) > 0 {
		t.Errorf("without an example: %v", hosts)
	}
}
