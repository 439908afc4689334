package trapsite

import (
	"fmt"
	"net/http"
)

// soft404 says "not found" with the status 200, as many sites do: ordinary pages, by all that can be seen. A naive crawler that guesses
// drops pages that only speak of errors.
func soft404(b builder) {
	b.enter(links("/soft404/a", "/soft404/b", "/soft404/c")...)
	b.below("/soft404/", func(at place) *node { return page("Page not found: " + at.path) })
}

// statuses are errors with a page: they are delivered with their status, and their links lead on. A naive crawler fails, or
// requests them again for ever.
func statuses(b builder) {
	b.enter(link("/status/"))
	entry := page("Errors")
	for _, code := range []int{http.StatusNotFound, http.StatusGone, http.StatusInternalServerError} {
		path := fmt.Sprintf("/status/%d", code)
		entry.links = append(entry.links, link(path))
		b.page(path, &node{status: code, title: http.StatusText(code), links: links("/status/help")})
	}
	b.leaf("/status/help")
	b.page("/status/", entry)
}

// broken closes the connection without an answer: no page. A naive crawler stops, or never ends.
func broken(b builder) {
	b.enter(link("/broken/"))
	b.page("/broken/", page("One of these is broken", links("/broken/closes", "/broken/works")...))
	b.page("/broken/closes", &node{fails: true})
	b.leaf("/broken/works")
}

// busy pages refuse the first request, one with Retry-After, and answer the second. A naive crawler loses them, or is banned for
// asking at once.
func busy(b builder) {
	b.enter(link("/busy/"))
	b.page("/busy/", page("Come back later", links("/busy/429", "/busy/503")...))
	b.page("/busy/429", &node{title: "Not so fast", refuses: http.StatusTooManyRequests, links: links("/busy/behind-429")})
	b.page("/busy/503", &node{title: "Overloaded", refuses: http.StatusServiceUnavailable, links: links("/busy/behind-503")})
	b.leaf("/busy/behind-429", "/busy/behind-503")
}

// dead links lead to nothing, and links are there many times. A 404 is delivered once.
func dead(b builder) {
	b.enter(links("/dead/", "/dead/", "/dead/")...)
	var list []anchor
	for range 20 {
		list = append(list, links("/dead/end", "/dead/alive", "/dead/end?again")...)
	}
	b.page("/dead/", page("Dead links", list...))
	b.leaf("/dead/alive")
}
