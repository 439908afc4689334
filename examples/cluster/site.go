package main

import (
	"fmt"
	"net/http"
	"strings"
)

// hosts of the site.
const hosts = 12

// address of a page. Page 0 leads to all others, by way of some.
func address(page int) string { return fmt.Sprintf("http://host%d.example/%d", page%hosts, page) }

// site serves pages: lines with the addresses that one leads to.
type site struct{ pages int }

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var page int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &page); err != nil || page < 0 || page >= s.pages || address(page) != "http://"+r.Host+r.URL.Path {
		http.NotFound(w, r)
		return
	}
	var lines []string
	for _, to := range []int{2*page + 1, 2*page + 2, page / 2} {
		if to < s.pages {
			lines = append(lines, address(to))
		}
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}
