package httpapi

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image/png"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// visitor is a person at the page: the engine's own browser, for which the service is one more site.
type visitor struct {
	*service
	mu      sync.Mutex
	reports []engine.PageReport
}

func newVisitor(t *testing.T) *visitor {
	t.Helper()
	v := &visitor{}
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { v.ServeHTTP(w, r) })
	v.service = newService(t, withPage, withBrowser(t), func(eo *engine.Options, o *Options) {
		eo.Hosts["page.example"], eo.Hosts["keyed.example"], eo.Hosts["trap.example"] = page, page, trap()
		eo.OnPage = func(r engine.PageReport) {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.reports = append(v.reports, r)
		}
		o.Anonymous, o.AllowedHosts, o.BaseURL = true, []string{"page.example"}, ""
	})
	return v
}

// visit opens the page, does the steps, and gives what is there in the end. A wait for a selector is what a person looks for.
func (v *visitor) visit(t *testing.T, address string, mobile bool, steps ...actions.Action) *engine.Document {
	t.Helper()
	doc, err := v.engine.Scrape(t.Context(), address, engine.ScrapeOptions{
		Formats: []formats.Format{{Type: formats.RawHTML}}, Actions: steps, Mobile: mobile, MaxAge: new(time.Duration(0)), Timeout: 3 * time.Minute,
	})
	if err != nil {
		if _, ok := errors.AsType[*browser.InstallError](err); ok && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
			t.Skip("this machine has no browser, and this test installs none: ", err)
		}
		v.logPage(t)
		t.Fatal(err)
	}
	return doc
}

// logPage logs what the page wrote and asked for.
func (v *visitor) logPage(t *testing.T) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.reports {
		t.Logf("%s\n%s\n%s", r.URL, strings.Join(r.Console, "\n"), strings.Join(r.Requests, "\n"))
	}
}

// quiet wants no complaint of a browser about the page but those about answers that are errors, which the page shows.
func (v *visitor) quiet(t *testing.T) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.reports {
		for _, line := range r.Console {
			if !strings.Contains(line, "Failed to load resource: the server responded with a status of 4") {
				t.Errorf("%s: %s", r.URL, line)
			}
		}
		for _, line := range r.Requests {
			if !strings.Contains(line, ".example/") || strings.Contains(line, "favicon.ico") {
				t.Errorf("%s: %s", r.URL, line)
			}
		}
	}
	v.reports = nil
}

func sees(selector string) actions.Action {
	return actions.Action{Type: actions.Wait, Selector: selector}
}
func clicks(selector string) actions.Action {
	return actions.Action{Type: actions.Click, Selector: selector}
}
func types(text string) actions.Action { return actions.Action{Type: actions.Write, Text: text} }

func presses(keys ...string) (list []actions.Action) {
	for _, key := range keys {
		list = append(list, actions.Action{Type: actions.Press, Key: key})
	}
	return list
}

func steps(parts ...any) (list []actions.Action) {
	for _, part := range parts {
		switch part := part.(type) {
		case actions.Action:
			list = append(list, part)
		case []actions.Action:
			list = append(list, part...)
		}
	}
	return list
}

// wants looks for parts of the page as it was left.
func wants(t *testing.T, doc *engine.Document, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(doc.RawHTML, part) {
			t.Errorf("%q is not in the page:\n%s", part, doc.RawHTML[strings.Index(doc.RawHTML, "<main"):])
		}
	}
}

// TestPage_inABrowser does what people do. It uses the browser of this machine and installs none: engine's own tests do.
func TestPage_inABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test starts a real browser")
	}
	v := newVisitor(t)
	t.Run("a scrape by keyboard alone, of a hostile page", v.scrapesByKeyboard)
	t.Run("markdown that a site wrote", v.showsMarkdown)
	t.Run("a crawl on a phone, to its end", v.crawlsOnAPhone)
	t.Run("a monitor of a hostile page, from its first check to a diff", v.watchesAPage)
	t.Run("a key, and errors", v.usesAKey)
	t.Run("a session from start to end", v.worksInASession)
}

func (v *visitor) scrapesByKeyboard(t *testing.T) {
	doc := v.visit(t, "http://page.example/", false, steps(
		sees("#scrape-url:focus"), types("trap.example"), presses("Tab", "Tab", "Tab"), sees("[value=screenshot]:focus"), presses("Space", "Enter"),
		sees("#scrape-result .prose a"), clicks("#scrape-result [role=tab]"), presses("ArrowRight"), sees("#scrape-result pre"),
		presses("ArrowRight"), sees("img.shot[src^='data:image/png;base64,']"),
	)...)
	wants(t, doc, "<title>Winnow</title>", `&lt;img src=x onerror="document.title='run'"&gt;</h3>`, "A hostile page &lt;/script&gt;", `href="http://trap.example/two"`)
	if strings.Contains(doc.RawHTML, "href=\"javascript:") || strings.Contains(doc.RawHTML, "<img src=\"x\"") {
		t.Error("the page shows what could run")
	}
	v.quiet(t)
}

