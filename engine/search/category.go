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
	// GitHub: pages on github.com.
	GitHub Category = "github"
	// Research: pages on the sites of scientific publishers and archives.
	Research Category = "research"
	// PDF: PDF files.
	PDF Category = "pdf"
	// Developer: code, documentation and questions of programmers. It cannot be combined with others.
	Developer Category = "developer"
)

// AllCategories has every category.
var AllCategories = []Category{GitHub, Research, PDF, Developer}

// aliases are other names of Developer.
var aliases = []string{"repo", "repos", "code", "docs"}

// ParseCategory returns the category of a name, in any case, and whether there is one; "repo", "repos", "code"
// and "docs" are Developer.
func ParseCategory(name string) (Category, bool) {
	c := Category(strings.ToLower(strings.TrimSpace(name)))
	if slices.Contains(aliases, string(c)) {
		c = Developer
	}
	return c, slices.Contains(AllCategories, c)
}

// Domains returns the domains whose pages are in the category, subdomains included; nil if a category does not
// depend on the domain.
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

// Holds reports whether a URL is in the category, judged by the URL alone.
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

// UnderAny reports whether a host is one of the domains or a subdomain of one.
func UnderAny(host string, domains []string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return slices.ContainsFunc(domains, func(d string) bool { return host == d || strings.HasSuffix(host, "."+d) })
}

// FirstOf returns the first of the categories that a URL is in; empty for none.
func FirstOf(categories []Category, href string) Category {
	for _, c := range categories {
		if c.Holds(href) {
			return c
		}
	}
	return ""
}
