package engine

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/llm"
)

// framedSite counts the requests of each path, by the host that they name. robots.txt forbids "/private" on every host, and "/to/x" redirects to "/x".
type framedSite struct {
	*httptest.Server
	elsewhere string // the same site under another name: for a browser it is another one

	mu   sync.Mutex
	hits map[string]int
}

func newFramedSite(t *testing.T, pages map[string]string) *framedSite {
	s := &framedSite{hits: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.hits[r.URL.Path]++
		s.mu.Unlock()
		if r.URL.Path == "/robots.txt" {
			_, _ = w.Write([]byte("User-agent: *\nDisallow: /private"))
			return
		}
		if to, led := strings.CutPrefix(r.URL.Path, "/to"); led {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		body := strings.NewReplacer("ELSEWHERE", s.elsewhere).Replace(pages[r.URL.Path])
		htmlPage("<!doctype html><title>Page</title><p>This is "+r.URL.Path+"</p>"+body).ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	s.elsewhere = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	return s
}

// requested are the paths that were requested, without robots.txt, and the icon that some browsers request by themselves.
func (s *framedSite) requested() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := maps.Clone(s.hits)
	delete(all, "/robots.txt")
	delete(all, "/favicon.ico")
	return all
}

var framedPages = map[string]string{
	"/": `<iframe src="/private/frame"></iframe><iframe src="/to/private/redirected"></iframe><iframe src="/inner"></iframe>
		<iframe src="ELSEWHERE/private/foreign"></iframe><iframe src="ELSEWHERE/nest"></iframe><a href="/target">target</a>
		<script>open("/private/popup"); open("/target"); open("/private/own", "_blank", "noopener")</script>
		<a id=tab target=_blank href="/target">t</a><script>document.getElementById("tab").click()</script>`,
	"/nest":  `<iframe src="/private/nested"></iframe><script>setTimeout(() => { location.href = "/private/onwards" })</script>`,
	"/click": `<a class=good target=_blank href="/tab">good</a> <a class=bad target=_blank href="/to/private/tab">bad</a>`,
	"/led":   `<button onclick="location.href = '/to/private/led'">Prices</button> <button onclick="window.open('/private/opened')">Tab</button>`,
	"/tab":   `<iframe src="/private/oftab"></iframe>`,
}

// What frames show and tabs request is judged as the page is: a crawl requests no document that robots.txt forbids, and none of a tab that it
// closes unseen.
func TestCrawl_framesAndTabsAreJudged(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := newFramedSite(t, framedPages)
	e := newTestEngine(t, Options{Policy: fetch.Policy{AllowPrivate: true}})
	job, urls := crawled(t, e, s.URL+"/", CrawlOptions{Scrape: ScrapeOptions{Render: RenderAlways}, Sitemap: SitemapSkip})
	if want := []string{s.URL + "/", s.URL + "/target"}; !slices.Equal(urls, want) {
		t.Errorf("got %v, want %v", urls, want)
	}
	if got, want := s.requested(), map[string]int{"/": 1, "/inner": 1, "/nest": 1, "/target": 1, "/to/private/redirected": 1}; !maps.Equal(got, want) {
		t.Errorf("requested %v, want %v", got, want)
	}
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if doc.Metadata.SourceURL != s.URL+"/" {
			continue
		}
		for _, want := range []string{"robots.txt forbids what", s.URL + "/private/frame", s.URL + "/private/redirected", s.elsewhere + "/private/foreign"} {
			if !strings.Contains(doc.Warning, want) {
				t.Errorf("the warning %q does not name %s", doc.Warning, want)
			}
		}
		if !strings.Contains(doc.Markdown, "/inner") {
			t.Errorf("the frame that is allowed is not there: %s", doc.Markdown)
		}
	}
}

// Without robots.txt frames show what they like.
func TestScrape_framesAreNotJudgedUnlessRobotsAreObeyed(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := newFramedSite(t, framedPages)
	e := newTestEngine(t, Options{Policy: fetch.Policy{AllowPrivate: true}})
	for obey, want := range map[bool]int{false: 1, true: 0} {
		clear(s.hits)
		doc, err := e.Scrape(t.Context(), s.URL+"/tab", ScrapeOptions{Render: RenderAlways, ObeyRobots: obey, MaxAge: fresh})
		if err != nil || s.requested()["/private/oftab"] != want || strings.Contains(doc.Warning, "forbids") != obey {
			t.Errorf("obeying %v: %v, requests %v, %+v", obey, err, s.requested(), doc)
		}
	}
}

// A tab that an action opens is judged as the page is, and so are its frames.
func TestActions_tabsAreJudged(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := newFramedSite(t, framedPages)
	e := newTestEngine(t, Options{Policy: fetch.Policy{AllowPrivate: true}})
	scrape := func(selector string) (*Document, error) {
		return e.Scrape(t.Context(), s.URL+"/click", ScrapeOptions{ObeyRobots: true, Actions: []actions.Action{{Type: actions.Click, Selector: selector}}})
	}
	if doc, err := scrape(".good"); err != nil || !strings.Contains(doc.Markdown, "This is /tab") || !strings.Contains(doc.Warning, "/private/oftab") {
		t.Errorf("got %+v, %v", doc, err)
	}
	if _, err := scrape(".bad"); CodeOf(err) != CodeRobots {
		t.Errorf("got %v, want %s", err, CodeRobots)
	}
	for path := range s.requested() {
		if strings.HasPrefix(path, "/private") {
			t.Errorf("%s was requested", path)
		}
	}
}

// A page that a model operates is judged at each hop, also after it was loaded once more, and stays where it is.
func TestAgent_whereALivePageIsLedIsJudged(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := newFramedSite(t, framedPages)
	at := s.URL + "/led"
	r := newRobot(t, toolCall("interact", `{"url":"`+at+`","goal":"the prices"}`))
	again := func(string) llm.Call { return toolCall("goto", `{"url":"`+at+`"}`) }
	r.onPage = []func(string) llm.Call{on("click", `"Prices"`, ""), on("click", `"Tab"`, ""), again, on("click", `"Prices"`, "")}
	e := newTestEngine(t, Options{Policy: fetch.Policy{AllowPrivate: true}, Model: r.Model(), Render: RenderNever})
	job, err := e.Agent(t.Context(), AgentOptions{Prompt: "What do pears cost?", URLs: []string{s.URL}, Effort: EffortLow, ObeyRobots: true})
	if err != nil {
		t.Fatal(err)
	}
	steps := traceOf(t, job)
	if got, want := s.requested(), map[string]int{"/led": 2, "/to/private/led": 2}; !maps.Equal(got, want) {
		t.Errorf("requested %v, want %v; steps %+v", got, want, steps)
	}
}
