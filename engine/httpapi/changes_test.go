package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch"
)

// editions serves three pages, of which the second has another text in each edition and the third is there in the first alone.
func editions(t *testing.T, change ...func(*engine.Options, *Options)) (s *service, edition *atomic.Int64) {
	edition = &atomic.Int64{}
	s = newService(t, append(change, func(o *engine.Options, _ *Options) {
		o.Hosts["editions.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			switch r.URL.Path {
			case "/":
				fmt.Fprint(w, `<title>List</title><main><p>Both pages of this site.</p><a href=/a>A</a><a href=/b>B</a></main>`)
			case "/a":
				fmt.Fprintf(w, "<title>A</title><main><p>This is edition %d of a page.</p></main>", edition.Load())
			case "/b":
				if edition.Load() > 0 {
					http.NotFound(w, r)
					return
				}
				fmt.Fprint(w, "<title>B</title><main><p>Nothing is said here for long.</p></main>")
			default:
				http.NotFound(w, r)
			}
		})
	})...)
	return s, edition
}

// A webhook receives each change in the form that the OpenAPI document says.
func TestOpenAPI_webhooksOfChangesAreSentAsItSays(t *testing.T) {
	bodies := make(chan []byte, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies <- body
	}))
	t.Cleanup(receiver.Close)
	s, edition := editions(t, func(o *engine.Options, _ *Options) {
		o.Policy, o.DialContext, o.Resolver = fetch.Policy{AllowPrivate: true}, nil, noNames{}
	})
	for _, since := range []string{"", `"winnow":{"since":"last"},"webhook":{"url":"` + receiver.URL + `","events":["change"]},`} {
		s.ended(s.must(200, "POST", "/v2/crawl", `{`+since+`"url":"http://editions.example","limit":9}`).text("id"))
		edition.Add(1)
	}
	for _, kind := range []string{"changed", "removed"} {
		var body []byte
		select {
		case body = <-bodies:
		case <-time.After(patience):
			t.Fatalf("no webhook that is %s", kind)
		}
		if !strings.Contains(string(body), `"kind":"`+kind+`"`) || strings.Contains(string(body), "diff") {
			t.Errorf("got %s, want one that is %s, without a diff", body, kind)
		}
		if err := documented().gives("/webhooks/crawl.change/post/requestBody/content/application~1json/schema", body); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestWinnow_changesSinceAnEarlierCrawl(t *testing.T) {
	s, edition := editions(t)
	crawl := func(body string) string {
		id := s.must(200, "POST", "/v2/crawl", body).text("id")
		s.ended(id)
		return id
	}
	first := crawl(`{"url":"editions.example","limit":9}`)
	if a := s.must(200, "GET", "/v2/crawl/"+first+"/changes", ""); len(a.get("changes").([]any)) != 0 || a.text("status") != "completed" {
		t.Errorf("the first crawl: %v", a)
	}
	edition.Add(1)
	second := crawl(fmt.Sprintf(`{"url":"editions.example","limit":9,"winnow":{"since":%q}}`, first))
	a := s.must(200, "GET", "/v2/crawl/"+second+"/changes", "")
	if a.text("changes", 0, "kind") != "changed" || a.text("changes", 0, "url") != "http://editions.example/a" ||
		!strings.Contains(a.text("changes", 0, "diff"), "+This is edition 1") || a.text("changes", 1, "kind") != "removed" {
		t.Errorf("the second crawl: %v", a)
	}
	part := s.must(200, "GET", "/v2/crawl/"+second+"/changes?limit=1", "")
	if next := part.text("next"); !strings.HasSuffix(next, "/v2/crawl/"+second+"/changes?skip=1") {
		t.Errorf("a part of one has %v", part)
	}
	if counts := s.must(200, "GET", "/v2/crawl/"+second, "").get("winnow", "changes"); fmt.Sprint(counts) != "map[changed:1 removed:1]" {
		t.Errorf("the counts are %v", counts)
	}
	lines := s.red("GET", "/v2/crawl/"+second+"/changes?skip=1", "", header("Accept", linesType)).raw
	if !strings.HasPrefix(lines, `{"kind":"removed","url":"http://editions.example/b"`) || strings.Count(lines, "\n") != 1 {
		t.Errorf("as lines: %s", lines)
	}
	s.must(400, "POST", "/v2/crawl", fmt.Sprintf(`{"url":"editions.example","limit":9,"winnow":{"since":%q}}`, first))
	s.must(404, "GET", "/v2/crawl/01890000-0000-7000-8000-000000000000/changes", "")
	s.must(400, "GET", "/v2/crawl/"+second+"/changes?skip=-1", "")
}
