package reader_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/engine/httpapi/reader"
)

const secret = "red-secret-0123456789"

func server(t *testing.T) *httptest.Server {
	t.Helper()
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/a", http.StatusFound)
			return
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintf(w, "<title>Page</title><main><h1>Page</h1><p>It was requested as %s, and has few other words.", r.URL.RequestURI())
	})
	e, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: map[string]http.Handler{"site.example": site}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	key, err := httpapi.NewKey(secret, "red")
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(httpapi.New(e, httpapi.Options{Keys: []httpapi.Key{key}, Doors: []httpapi.Door{reader.Door()}}))
	t.Cleanup(srv.Close)
	return srv
}

// answer is what a client reads.
type answer struct {
	status             int
	kind, text         string
	pageStatus, linked string
}

func get(t *testing.T, srv *httptest.Server, method, target, accept, key string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, srv.URL+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := srv.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	h := resp.Header
	return answer{resp.StatusCode, h.Get("Content-Type"), string(body), h.Get("X-Page-Status"), h.Get("Link")}
}

func TestRead_givesAPageAsTheRequestAcceptsIt(t *testing.T) {
	s := server(t)
	for accept, want := range map[string]string{
		"text/markdown": "text/markdown; charset=utf-8", "": "text/plain; charset=utf-8", "text/html,*/*;q=0.8": "text/plain; charset=utf-8",
		"text/plain, text/markdown": "text/plain; charset=utf-8", "text/markdown;q=0.9, text/html": "text/markdown; charset=utf-8",
	} {
		a := get(t, s, "GET", "/read/http://site.example/a%20b/?c=d&e=%2F", accept, secret)
		if a.status != 200 || a.kind != want || !strings.HasPrefix(a.text, "# Page\n\n") || !strings.Contains(a.text, "/a%20b/?c=d&e=%2F") || a.pageStatus != "200" {
			t.Errorf("%q: %+v", accept, a)
		}
	}
	a := get(t, s, "GET", "/read/http://site.example/a", "application/json", secret)
	if a.status != 200 || !strings.HasPrefix(a.kind, "application/json") || !strings.Contains(a.text, `"markdown":"# Page`) {
		t.Errorf("%+v", a)
	}
	if a := get(t, s, "HEAD", "/read/http://site.example/a", "text/markdown", secret); a.status != 200 || a.text != "" || a.kind != "text/markdown; charset=utf-8" {
		t.Errorf("HEAD: %+v", a)
	}
}

func TestRead_saysWhereThePageIsAndItsStatus(t *testing.T) {
	s := server(t)
	for target, want := range map[string]answer{
		"/read/http://site.example/moved": {pageStatus: "200", linked: `<http://site.example/a>; rel="canonical"`},
		"/read/http:/site.example/gone":   {pageStatus: "404", linked: `<http://site.example/gone>; rel="canonical"`}, // as some proxies write it
		"/read/site.example/a":            {pageStatus: "200", linked: `<http://site.example/a>; rel="canonical"`},
	} {
		if a := get(t, s, "GET", target, "text/markdown", secret); a.status != 200 || a.pageStatus != want.pageStatus || a.linked != want.linked {
			t.Errorf("%s: %+v", target, a)
		}
	}
}

func TestRead_refusals(t *testing.T) {
	s := server(t)
	for name, c := range map[string]struct {
		method, target, key string
		status              int
		code                string
	}{
		"no key of the server": {"GET", "/read/http://site.example/", "another-secret-0123456789", 401, "UNAUTHORIZED"},
		"no URL":               {"GET", "/read/", secret, 400, "BAD_REQUEST"},
		"another scheme":       {"GET", "/read/file:///etc/hosts", secret, 400, "BAD_REQUEST"},
		"an inner address":     {"GET", "/read/http://127.0.0.1:1/", secret, 403, "unsafe_domain_blocked"},
		"posted":               {"POST", "/read/http://site.example/", secret, 405, "METHOD_NOT_ALLOWED"},
	} {
		a := get(t, s, c.method, c.target, "text/markdown", c.key)
		if a.status != c.status || !strings.HasPrefix(a.kind, "application/json") || !strings.Contains(a.text, `"code":"`+c.code+`"`) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
