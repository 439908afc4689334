package scope

import (
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// address is a URL in normal form and its parts. Only scheme and href are set when it isn't of the web.
type address struct {
	href     string
	scheme   string
	user     string // with "@"
	host     string // without port
	port     string // with ":"; "" when it is the scheme's own
	path     string // begins with a slash
	query    string // with "?"
	fragment string // without "#"
}

func readAddress(rawURL string) (address, error) {
	href, err := weburl.Parse(rawURL)
	if err != nil {
		return address{}, err
	}
	a := address{href: href}
	var rest string
	a.scheme, rest, _ = strings.Cut(href, ":")
	if a.web() {
		a.split(strings.TrimPrefix(rest, "//"))
	}
	return a, nil
}

// split takes what follows "//": the normal form has a path always and escapes what would be ambiguous.
func (a *address) split(rest string) {
	rest, a.fragment, _ = strings.Cut(rest, "#")
	slash := strings.IndexByte(rest, '/')
	authority, path := rest[:slash], rest[slash:]
	at := strings.LastIndexByte(authority, '@') + 1
	a.user, a.host = authority[:at], authority[at:]
	if colon := strings.LastIndexByte(a.host, ':'); colon > strings.LastIndexByte(a.host, ']') {
		a.host, a.port = a.host[:colon], a.host[colon:]
	}
	a.path = path
	if mark := strings.IndexByte(path, '?'); mark >= 0 {
		a.path, a.query = path[:mark], path[mark:]
	}
}

func (a *address) web() bool { return a.scheme == "http" || a.scheme == "https" }

// route: the fragment names a page of an application that runs in the browser.
func (a *address) route() bool {
	return strings.HasPrefix(a.fragment, "/") || strings.HasPrefix(a.fragment, "!/")
}

// section: the fragment names a part of the page.
func (a *address) section() bool {
	return a.fragment != "" && !strings.Contains(a.fragment, "/")
}

// dropSection forgets a fragment that isn't a route.
func (a *address) dropSection() {
	if !a.route() {
		a.href, a.fragment = a.page(), ""
	}
}

// home: the root of a site, not a query or route of it.
func (a *address) home() bool {
	return strings.Trim(a.path, "/") == "" && len(a.query) < len("?x") && !a.route()
}

// page is the URL to fetch: without fragment, unless that is a route.
func (a *address) page() string {
	if a.route() {
		return a.href
	}
	page, _, _ := strings.Cut(a.href, "#")
	return page
}

// full is the page's URL without credentials, which patterns and keys have no business with.
func (a *address) full() string {
	if a.user == "" {
		return a.page()
	}
	return strings.Replace(a.page(), a.user, "", 1)
}
