package demo

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

// maxDelay bounds how slow the slow page can be.
const maxDelay = 30 * time.Second

func lab() http.Handler {
	p, mux := open("lab"), http.NewServeMux()
	var visits, tries atomic.Int64
	mux.HandleFunc("/", p.serve)
	mux.HandleFunc("GET /slow", slow(p))
	mux.HandleFunc("GET /changing", func(w http.ResponseWriter, _ *http.Request) {
		n := visits.Add(1)
		p.show(w, http.StatusOK, "changing.view", map[string]int64{"Sacks": 40 + 3*n, "Price": 18 + n%4, "Edition": n})
	})
	mux.HandleFunc("GET /flaky", func(w http.ResponseWriter, _ *http.Request) {
		if tries.Add(1)%2 == 1 {
			w.Header().Set("Retry-After", "1")
			p.show(w, http.StatusServiceUnavailable, "status.view", http.StatusServiceUnavailable)
			return
		}
		p.show(w, http.StatusOK, "status.view", http.StatusOK)
	})
	mux.HandleFunc("GET /status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.PathValue("code"))
		if err != nil || code < 200 || code > 599 || code == http.StatusNoContent || code == http.StatusNotModified {
			p.show(w, http.StatusNotFound, "missing.view", r)
			return
		}
		p.show(w, code, "status.view", code)
	})
	mux.HandleFunc("GET /moved/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || n <= 1 {
			http.Redirect(w, r, "/arrived", http.StatusFound)
			return
		}
		http.Redirect(w, r, fmt.Sprintf("/moved/%d", min(n, 20)-1), http.StatusFound)
	})
	mux.HandleFunc("GET /echo", func(w http.ResponseWriter, r *http.Request) {
		var names []string
		for name := range r.Header {
			names = append(names, name)
		}
		slices.Sort(names)
		p.show(w, http.StatusOK, "echo.view", map[string]any{"Request": r, "Names": names})
	})
	return mux
}

// slow answers after the requested number of milliseconds.
func slow(p *pages) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ms, err := strconv.Atoi(r.FormValue("ms"))
		if err != nil || ms < 0 {
			ms = 2000
		}
		delay := min(time.Duration(ms)*time.Millisecond, maxDelay)
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
			p.show(w, http.StatusOK, "slow.view", delay)
		case <-r.Context().Done():
		}
	}
}
