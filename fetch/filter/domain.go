package filter

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// domainList holds the pages that a rule applies to. The zero value applies to all.
type domainList struct {
	entries []domainEntry // sorted by name
	named   bool          // at least one entry is not negated
}

type domainEntry struct {
	name string // a host, or "name.*" for any public suffix
	not  bool
}

// parseDomains reads a list of hosts, "~" before one negates it. An entry that
// invalid makes the whole list invalid: without it the rule would apply to other
// pages than its author meant.
func parseDomains(text, separator string) (domainList, Reason) {
	var d domainList
	for part := range strings.SplitSeq(text, separator) {
		name, not := strings.CutPrefix(strings.TrimSpace(part), "~")
		name = lowerASCII(name)
		if !isASCII(name) {
			return d, International
		}
		if !isHostName(strings.TrimSuffix(name, ".*")) {
			return d, Malformed
		}
		d.entries = append(d.entries, domainEntry{name, not})
		d.named = d.named || !not
	}
	slices.SortStableFunc(d.entries, func(a, b domainEntry) int { return cmp.Compare(a.name, b.name) })
	return d, ""
}

// includes reports whether the rule is for a page; names are the page's, the longest
// first, and the first one that is found decides.
func (d domainList) includes(names []string) bool {
	if len(d.entries) == 0 {
		return true
	}
	for _, name := range names {
		i, found := slices.BinarySearchFunc(d.entries, name, func(e domainEntry, n string) int { return cmp.Compare(e.name, n) })
		if found {
			return !d.entries[i].not
		}
	}
	return !d.named
}

// hasEntity reports whether an entry is a "name.*".
func (d domainList) hasEntity() bool {
	return slices.ContainsFunc(d.entries, func(e domainEntry) bool { return strings.HasSuffix(e.name, ".*") })
}

// pageNames returns all names by which rules may refer to a page: its host and each
// parent, with entities also those with ".*" for the public suffix.
func pageNames(host string, entities bool) []string {
	if host == "" {
		return nil
	}
	base := 0
	if entities && !isAddress(host) {
		suffix, _ := publicsuffix.PublicSuffix(host)
		base = len(host) - len(suffix)
	}
	var names []string
	for at := 0; at < len(host); {
		names = append(names, host[at:])
		if at < base {
			names = append(names, host[at:base]+"*")
		}
		dot := strings.IndexByte(host[at:], '.')
		if dot < 0 {
			break
		}
		at += dot + 1
	}
	return names
}
