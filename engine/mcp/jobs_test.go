package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
)

// docs is a small site of documentation.
func docs(pages int) http.Handler {
	mux := http.NewServeMux()
	links := ""
	for i := range pages {
		links += fmt.Sprintf(`<a href="/page/%d">Page %d</a> `, i, i)
		mux.Handle(fmt.Sprintf("/page/%d", i), html(fmt.Sprintf("<title>Page %d</title><h1>Page %d</h1><p>The option level%d sets how fine the flour of "+
			"kind %d is; it is %d by default.</p>", i, i, i, i, 100+i)))
	}
	mux.Handle("/{$}", html("<title>Docs</title><h1>Docs</h1><p>All pages of the documentation.</p>"+links))
	return mux
}

func TestCrawl_listsAndSearchesDocuments(t *testing.T) {
	c := connect(t, newEngine(t, map[string]http.Handler{"docs.example": docs(30)}), Options{})
	text := c.call("crawl", `{"url":"https://docs.example/","limit":40,"tokens":500,"options":{"sitemap":"skip"}}`)
	job := after(text, "job ", " ")
	if !strings.Contains(text, "completed, 31 of 31 pages, 0 failed") {
		t.Fatalf("got %s", text)
	}
	seen := map[string]bool{}
	for {
		for line := range strings.Lines(pageIn(text, "documents")) {
			seen[strings.Fields(line)[1]] = true
		}
		m := goOn.FindStringSubmatch(text)
		if m == nil {
			break
		}
		text = c.call(m[1], strings.TrimSuffix(m[2], "}")+`,"tokens":500}`)
	}
	if len(seen) != 31 {
		t.Errorf("the pages of the list have %d documents", len(seen))
	}
	found := c.call("crawl", `{"job":"`+job+`","query":"level17 default"}`)
	if !strings.Contains(pageIn(found, "page"), "it is 117 by default") {
		t.Errorf("got %s", found)
	}
	c.refused("crawl", `{"job":"`+job+`","do":"cancel"}`, "error JOB_FINISHED")
	c.refused("crawl", `{"job":"`+job+`","do":"nothing"}`, "do: want one of")
	if text := c.call("crawl", `{"job":"`+job+`","do":"errors"}`); !strings.Contains(text, "0 pages failed") {
		t.Errorf("got %s", text)
	}
	if text := c.call("crawl", `{"job":"`+job+`","do":"trace"}`); !strings.Contains(pageIn(text, "trace"), "{") {
		t.Errorf("got %s", text)
	}
	if text := c.call("crawl", `{"job":"`+job+`","do":"changes"}`); !strings.Contains(text, "0 changes") {
		t.Errorf("got %s", text)
	}
}

func TestCrawl_manyAddressesAreABatch(t *testing.T) {
	c := connect(t, newEngine(t, map[string]http.Handler{"docs.example": docs(3)}), Options{})
	text := c.call("crawl", `{"urls":["https://docs.example/page/0","https://docs.example/page/2","https://docs.example/none/\u0000"],"options":{"onlyMainContent":false}}`)
	if !strings.Contains(text, "(batch_scrape): completed, 3 of 3 pages") {
		t.Errorf("got %s", text)
	}
}

// gate is a page that waits until it is opened.
type gate struct {
	begun, open chan struct{}
	once        sync.Once
}

func newGate() *gate { return &gate{begun: make(chan struct{}), open: make(chan struct{})} }

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	g.once.Do(func() { close(g.begun) })
	select {
	case <-g.open:
	case <-r.Context().Done():
	}
	html("<h1>Open</h1><p>The gate is open now.</p>")(w, r)
}

// A job that needs longer than the call goes on; the call says how far it is.
func TestCrawl_aJobOutlivesItsCall(t *testing.T) {
	g := newGate()
	c := connect(t, newEngine(t, map[string]http.Handler{"gate.example": g}), Options{})
	text := c.call("crawl", `{"urls":["https://gate.example/"],"wait":1}`)
	job := after(text, "job ", " ")
	if !strings.Contains(text, "scraping, 0 of ") || !strings.Contains(text, "It goes on.") {
		t.Fatalf("got %s", text)
	}
	close(g.open)
	if text = c.call("crawl", `{"job":"`+job+`"}`); !strings.Contains(text, "completed, 1 of 1 pages") {
		t.Errorf("got %s", text)
	}
}

// A client that cancels a call ends what it started.
func TestCall_cancelledEndsItsWork(t *testing.T) {
	for _, row := range []struct{ tool, arguments string }{
		{"read", `{"url":"https://gate.example/"}`},
		{"crawl", `{"urls":["https://gate.example/"]}`},
	} {
		g := newGate()
		e := newEngine(t, map[string]http.Handler{"gate.example": g})
		c := connect(t, e, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-g.begun
			cancel()
		}()
		_, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: row.tool, Arguments: json.RawMessage(row.arguments)})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", row.tool, err)
		}
		jobs, err := e.Jobs(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, job := range jobs {
			if s, err := job.Wait(t.Context()); err != nil || s.State != engine.JobCancelled {
				t.Errorf("%s: %v, %v", row.tool, s.State, err)
			}
		}
		close(g.open)
	}
}

