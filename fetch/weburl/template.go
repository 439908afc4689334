package weburl

import (
	"net/url"
	"slices"
	"strings"
)

// Bounds of a template.
const (
	maxTemplateParts = 20
	maxTemplateNames = 10
)

// Template returns what addresses of pages of one layout have in common: the host, and the path with
// the parts that distinguish pages collapsed: numbers, dates and ids, and a last part of several words; then
// the names of the query's parameters, sorted, without those that only record where a visitor comes
// from. https://shop.example/p/42/blue-vase.html?size=2 gives shop.example/p/{n}/{name}.html?size.
// It is a guess, "" for what is no web address. href is absolute and normalized.
func Template(href string) string {
	u, err := url.Parse(href)
	if err != nil || u.Host == "" {
		return ""
	}
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	parts = parts[:min(len(parts), maxTemplateParts)]
	for i, part := range parts {
		parts[i] = collapse(part, i > 0 && i == len(parts)-1)
	}
	out := strings.ToLower(u.Host) + "/" + strings.Join(parts, "/")
	if names := parameters(u.RawQuery); len(names) > 0 {
		out += "?" + strings.Join(names, "&")
	}
	return out
}

// collapse one part of a path. The extension of the last stays.
func collapse(part string, last bool) string {
	stem, ext := part, ""
	if i := strings.LastIndexByte(part, '.'); last && i > 0 && len(part)-i <= 6 && strings.Trim(part[i+1:], "0123456789") != "" {
		stem, ext = part[:i], part[i:]
	}
	switch {
	case strings.Trim(stem, "0123456789") == "" && stem != "":
		return "{n}" + ext
	case isDate(stem):
		return "{date}" + ext
	case isID(stem):
		return "{id}" + ext
	case last && strings.ContainsAny(stem, "-_%+"):
		return "{name}" + ext
	}
	return strings.ToLower(part)
}

func isDate(s string) bool {
	return len(s) >= 6 && len(s) <= 10 && strings.Trim(s, "0123456789-._") == ""
}

// isID reports parts that hold digits among letters, as numbers of articles and hashes do. A
// version such as "v2" isn't one.
func isID(s string) bool {
	if len(s) < 4 || strings.ContainsAny(s, "%") {
		return false
	}
	digits := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			digits++
		}
	}
	return digits > 0 && (!strings.ContainsAny(s, "-_") || digits*3 >= len(s))
}

// parameters are the names in a query.
func parameters(query string) []string {
	var names []string
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name = strings.ToLower(name)
		if name == "" || len(name) > 50 || isVisit(name) || slices.Contains(names, name) || len(names) == maxTemplateNames {
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isVisit reports parameters that record where a visitor comes from.
func isVisit(name string) bool {
	if strings.HasPrefix(name, "utm_") {
		return true
	}
	switch name {
	case "gclid", "fbclid", "msclkid", "dclid", "ref", "mc_cid", "mc_eid":
		return true
	}
	return false
}
