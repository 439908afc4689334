package openwebui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/engine/httpapi/openwebui"
	"github.com/winnow-go/winnow/engine/search"
)

const secret = "red-secret-0123456789"

// found is a provider of three results.
type found struct{}

func (found) Name() string             { return "found" }
func (found) Local() bool              { return true }
func (found) Can() search.Capabilities { return search.Capabilities{} }
func (found) Search(_ context.Context, q search.Query) (r search.Results, err error) {
	for i := range 3 {
		r.List = append(r.List, search.Result{URL: fmt.Sprintf("http://site.example/%d", i), Title: "Title", Description: "About " + q.Text})
	}
	return r, nil
}

func site() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/gone" {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintf(w, `<html lang="en"><title>Page %s</title><meta name="description" content="Words"><main><p>Some words about the page %s, which says little else.`, r.URL.Path, r.URL.Path)
	})
}

func server(t *testing.T) http.Handler {
	t.Helper()
	e, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: map[string]http.Handler{"site.example": site()}, Search: []search.Provider{found{}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	key, err := httpapi.NewKey(secret, "red")
	if err != nil {
		t.Fatal(err)
	}
	return httpapi.New(e, httpapi.Options{Keys: []httpapi.Key{key}, Doors: openwebui.Doors()})
}

// post sends what Open WebUI sends.
func post(t *testing.T, to http.Handler, path, key, body string, into any) int {
	t.Helper()
	r := httptest.NewRequest("POST", path, strings.NewReader(body)).WithContext(t.Context())
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	to.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Errorf("%s %s: %d %s: %v", path, body, w.Code, w.Body, err)
	}
	return w.Code
}

type page struct {
	Content  string            `json:"page_content"`
	Metadata map[string]string `json:"metadata"`
}

func TestLoad_givesThePagesThatCanBeRead(t *testing.T) {
	var pages []page
	urls := `{"urls":["http://site.example/a","http://site.example/gone","http://127.0.0.1:1/","http://site.example/b","no URL"],"more":1}`
	if status := post(t, server(t), openwebui.LoadPath, secret, urls, &pages); status != 200 || len(pages) != 2 {
		t.Fatalf("%d %+v", status, pages)
	}
	want := map[string]string{"source": "http://site.example/b", "url": "http://site.example/b", "title": "Page /b", "description": "Words", "language": "en"}
	if p := pages[1]; !strings.Contains(p.Content, "the page /b") || fmt.Sprint(p.Metadata) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %v", p, want)
	}
}

func TestLoad_refusals(t *testing.T) {
	s := server(t)
	for name, c := range map[string]struct {
		key, body string
		status    int
		code      string
	}{
		"no key of the server": {"another-secret-0123456789", `{"urls":["http://site.example/a"]}`, 401, "UNAUTHORIZED"},
		"nothing can be read":  {secret, `{"urls":["http://127.0.0.1:1/"]}`, 403, "unsafe_domain_blocked"},
		"none":                 {secret, `{"urls":[]}`, 400, "BAD_REQUEST"},
		"too many":             {secret, `{"urls":["` + strings.Join(slices.Repeat([]string{"a"}, 21), `","`) + `"]}`, 400, "BAD_REQUEST"},
		"no JSON":              {secret, `{"urls":`, 400, "BAD_REQUEST_INVALID_JSON"},
	} {
		var got struct{ Code string }
		if status := post(t, s, openwebui.LoadPath, c.key, c.body, &got); status != c.status || got.Code != c.code {
			t.Errorf("%s: %d %s", name, status, got.Code)
		}
	}
	var pages []page
	if status := post(t, s, openwebui.LoadPath, secret, `{"urls":["http://site.example/gone"]}`, &pages); status != 200 || len(pages) != 0 {
		t.Errorf("a page that isn't there: %d %+v", status, pages)
	}
}

func TestSearch_givesLinks(t *testing.T) {
	s := server(t)
	var hits []map[string]string
	if status := post(t, s, openwebui.SearchPath, secret, `{"query":"lamp","count":2}`, &hits); status != 200 || len(hits) != 2 {
		t.Fatalf("%d %v", status, hits)
	}
	if want := map[string]string{"link": "http://site.example/0", "title": "Title", "snippet": "About lamp"}; fmt.Sprint(hits[0]) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", hits[0], want)
	}
	var refused struct{ Code string }
	if status := post(t, s, openwebui.SearchPath, secret, `{"query":""}`, &refused); status != 400 || refused.Code != "BAD_REQUEST" {
		t.Errorf("%d %+v", status, refused)
	}
}
