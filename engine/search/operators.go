package search

import (
	"net/url"
	"strings"
)

// withOperators appends a query's restrictions to its words as site: and filetype: terms, which web
// search engines understand.
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

// keep reports whether a result satisfies the domains and categories, since search engines treat
// operators as hints. A URL does not always show a PDF, so that category is left to them.
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

// collect gathers results up to the query's limit, each URL once.
type collect struct {
	query Query
	list  []Result
	seen  map[string]bool
}

func newCollect(q Query) *collect { return &collect{query: q, seen: map[string]bool{}} }

// add appends a result that satisfies the query.
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
