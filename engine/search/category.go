package search

import (
	"net/url"
	"slices"
	"strings"
)

// Category is a kind of result.
type Category string

// The categories of the service.
const (
	// GitHub: what is on github.com.
	GitHub Category = "github"
	// Research: what is on the sites of publishers and archives of science.
	Research Category = "research"
	// PDF: files of this type.
	PDF Category = "pdf"
	// Developer: code, documentation and questions of programmers. It stands alone.
	Developer Category = "developer"
)

// AllCategories are all that there are.
var AllCategories = []Category{GitHub, Research, PDF, Developer}

// aliases are other names of the service's for Developer.
var aliases = []string{"repo", "repos", "code", "docs"}

// ParseCategory reads a name, in any case; "repo", "code" and "docs" are developer.
func ParseCategory(name string) (Category, bool) {
	c := Category(strings.ToLower(strings.TrimSpace(name)))
	if slices.Contains(aliases, string(c)) {
		c = Developer
	}
	return c, slices.Contains(AllCategories, c)
}

// Domains are those whose pages are in the category, subdomains included; nil where domains don't tell.
func (c Category) Domains() []string {
	switch c {
	case GitHub:
		return []string{"github.com"}
	case Research:
		return []string{
			"arxiv.org", "biorxiv.org", "medrxiv.org", "ncbi.nlm.nih.gov", "europepmc.org", "doi.org", "nature.com",
			"science.org", "sciencedirect.com", "springer.com", "wiley.com", "ieee.org", "acm.org", "plos.org",
		}
	case Developer:
		return []string{
			"github.com", "gitlab.com", "stackoverflow.com", "developer.mozilla.org", "go.dev", "docs.rs", "readthedocs.io",
			"docs.python.org", "pypi.org", "npmjs.com", "learn.microsoft.com", "man7.org",
		}
	}
	return nil
}

// Holds reports whether a URL is in the category, as far as the URL shows.
func (c Category) Holds(href string) bool {
	u, err := url.Parse(href)
	if err != nil {
		return false
	}
	if c == PDF {
		path := strings.ToLower(u.Path)
		return strings.HasSuffix(path, ".pdf") || strings.Contains(path, "/pdf/")
	}
	return UnderAny(u.Hostname(), c.Domains())
}

// UnderAny reports whether a host is one of the domains or below one.
func UnderAny(host string, domains []string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return slices.ContainsFunc(domains, func(d string) bool { return host == d || strings.HasSuffix(host, "."+d) })
}

// FirstOf is the first of the categories that a URL is in; empty for none.
func FirstOf(categories []Category, href string) Category {
	for _, c := range categories {
		if c.Holds(href) {
			return c
		}
	}
	return ""
}
