package searchtest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// SearXNG is a server on the loopback that speaks the JSON API of SearXNG and finds words in its
// docs. Safe for concurrent use.
type SearXNG struct {
	// URL of the server.
	URL string

	docs   []Doc
	server *http.Server
	served sync.WaitGroup

	mu    sync.Mutex
	asked []url.Values
	next  []http.HandlerFunc
}

// StartSearXNG starts a server; the caller closes it.
func StartSearXNG(docs []Doc) (*SearXNG, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &SearXNG{URL: "http://" + l.Addr().String(), docs: docs}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	s.served.Go(func() { _ = s.server.Serve(l) }) // it ends with Close
	return s, nil
}

// Close stops the server at once.
func (s *SearXNG) Close() error {
	err := s.server.Close()
	s.served.Wait()
	return err
}

// Asked returns the parameters of all requests so far, in order.
func (s *SearXNG) Asked() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]url.Values(nil), s.asked...)
}

// Then makes these handlers answer the next requests, one each, instead of a search.
func (s *SearXNG) Then(handlers ...http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, handlers...)
}

// Status returns a handler that answers with a status, and with Retry-After if after is not empty.
func Status(code int, after string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		http.Error(w, http.StatusText(code), code)
	}
}

const pageSize = 20

// ServeHTTP implements http.Handler.
func (s *SearXNG) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := r.URL.Query()
	s.mu.Lock()
	s.asked = append(s.asked, v)
	var scripted http.HandlerFunc
	if len(s.next) > 0 {
		scripted, s.next = s.next[0], s.next[1:]
	}
	s.mu.Unlock()
	switch {
	case scripted != nil:
		scripted(w, r)
	case r.URL.Path != "/search":
		http.NotFound(w, r)
	case v.Get("format") != "json":
		http.Error(w, "forbidden", http.StatusForbidden)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(s.answer(v)) // the client may have left
	}
}

func (s *SearXNG) answer(v url.Values) any {
	found := s.in(find(s.docs, v.Get("q")), v.Get("time_range"))
	page, err := strconv.Atoi(v.Get("pageno"))
	if err != nil || page < 1 {
		page = 1
	}
	found = found[min(len(found), (page-1)*pageSize):]
	results := []map[string]any{}
	for i, d := range found[:min(len(found), pageSize)] {
		r := map[string]any{"url": d.URL, "title": d.Title, "content": d.Text, "engine": "scripted", "category": v.Get("categories"), "publishedDate": nil}
		if !d.Date.IsZero() {
			r["publishedDate"] = d.Date.UTC().Format("2006-01-02T15:04:05")
		}
		if v.Get("categories") == "images" {
			r["img_src"], r["resolution"] = fmt.Sprintf("%s/picture-%d.png", d.URL, i), "640 x 480"
		}
		results = append(results, r)
	}
	return map[string]any{"query": v.Get("q"), "number_of_results": len(found), "results": results, "answers": []any{}, "unresponsive_engines": []any{}}
}

// in returns the docs that are within the time range, counted back from the newest doc.
func (s *SearXNG) in(docs []Doc, timeRange string) (kept []Doc) {
	if timeRange == "" {
		return docs
	}
	days := map[string]int{"day": 1, "week": 7, "month": 31, "year": 365}[timeRange]
	var newest time.Time
	for _, d := range s.docs {
		if d.Date.After(newest) {
			newest = d.Date
		}
	}
	for _, d := range docs {
		if newest.Sub(d.Date) <= time.Duration(days)*24*time.Hour {
			kept = append(kept, d)
		}
	}
	return kept
}
