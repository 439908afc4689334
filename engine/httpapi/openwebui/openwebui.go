// Package openwebui lets Open WebUI load pages and search through a winnow server. It may change without notice.
//
// In Open WebUI, choose "external" as the web loader with the address …/openwebui/load, and as the search engine with
// …/openwebui/search; the key of each is a key of the server. Both translate into routes of package httpapi, which checks the key,
// counts and logs them. [Doors] gives them to httpapi.Options:
//
//	httpapi.New(e, httpapi.Options{Keys: keys, Doors: openwebui.Doors()})
package openwebui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/engine/httpapi/internal/inner"
)

// The addresses that Open WebUI is given.
const (
	LoadPath   = "/openwebui/load"
	SearchPath = "/openwebui/search"
)

// Doors are the loader and the search.
func Doors() []httpapi.Door {
	return []httpapi.Door{{Path: LoadPath, Open: load}, {Path: SearchPath, Open: find}}
}

// Bounds of a call.
const (
	maxURLs = 20  // as many as Open WebUI sends
	atOnce  = 5   // pages of one call
	maxHits = 100 // as many as a search gives

	defaultHits = 5
)

const label = "openwebui" // of the requests, in the log

// page is a page as the loader gives it.
type page struct {
	Content  string            `json:"page_content"`
	Metadata map[string]string `json:"metadata"`
}

// load reads pages. Those that can't be read are left out, as one error would cost Open WebUI all of them; only where there is nothing
// else the first error is the answer.
func load(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			URLs []string `json:"urls"`
		}
		if !inner.Read(w, r, &body) {
			return
		}
		if n := len(body.URLs); n == 0 || n > maxURLs {
			inner.Refuse(w, http.StatusBadRequest, "BAD_REQUEST", fmt.Sprintf("urls: want 1 to %d URLs, not %d", maxURLs, n))
			return
		}
		pages, failed := []page{}, (*inner.Answer)(nil)
		for i, a := range scrapeAll(api, r, body.URLs) {
			if !a.OK() {
				failed = cmp.Or(failed, a)
			} else if p := pageOf(body.URLs[i], a.Body); p != nil {
				pages = append(pages, *p)
			}
		}
		if len(pages) == 0 && failed != nil {
			failed.PassOn(w)
			return
		}
		reply(w, pages)
	})
}

// scrapeAll scrapes some pages at a time; the answers are in the order of the URLs.
func scrapeAll(api http.Handler, r *http.Request, urls []string) []*inner.Answer {
	answers, slots := make([]*inner.Answer, len(urls)), make(chan struct{}, atOnce)
	var work sync.WaitGroup
	for i, url := range urls {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			answers[i] = post(api, r, "/v2/scrape", map[string]any{"url": url, "formats": []string{"markdown"}, "integration": label})
		})
	}
	work.Wait()
	return answers
}

// post asks the API. What is posted here can be encoded.
func post(api http.Handler, r *http.Request, path string, body map[string]any) *inner.Answer {
	a, err := inner.Do(api, r, path, body)
	if err != nil {
		panic(err)
	}
	return a
}

// pageOf is a document as the loader gives it; nil for one that is the site's error, or empty.
func pageOf(url string, answer []byte) *page {
	var d struct {
		Data struct {
			Markdown string
			Metadata struct {
				Title, Description, Language, URL json.RawMessage // texts, or lists of them
				StatusCode                        int
			}
		}
	}
	if json.Unmarshal(answer, &d) != nil || d.Data.Markdown == "" || d.Data.Metadata.StatusCode >= http.StatusBadRequest {
		return nil
	}
	p, m := &page{Content: d.Data.Markdown, Metadata: map[string]string{"source": url}}, d.Data.Metadata
	for name, value := range map[string]json.RawMessage{"title": m.Title, "description": m.Description, "language": m.Language, "url": m.URL} {
		if text := first(value); text != "" {
			p.Metadata[name] = text
		}
	}
	return p
}

// first is a text, or the first of a list.
func first(value json.RawMessage) string {
	var text string
	var list []string
	if json.Unmarshal(value, &text) != nil && json.Unmarshal(value, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return text
}

// hit is a result as the search gives it.
type hit struct {
	Link    string `json:"link"`
	Title   string `json:"title"`
	Snippet string `json:"snippet"`
}

// find searches the web.
func find(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Query string `json:"query"`
			Count int    `json:"count"`
		}
		if !inner.Read(w, r, &body) {
			return
		}
		limit := min(max(cmp.Or(body.Count, defaultHits), 1), maxHits)
		a := post(api, r, "/v2/search", map[string]any{"query": body.Query, "limit": limit, "integration": label})
		if !a.OK() {
			a.PassOn(w)
			return
		}
		var found struct {
			Data struct {
				Web []struct{ URL, Title, Description string }
			}
		}
		_ = json.Unmarshal(a.Body, &found) // it is the API's own
		hits := []hit{}
		for _, one := range found.Data.Web {
			hits = append(hits, hit{one.URL, one.Title, one.Description})
		}
		reply(w, hits)
	})
}

// reply writes a list of texts.
func reply(w http.ResponseWriter, list any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(list) // a client that is gone needs no answer
}
