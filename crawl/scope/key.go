package scope

import "strings"

// Key identifies a page: URLs with one key are one page, to be claimed once per crawl. It is itself a URL, whose key it is
// too, but not one to fetch. What is percent-encoded is in the normal form of RFC 3986: "%70age" is "page". Left out are
// credentials, an empty query, and the fragment unless it is a route ("#/", "#!/"); with IgnoreQueryParameters every query.
// With DeduplicateSimilarURLs, http and https, with and without "www.", a trailing slash, index.html, index.php are all one.
// "" for a text that is no http or https URL.
func (s *Scope) Key(rawURL string) string {
	a, err := readAddress(rawURL)
	if err != nil || !a.web() {
		return ""
	}
	return s.key(&a, s.options.DeduplicateSimilarURLs)
}

func (s *Scope) key(a *address, similar bool) string {
	scheme, host, port, path, query, fragment := a.scheme, a.host, a.port, normal(a.path), normal(a.query), ""
	if similar {
		scheme, host, path = "https", bare(host), folded(path)
		if port == ":443" {
			port = ""
		}
	}
	if s.options.IgnoreQueryParameters || query == "?" {
		query = ""
	}
	if a.route() {
		fragment = "#" + normal(a.fragment)
	}
	return scheme + "://" + host + port + path + query + fragment
}

// folded is a path without slashes and index files at its end; "/" is the least.
func folded(path string) string {
	for {
		short := strings.TrimRight(path, "/")
		short = strings.TrimSuffix(strings.TrimSuffix(short, "/index.html"), "/index.php")
		if short == "" {
			return "/"
		}
		if short == path {
			return path
		}
		path = short
	}
}
