package engine

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// web serves bodies by host and path on virtual hosts, and robots.txt or whatever else
// is among them; all else is a 404.
func web(pages map[string]string) map[string]http.Handler {
	hosts := map[string]http.Handler{}
	for address := range pages {
		host, _, _ := strings.Cut(address, "/")
		hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, ok := pages[r.Host+r.URL.RequestURI()]
			switch {
			case !ok:
				http.NotFound(w, r)
			case strings.HasPrefix(body, "-> "):
				http.Redirect(w, r, body[3:], http.StatusFound)
			case strings.HasSuffix(r.URL.Path, ".txt"):
				w.Header().Set("Content-Type", "text/plain")
				fmt.Fprint(w, body)
			default:
				htmlPage(body).ServeHTTP(w, r)
			}
		})
	}
	return hosts
}

func linksTo(hrefs ...string) string {
	var b strings.Builder
	b.WriteString("<h1>A page</h1><p>With some words of its own.</p>")
	for _, h := range hrefs {
		fmt.Fprintf(&b, `<a href="%s">link</a> `, h)
	}
	return b.String()
}

// webEngine never renders and knows these hosts.
func webEngine(t testing.TB, pages map[string]string, change ...func(*Options)) *Engine {
	t.Helper()
	o := Options{Render: RenderNever, Hosts: web(pages)}
	noNetwork(t)(&o)
	for _, c := range change {
		c(&o)
	}
	return newTestEngine(t, o)
}

// crawled runs a crawl and gives the URLs of its documents, sorted.
func crawled(t *testing.T, e *Engine, seed string, o CrawlOptions) (*CrawlJob, []string) {
	t.Helper()
	job, err := e.Crawl(t.Context(), seed, o)
	if err != nil {
		t.Fatal(err)
	}
	return job, documentsOf(t, job)
}

func documentsOf(t *testing.T, job documented) []string {
	t.Helper()
	urls := addressesOf(t, job)
	slices.Sort(urls)
	return urls
}

func TestCrawl_followsLinksToEachPageOnce(t *testing.T) {
	e := webEngine(t, map[string]string{
		"a.example/":       linksTo("/one", "/two", "/one#part", "https://b.example/", "mailto:x@a.example", "/pic.png"),
		"a.example/one":    linksTo("/two", "/three"),
		"a.example/two":    linksTo("/", "/missing"),
		"a.example/three":  linksTo("/one/"),
		"a.example/orphan": linksTo(),
		"b.example/":       linksTo(),
	})
	job, got := crawled(t, e, "https://a.example/", CrawlOptions{})
	want := []string{"https://a.example/", "https://a.example/missing", "https://a.example/one", "https://a.example/three", "https://a.example/two"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	status, err := job.Status(t.Context())
	if err != nil || status.State != JobCompleted || status.Total != 5 || status.Completed != 5 || status.Failed != 0 || status.CreditsUsed != 5 {
		t.Errorf("%+v, %v", status, err)
	}
	denied, err := job.Denied(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int{}
	for _, d := range denied {
		reasons[d.Reason] = d.Count
	}
	if reasons["EXTERNAL_LINK"] != 1 || reasons["NON_WEB_PROTOCOL"] != 1 || reasons["FILE_TYPE"] != 1 {
		t.Errorf("denied %+v", denied)
	}
}