// A call ends by its time, whatever the page does.
func TestCall_endsByItsTime(t *testing.T) {
	g := newGate()
	defer close(g.open)
	c := connect(t, newEngine(t, map[string]http.Handler{"gate.example": g}), Options{Timeout: time.Second})
	c.refused("read", `{"url":"https://gate.example/"}`, "error SCRAPE_TIMEOUT", `"timeout"`)
}

// Steps and pages are progress, whose numbers rise.
func TestCall_reportsProgress(t *testing.T) {
	got := make(chan sdk.ProgressNotificationParams, 1000)
	c := connect(t, newEngine(t, map[string]http.Handler{"docs.example": docs(5)}), Options{}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { got <- *r.Params },
	})
	for _, row := range []struct {
		tool, arguments string
		whole           float64
		count           int
	}{
		{"crawl", `{"url":"https://docs.example/","options":{"sitemap":"skip"}}`, 6, 3},
		{"read", `{"url":"https://docs.example/page/1","options":{"maxAge":0}}`, 0, 2},
	} {
		params := &sdk.CallToolParams{Name: row.tool, Arguments: json.RawMessage(row.arguments)}
		params.SetProgressToken(row.tool)
		if _, err := c.session.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		last, whole, n := 0.0, -1.0, 0
		for n < row.count || whole < row.whole { // they may come after the answer
			p := <-got
			if p.ProgressToken != any(row.tool) { // of the call before
				continue
			}
			if p.Progress <= last {
				t.Errorf("%v: %v after %v", p.ProgressToken, p.Progress, last)
			}
			last, whole, n = p.Progress, max(whole, p.Total), n+1
		}
	}
}

// finder is a search that finds pages of the documentation.
type finder struct{}

func (finder) Name() string { return "finder" }
func (finder) Local() bool  { return true }
func (finder) Can() search.Capabilities {
	return search.Capabilities{Sources: []search.Source{search.Web}}
}

func (finder) Search(_ context.Context, q search.Query) (search.Results, error) {
	var found search.Results
	for i := range min(3, q.Limit) {
		found.List = append(found.List, search.Result{URL: fmt.Sprintf("https://docs.example/page/%d", i), Title: fmt.Sprintf("Hit %d", i), Description: "about " + q.Text})
	}
	return found, nil
}

func TestFind_listsHitsOrReadsThem(t *testing.T) {
	hosts := map[string]http.Handler{"docs.example": docs(3)}
	c := connect(t, newEngine(t, hosts, func(o *engine.Options) { o.Search = []search.Provider{finder{}} }), Options{})
	if text := c.call("find", `{"query":"flour","limit":2}`); !strings.Contains(pageIn(text, "hits"), "2. Hit 1\n   https://docs.example/page/1") {
		t.Errorf("got %s", text)
	}
	text := c.call("find", `{"query":"default level","options":{"scrapeOptions":{}}}`)
	if strings.Count(text, "by default.") != 3 {
		t.Errorf("got %s", text)
	}
	none := connect(t, newEngine(t, hosts), Options{})
	none.refused("find", `{"query":"flour"}`, "error SEARCH_NOT_CONFIGURED", "no search")
}

func TestMap_listsAddressesByParts(t *testing.T) {
	c := connect(t, newEngine(t, map[string]http.Handler{"docs.example": docs(30)}), Options{})
	text, seen := c.call("map", `{"url":"https://docs.example/","tokens":300,"options":{"sitemap":"skip"}}`), 0
	if !strings.Contains(text, "31 addresses of") {
		t.Errorf("got %s", text)
	}
	for {
		seen += strings.Count(pageIn(text, "addresses"), "https://docs.example")
		m := goOn.FindStringSubmatch(text)
		if m == nil {
			break
		}
		text = c.call(m[1], strings.TrimSuffix(m[2], "}")+`,"tokens":300,"options":{"sitemap":"skip"}}`)
	}
	if seen != 31 {
		t.Errorf("the parts have %d addresses", seen)
	}
}

// A list fits its budget whatever stands in it.
func TestCrawl_aListFitsItsBudget(t *testing.T) {
	title := "<title>" + strings.Repeat("grain ", 50_000) + "</title><h1>Mill</h1><p>Oats.</p>"
	c := connect(t, newEngine(t, map[string]http.Handler{"mill.example": html(title)}), Options{})
	text := c.call("crawl", `{"urls":["https://mill.example/"],"tokens":64}`)
	if c.used > 500 || !strings.Contains(text, "/1 https://mill.example/ ") {
		t.Errorf("%d tokens: %.500s", c.used, text)
	}
	if items := (&result{c: &call{server: &server{o: Options{}.resolve()}}}); items.list("x", []string{strings.Repeat("a", 1000), "b"}, want{tokens: 100}) != 1 {
		t.Error("an item that is cut fills the list")
	}
}
