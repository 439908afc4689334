package search_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/searchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// waits are the pauses between tries; no test really waits.
type waits []time.Duration

func (w *waits) wait(_ context.Context, d time.Duration) error {
	*w = append(*w, d)
	return nil
}

// client leaves no connection behind.
func client(t *testing.T, w *waits) search.HTTP {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return search.HTTP{Client: &http.Client{Transport: transport}, Wait: w.wait}
}

func scripted(t *testing.T, docs []searchtest.Doc) (*searchtest.SearXNG, *search.SearXNG, *waits) {
	t.Helper()
	server, err := searchtest.StartSearXNG(docs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	w := &waits{}
	p, err := search.NewSearXNG(search.SearXNGOptions{URL: server.URL + "/", HTTP: client(t, w)})
	if err != nil {
		t.Fatal(err)
	}
	return server, p, w
}

func TestSearXNG_passesTheSuite(t *testing.T) {
	searchtest.Run(t, func(t *testing.T, docs []searchtest.Doc) search.Provider {
		_, p, _ := scripted(t, docs)
		return p
	})
}

func TestSearXNG_asksAgainWhereThatMakesSense(t *testing.T) {
	docs := searchtest.Docs(time.Now())
	cut := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	for name, c := range map[string]struct {
		then   []http.HandlerFunc
		pauses string
		status int // of the error; 0: there is none
	}{
		"busy for a moment":  {[]http.HandlerFunc{searchtest.Status(429, "3"), searchtest.Status(503, "")}, "3s 1s", 0},
		"connection is cut":  {[]http.HandlerFunc{cut}, "500ms", 0},
		"stays broken":       {[]http.HandlerFunc{searchtest.Status(500, ""), searchtest.Status(500, ""), searchtest.Status(502, "")}, "500ms 1s", 502},
		"busy for long":      {[]http.HandlerFunc{searchtest.Status(429, "3600")}, "", 429},
		"not found":          {[]http.HandlerFunc{searchtest.Status(404, "")}, "", 404},
		"json isn't allowed": {[]http.HandlerFunc{searchtest.Status(403, "")}, "", 403},
	} {
		server, p, w := scripted(t, docs)
		server.Then(c.then...)
		found, err := p.Search(t.Context(), search.Query{Text: "barley"})
		status, _ := errors.AsType[*search.StatusError](err)
		if c.status == 0 && (err != nil || len(found.List) != 10) || c.status != 0 && (status == nil || status.Status != c.status) {
			t.Errorf("%s: %d results, %v", name, len(found.List), err)
		}
		var pauses []string
		for _, d := range *w {
			pauses = append(pauses, d.String())
		}
		if got := strings.Join(pauses, " "); got != c.pauses {
			t.Errorf("%s: waited %s, want %s", name, got, c.pauses)
		}
		if c.status == 403 && !strings.Contains(err.Error(), "search.formats") {
			t.Errorf("%s: no hint in %v", name, err)
		}
	}
}

// Foreign answers are bounded, and errors where they are none.
func TestSearXNG_readsNothingIntoOtherAnswers(t *testing.T) {
	for name, body := range map[string]string{
		"html":       "<html>",
		"no results": `{"answers":[]}`,
		"null":       `{"results":null}`,
		"other type": `{"results":{"a":1}}`,
		"cut":        `{"results":[{"url":"https://a.example/"`,
		"too long":   `{"results":[` + strings.Repeat(" ", 8<<20) + `]}`,
	} {
		server, p, _ := scripted(t, nil)
		server.Then(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
		if _, err := p.Search(t.Context(), search.Query{Text: "barley"}); !errors.Is(err, search.ErrAnswer) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSearXNG_saysWhenItsEnginesAreSilent(t *testing.T) {
	server, p, _ := scripted(t, nil)
	server.Then(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"results":[],"unresponsive_engines":[["one","timeout"],["two","CAPTCHA"]]}`))
	})
	found, err := p.Search(t.Context(), search.Query{Text: "barley"})
	if err != nil || !strings.Contains(found.Warning, "2 of") {
		t.Errorf("got %+v, %v", found, err)
	}
}

// A later page that fails leaves what there is.
func TestSearXNG_furtherPagesMayFail(t *testing.T) {
	server, p, _ := scripted(t, searchtest.Docs(time.Now()))
	server.Then(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"results":[{"url":"https://a.example/"},{"url":"https://a.example/"},{"url":"https://b.example/"}]}`))
	}, searchtest.Status(404, ""))
	found, err := p.Search(t.Context(), search.Query{Text: "barley", Limit: 30})
	if err != nil || len(found.List) != 2 || found.Warning == "" {
		t.Errorf("got %+v, %v", found, err)
	}
}

// A redirect to another host, which might get the query and keys, isn't followed.
func TestSearXNG_keepsToItsHost(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL+"/search", http.StatusFound))
	defer server.Close()
	p, err := search.NewSearXNG(search.SearXNGOptions{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Search(t.Context(), search.Query{Text: "secretquery"})
	if status, ok := errors.AsType[*search.StatusError](err); !ok || status.Status != http.StatusFound || asked != 0 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestNewSearXNG_refusesWhatIsNoServer(t *testing.T) {
	for _, u := range []string{"", "localhost:8888", "ftp://a.example/", "http://", "http://a b/"} {
		if _, err := search.NewSearXNG(search.SearXNGOptions{URL: u}); err == nil {
			t.Errorf("%q is accepted", u)
		}
	}
}
