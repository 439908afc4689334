package main

import (
	"fmt"
	"net/http"
)

// hosts of the site.
const hosts = 12

// address of a page. Page 0 leads to all others, by way of some.
func address(page int) string { return fmt.Sprintf("http://host%d.site.example/%d", page%hosts, page) }

// site serves pages with links to others.
type site struct{ pages int }

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var page int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &page); err != nil || page < 0 || page >= s.pages || address(page) != "http://"+r.Host+r.URL.Path {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d</title><h1>Page %d</h1><p>It leads to others.</p>", page, page)
	for _, to := range []int{2*page + 1, 2*page + 2, page / 2} {
		if to < s.pages {
			fmt.Fprintf(w, "<p><a href=%q>Page %d</a></p>", address(to), to)
		}
	}
}