func (v *visitor) showsMarkdown(t *testing.T) {
	doc := v.visit(t, "http://page.example/", false, steps(sees("#scrape-url:focus"), types("trap.example/notes.md"), presses("Enter"), sees("#scrape-result .prose table"))...)
	wants(t, doc, "<title>Winnow</title>", `<h3 class="l1">Notes &lt;img src=x`, "<span>first</span>", `rel="noopener noreferrer nofollow">second</a>`, `<span class="picture"><a href="http://trap.example/p.png"`,
		"<strong>bold</strong> and <code>code</code>", "<blockquote><p>said</p></blockquote>", "<del>2</del>", "&lt;script&gt;document.title='run'&lt;/script&gt;</code></pre>")
	v.quiet(t)
}

func (v *visitor) crawlsOnAPhone(t *testing.T) {
	doc := v.visit(t, "http://page.example/", true, steps(
		sees("#scrape-url:focus"), clicks("#tab-scrape"), presses("ArrowRight"), sees("#tab-jobs:focus[aria-selected=true]"), clicks("#job-url"), types("lamp.example"), presses("Enter"),
		sees(".job .badge.completed"), clicks(".job button"), sees("#job-detail .doc-item"),
		actions.Action{Type: actions.Screenshot, FullPage: true, Viewport: &actions.Viewport{Width: 390, Height: 844}},
		clicks("#tab-usage"), sees("#activity td"),
	)...)
	wants(t, doc, "<strong>Crawl</strong>", "Crawl completed: lamp.example", "of 3 pages", "<strong>The lamp</strong>", "<td>crawl</td>")
	v.quiet(t)
	_, data, _ := strings.Cut(doc.Actions.Screenshots[0], "base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil || picture.Width > 390*2625/1000+1 {
		t.Errorf("the page is %d pixels wide on a phone: %v", picture.Width, err)
	}
}

func (v *visitor) watchesAPage(t *testing.T) {
	v.visit(t, "http://page.example/#/monitors", false, steps(
		clicks("#monitor-name"), types("traps <img src=x onerror=alert(1)>"), clicks("#monitor-urls"), types("http://trap.example/turn"), clicks("#monitor-form .primary"),
		sees("#monitor-list .job"), clicks("#monitor-list [data-does^='Check now']"), sees("#monitor-list [data-state=checked]"),
		clicks("#monitor-list [data-does^='Checks']"), sees("#monitor-detail .badge.completed"),
	)...)
	v.quiet(t)
	id := v.as("", "GET", "/v2/monitor", "", func(r *http.Request) { r.Host = "page.example" }).text("data", 0, "id")
	if _, err := v.engine.RunMonitor(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	doc := v.visit(t, "http://page.example/#/monitors", false, steps(
		sees("#monitor-list [data-state=checked]"), clicks("#monitor-list [data-does^='Checks']"), sees("#monitor-detail .check"),
		clicks("#monitor-detail tbody tr:first-child .check"), sees("#monitor-detail .diff .added"),
	)...)
	wants(t, doc, "<title>Winnow</title>", `traps &lt;img src=x onerror=alert(1)&gt;</strong>`, `<ins class="line added"><span class="sign">+</span>It says `, "document.title='run'", "1 changed")
	if strings.Contains(doc.RawHTML, `<img src="x"`) || strings.Contains(doc.RawHTML, "<script>document") {
		t.Error("the page shows what could run")
	}
	v.quiet(t)
}

func (v *visitor) usesAKey(t *testing.T) {
	doc := v.visit(t, "http://keyed.example/", false, steps(
		sees("#scrape-url:focus"), types("ftp://lamp.example"), presses("Enter"), sees(".error"), // no key, and this host isn't one of those that need none
		clicks("#key"), sees("#key-value:focus"), types(redSecret), presses("Enter"), sees("#key:focus[aria-expanded=false]"),
		clicks("#scrape-url"), presses("Enter"), sees(".error li code"),
	)...)
	wants(t, doc, "API key set", "Authorization: Bearer $WINNOW_API_KEY", "<code>BAD_REQUEST</code>", "<li><code>url</code>")
	if strings.Contains(doc.RawHTML, redSecret) {
		t.Error("the key stands in the page")
	}
	v.quiet(t)
}

// worksInASession starts a second browser, in a sandbox: long tests alone do that here.
func (v *visitor) worksInASession(t *testing.T) {
	if os.Getenv("WINNOW_SOAK") != "1" {
		t.Skip("WINNOW_SOAK=1 runs this in a browser of its own")
	}
	doc := v.visit(t, "http://page.example/#/sessions", false, steps(
		sees("#sessions-empty"), clicks("#session-form .primary"), sees("#console-form"), clicks("#console-code"), types("+' of a session'"), presses("Control+Enter"),
		sees("#console-result dd"), clicks("#console-end"), sees("#sessions-empty"),
	)...)
	wants(t, doc, "Ended after", " of a session")
	v.quiet(t)
}
