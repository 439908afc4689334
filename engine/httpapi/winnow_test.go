package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

const mill = `<title>The mill</title><nav><a href="/">Home</a></nav><main><h1>The mill</h1><p>A mill stands by the brook, and it grinds every day when there is water.</p></main><footer>The end</footer>`

// millService also serves a page with words beside its main content.
func millService(t *testing.T) *service {
	return newService(t, func(o *engine.Options, _ *Options) {
		o.Hosts["mill.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, mill)
		})
	})
}

// wantLeftOut checks the first document below a path of an answer.
func wantLeftOut(t *testing.T, name string, a answer, path ...any) {
	t.Helper()
	got := a.get(append(path, "leftOut")...)
	want := "[map[blocks:1 firstLine:The end kind:footer words:2] map[blocks:1 firstLine:Home kind:navigation words:1]]"
	if fmt.Sprint(got) != want {
		t.Errorf("%s: got %v, want %s", name, got, want)
	}
	if c, ok := a.get(append(path, "metadata", "contentConfidence")...).(float64); !ok || c <= 0 || c > 1 {
		t.Errorf("%s: contentConfidence is %v, want a number above 0, up to 1: %s", name, c, a.raw)
	}
}

func TestWinnow_leftOutIsListedOnRequestWhereverPagesAre(t *testing.T) {
	s := millService(t)
	a := s.must(200, "POST", "/v2/scrape", `{"url":"mill.example","winnow":{"leftOut":true}}`)
	wantLeftOut(t, "scrape", a, "data")
	again := s.must(200, "GET", "/v2/scrape/"+a.text("data", "metadata", "scrapeId"), "")
	wantLeftOut(t, "its record", again, "data")
	wantLeftOut(t, "parse", s.send(part{"file", "mill.html", mill}, part{"options", "", `{"winnow":{"leftOut":true}}`}), "data")
	id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["mill.example"],"winnow":{"leftOut":true}}`).text("id")
	s.ended(id)
	wantLeftOut(t, "batch", s.must(200, "GET", "/v2/batch/scrape/"+id, ""), "data", 0)
	id = s.must(200, "POST", "/v2/crawl", `{"url":"mill.example","sitemap":"skip","limit":1,"scrapeOptions":{"winnow":{"leftOut":true}}}`).text("id")
	s.ended(id)
	wantLeftOut(t, "crawl", s.must(200, "GET", "/v2/crawl/"+id, ""), "data", 0)
}

func TestWinnow_budgetAndPassages(t *testing.T) {
	s := millService(t)
	whole := s.must(200, "POST", "/v2/scrape", `{"url":"mill.example","formats":["markdown",{"type":"passages","maxTokens":64}]}`)
	md := whole.text("data", "markdown")
	if list, ok := whole.get("data", "passages").([]any); !ok || len(list) == 0 || !strings.Contains(md, whole.text("data", "passages", 0, "text")) || whole.get("data", "window") != nil {
		t.Errorf("got %s", whole.raw)
	}
	part := s.must(200, "POST", "/v2/scrape", `{"url":"mill.example","winnow":{"budget":{"tokens":64}}}`)
	if !strings.HasPrefix(md, part.text("data", "markdown")) || part.get("data", "window", "totalTokens") == nil || part.get("data", "passages") != nil {
		t.Errorf("got %s", part.raw)
	}
	s.must(200, "POST", "/v2/scrape", `{"url":"mill.example","winnow":{"budget":{"tokens":64,"query":"grain"}}}`)
}

func TestWinnow_leftOutIsAbsentUnasked(t *testing.T) {
	s := millService(t)
	for _, own := range []string{"", `,"winnow":{}`, `,"winnow":{"leftOut":false,"cleanBelow":0}`} {
		a := s.must(200, "POST", "/v2/scrape", `{"url":"mill.example"`+own+`}`)
		if strings.Contains(a.raw, "leftOut") || a.get("data", "metadata", "contentConfidence") == nil {
			t.Errorf("%s: got %s, want the confidence alone", own, a.raw)
		}
	}
}

// Parse refuses what a scrape does, by the same names.
func TestWinnow_parseIsAsStrict(t *testing.T) {
	s := millService(t)
	for options, want := range map[string]string{
		`{"winnow":{"left":true}}`:                            "winnow.left: unrecognized key in body",
		`{"winnow":{"cleanBelow":2}}`:                         "winnow.cleanBelow: want a number from 0 to 1, not 2",
		`{"winnow":{"cleanBelow":0.5}}`:                       "winnow.cleanBelow: 0.5; want 0 without onlyCleanContent",
		`{"winnow":{"leftOut":true},"onlyMainContent":false}`: "winnow.leftOut: true; want false with onlyMainContent false, which leaves nothing out",
	} {
		a := s.send(part{"file", "mill.html", mill}, part{"options", "", options})
		if a.status != 400 || a.text("error") != want {
			t.Errorf("%s: %d %s, want 400 %s", options, a.status, a.text("error"), want)
		}
	}
}
