package search

import (
	"net/url"
	"strings"
)

// withOperators adds to the words of a query what narrows it: site: and filetype: terms, as the
// search engines of the web read them.
func withOperators(q Query) string {
	parts := []string{q.Text}
	var kinds []string
	for _, c := range q.Categories {
		if c == PDF {
			kinds = append(kinds, "filetype:pdf")
		}
		kinds = append(kinds, sites(c.Domains())...)
	}
	for _, group := range [][]string{kinds, sites(q.IncludeDomains)} {
		if len(group) == 1 {
			parts = append(parts, group[0])
		} else if len(group) > 1 {
			parts = append(parts, "("+strings.Join(group, " OR ")+")")
		}
	}
	for _, d := range q.ExcludeDomains {
		parts = append(parts, "-site:"+d)
	}
	return strings.Join(parts, " ")
}

func sites(domains []string) []string {
	terms := make([]string, len(domains))
	for i, d := range domains {
		terms[i] = "site:" + d
	}
	return terms
}

// keep reports whether a result obeys the domains and categories: search engines take operators
// for advice. A PDF can't always be told by its URL, so that category is left to them.
func (q Query) keep(href string) bool {
	u, err := url.Parse(href)
	if err != nil {
		return false
	}
	host := u.Hostname()
	switch {
	case len(q.IncludeDomains) > 0 && !UnderAny(host, q.IncludeDomains), UnderAny(host, q.ExcludeDomains):
		return false
	case len(q.Categories) == 0:
		return true
	}
	for _, c := range q.Categories {
		if c == PDF || c.Holds(href) {
			return true
		}
	}
	return false
}

// collect takes results until there are enough, each URL once.
type collect struct {
	query Query
	list  []Result
	seen  map[string]bool
}

func newCollect(q Query) *collect { return &collect{query: q, seen: map[string]bool{}} }

// add takes what obeys the query.
func (c *collect) add(r Result) {
	key := r.URL
	if c.query.Source == Images {
		key += "\x00" + r.ImageURL
	}
	if r.URL == "" || c.seen[key] || c.full() || !c.query.keep(r.URL) {
		return
	}
	c.seen[key] = true
	if r.Category = FirstOf(c.query.Categories, r.URL); r.Category == "" && len(c.query.Categories) == 1 {
		r.Category = c.query.Categories[0]
	}
	c.list = append(c.list, r)
}

func (c *collect) full() bool { return len(c.list) >= c.query.Limit }
