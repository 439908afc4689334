package search_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/searchtest"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// service answers as some JSON services do, from what a SearXNG server finds: by GET with parameters
// and pages, by POST with a body and an offset.
type service struct {
	t    *testing.T
	from *searchtest.SearXNG
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Key") != "secretkey" {
		http.Error(w, "no key", http.StatusUnauthorized)
		return
	}
	q := map[string]any{}
	for name, values := range r.URL.Query() {
		q[name] = values[0]
	}
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			s.t.Error(err)
		}
	}
	page, _ := strconv.Atoi(fmt.Sprint(q["page"]))
	if offset, ok := q["from"].(float64); ok {
		page = int(offset)/20 + 1
	}
	answer, err := http.Get(s.from.URL + "/search?format=json&q=" + url.QueryEscape(fmt.Sprint(q["q"])) + "&pageno=" + strconv.Itoa(page))
	if err != nil {
		s.t.Error(err)
		return
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Error(err)
	}
	_, _ = fmt.Fprintf(w, `{"web":%s}`, body)
}

func newService(t *testing.T, docs []searchtest.Doc) string {
	t.Helper()
	from, err := searchtest.StartSearXNG(docs)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&service{t: t, from: from})
	t.Cleanup(func() {
		server.Close()
		_ = from.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return server.URL
}

func TestJSONAPI_passesTheSuite(t *testing.T) {
	result := search.Endpoint{List: "web.results", Href: "nothing|url", Title: "title", Description: "content", Date: "publishedDate"}
	for name, c := range map[string]struct {
		url, body string
		operators bool
	}{
		"by GET, words alone": {"/search?q={query}&page={page}", "", false},
		"by GET":              {"/search?q={query}&page={page}&l={lang}&filter={filter}", "", true},
		"by POST":             {"/", `{"q":"{query}","from":"{offset}","safe":"{safe}","in":{"place":"{location}"}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			searchtest.Run(t, func(t *testing.T, docs []searchtest.Doc) search.Provider {
				e := result
				e.URL, e.Body = newService(t, docs)+c.url, c.body
				p, err := search.NewJSONAPI(search.JSONAPIOptions{
					Name: "the service", Sources: map[search.Source]search.Endpoint{search.Web: e},
					Header: http.Header{"X-Key": {"secretkey"}}, Operators: c.operators, PageSize: 20, HTTP: client(t, &waits{}),
				})
				if err != nil {
					t.Fatal(err)
				}
				return p
			})
		})
	}
}

// echo answers with what it was asked.
func echo(t *testing.T) (*httptest.Server, *[]string) {
	t.Helper()
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, strings.TrimSpace(r.Method+" "+r.URL.String()+" "+string(body)))
		_, _ = fmt.Fprint(w, `[{"link":{"href":"https://a.example/"},"names":["first","second"],"width":640,"when":"2026-05-06"},{"link":7},{"link":{"href":"no address"}},null,[]]`)
	}))
	t.Cleanup(s.Close)
	return s, &asked
}

func TestJSONAPI_fillsTemplatesIn(t *testing.T) {
	s, asked := echo(t)
	p, err := search.NewJSONAPI(search.JSONAPIOptions{
		Name: "echo", Operators: true, HTTP: client(t, &waits{}),
		Sources: map[search.Source]search.Endpoint{
			search.Web:    {URL: s.URL + "/a%20b/{lang}?q={query}&n={limit}&safe={safe}&when={tbs}&fix=1&country={country}", Href: "link.href", Title: "names.1", ImageWidth: "width", Date: "when"},
			search.Images: {URL: s.URL + "/{lang}", Body: `{"text":"say {query}","n":"{limit}","safe":"{safe}","when":["{tbs}","x"],"country":"{country}","deep":{"on":true}}`, Href: "link.href"},
		},
		Values: map[string]map[string]string{"safe": {"strict": "2"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	span, err := search.ParseSpan("qdr:w,sbd:1")
	if err != nil {
		t.Fatal(err)
	}
	q := search.Query{Text: `"{limit}" & äh`, Limit: 5, Safe: search.SafeStrict, Language: "de", IncludeDomains: []string{"a.example"}}
	found, err := p.Search(t.Context(), q)
	if err != nil || len(found.List) != 1 {
		t.Fatalf("got %+v, %v", found, err)
	}
	if r := found.List[0]; r.URL != "https://a.example/" || r.Title != "second" || r.ImageWidth != 640 || !r.Date.Equal(time.Date(2026, 5, 6, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v", r)
	}
	q.Source, q.Safe, q.Span = search.Images, "", span
	if _, err := p.Search(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"GET /a%20b/de?q=%22%7Blimit%7D%22+%26+%C3%A4h+site%3Aa.example&n=5&safe=2&fix=1",
		`POST /de {"deep":{"on":true},"n":5,"text":"say \"{limit}\" \u0026 äh site:a.example","when":["qdr:w,sbd:1","x"]}`,
	}
	for i, w := range want {
		if (*asked)[i] != w {
			t.Errorf("asked %s\nwant  %s", (*asked)[i], w)
		}
	}
}

func TestNewJSONAPI_refusesTemplatesThatCannotWork(t *testing.T) {
	ok := search.Endpoint{URL: "https://api.example/?q={query}", Href: "url"}
	with := func(change func(*search.Endpoint)) map[search.Source]search.Endpoint {
		e := ok
		change(&e)
		return map[search.Source]search.Endpoint{search.Web: e}
	}
	for name, o := range map[string]search.JSONAPIOptions{
		"no name":     {Sources: with(func(*search.Endpoint) {})},
		"no source":   {Name: "x"},
		"no path":     {Name: "x", Sources: with(func(e *search.Endpoint) { e.Href = "" })},
		"no URL":      {Name: "x", Sources: with(func(e *search.Endpoint) { e.URL = "" })},
		"no query":    {Name: "x", Sources: with(func(e *search.Endpoint) { e.URL = "https://api.example/?key=secretkey" })},
		"placeholder": {Name: "x", Sources: with(func(e *search.Endpoint) { e.URL += "&key=secretkey&x={tea}" })},
		"body":        {Name: "x", Sources: with(func(e *search.Endpoint) { e.Body = "{query} secretkey" })},
		"escapes":     {Name: "x", Sources: with(func(e *search.Endpoint) { e.URL += "&secretkey=%zz" })},
		"page size":   {Name: "x", PageSize: 201, Sources: with(func(*search.Endpoint) {})},
	} {
		_, err := search.NewJSONAPI(o)
		opt, isOption := errors.AsType[*search.OptionError](err)
		if !isOption || opt.Field == "" || strings.Contains(err.Error(), "secretkey") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Neither the key in the address nor the query is shown by an error.
func TestJSONAPI_errorsShowNoSecrets(t *testing.T) {
	refuses := httptest.NewServer(http.NotFoundHandler())
	defer refuses.Close()
	for _, base := range []string{"http://" + fetchtest.ClosedPort(t), refuses.URL} {
		p, err := search.NewJSONAPI(search.JSONAPIOptions{
			Name: "the service", HTTP: client(t, &waits{}),
			Sources: map[search.Source]search.Endpoint{search.Web: {URL: base + "/?key=secretkey&q={query}", Href: "url"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Search(t.Context(), search.Query{Text: "secretquery"})
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "the service") {
			t.Errorf("got %v", err)
		}
	}
}
