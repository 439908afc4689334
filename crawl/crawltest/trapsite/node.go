package trapsite

import (
	"html"
	"net/http"
)

// place is where a page is: on one of the site's hosts, without scheme and aliases.
type place struct {
	host  string
	path  string // escaped
	query string // without "?"
}

// anchor is a link: how a page spells it, and where it leads, which crawlers have to find out for themselves.
type anchor struct {
	href string // as HTML
	to   string // a URL in normal form, or a path on the page's own origin
	attr string // more attributes
}

// link leads to a URL or path and spells it so.
func link(to string) anchor { return anchor{href: html.EscapeString(to), to: to} }

// links leads to some.
func links(to ...string) (list []anchor) {
	for _, t := range to {
		list = append(list, link(t))
	}
	return list
}

// spelled leads somewhere in other words.
func spelled(href, to string) anchor { return anchor{href: href, to: to} }

func with(attr string, list ...anchor) []anchor {
	for i := range list {
		list[i].attr = attr
	}
	return list
}

// node is what an address answers, for the handler and for the model alike. The zero value is an empty page.
type node struct {
	status int    // 0: 200
	title  string // also the heading
	words  string // what its text follows from, where that isn't its address
	head   string // more in the head
	body   string // more in the text, whose links a crawler must not follow
	links  []anchor
	chrome []anchor // in header, nav, aside and footer

	scripted []anchor // put in by a script, that has to run
	framed   []anchor // in frames, whose pages a browser shows as a part of this one
	refresh  anchor   // a meta refresh, at once

	redirect anchor // a Location, with the status
	fails    bool   // the connection is closed without an answer
	refuses  int    // the status of the first answer, after which it is as it is
	slow     bool
	often    bool // a good crawler may request it more than once

	kind string // Content-Type of raw
	raw  []byte // instead of HTML
}

func page(title string, list ...anchor) *node { return &node{title: title, links: list} }

func redirect(status int, location anchor) *node { return &node{status: status, redirect: location} }

func (n *node) code() int {
	if n.status == 0 {
		return http.StatusOK
	}
	return n.status
}

// builder sets a trap.
type builder struct {
	site *Site
	host string
}

func (b builder) on(host string) builder { return builder{b.site, host} }

// enter puts links on the root page.
func (b builder) enter(list ...anchor) { b.site.entrance = append(b.site.entrance, list...) }

// page sets a page at a path, with a query where that matters.
func (b builder) page(path string, n *node) { b.site.pages[b.host+path] = n }

// leaf sets pages that lead nowhere.
func (b builder) leaf(paths ...string) {
	for _, path := range paths {
		b.page(path, page("The page "+path))
	}
}

// target is a leaf that redirects lead to as well. A crawler that renders may come there more than once.
func (b builder) target(paths ...string) {
	for _, path := range paths {
		b.page(path, &node{title: "The page " + path, often: true})
	}
}

// below makes the pages below a path.
func (b builder) below(prefix string, make generator) { b.site.endless[b.host+prefix] = make }

// textHash is FNV-1a.
func textHash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
