package scope

import (
	"fmt"
	"strings"
)

// Options of a scope. Every bool is used as it is: the caller fills in defaults that are true.
type Options struct {
	// Seed is where the crawl starts, an absolute http or https URL. Required.
	Seed string

	// IncludePaths: only URLs that one of these matches are crawled. None: all. ExcludePaths: URLs that one of these matches
	// aren't; they go first. Go regular expressions, unanchored, on the path without query, or on the full
	// URL with RegexOnFullURL. Where a URL has percent-encoded letters a pattern may match them encoded or as they read.
	// At most 1000 patterns in both together, 2000 characters each, 100 000 characters in all.
	IncludePaths, ExcludePaths []string
	RegexOnFullURL             bool

	// MaxDepth is how many segments more than the seed's a path may have: with 1 and the seed /docs, /docs/a but not /docs/a/b.
	// Other hosts and siblings of the seed are counted alike. index.html and index.php don't count. nil: no bound.
	MaxDepth *int
	// MaxDiscoveryDepth is how many links away from the seed or a sitemap page a URL may be. nil: no bound.
	MaxDiscoveryDepth *int

	// CrawlEntireDomain admits the whole of the seed's host. Else only the seed's path and what is below it: the directory
	// if its last segment has an extension, the prefix if it ends in a slash.
	CrawlEntireDomain bool
	// AllowSubdomains admits hosts of the seed's registrable domain by the public suffix list. IncludePaths hold for
	// them, the seed's path doesn't.
	AllowSubdomains bool
	// AllowExternalLinks admits links of the crawled site to others: one hop, no home pages, no social media.
	AllowExternalLinks bool

	// IgnoreQueryParameters makes URLs that differ in their query one page.
	IgnoreQueryParameters bool
	// DeduplicateSimilarURLs makes one page of http and https, with and without "www.", a trailing slash,
	// index.html, index.php.
	DeduplicateSimilarURLs bool
}

// OptionError is an invalid option, with the valid range.
type OptionError struct {
	Field string // the JSON path: "includePaths[3]"; the seed is "url"
	Value any    // the value that was given
	Want  string // the valid values
	Err   error  // the cause, or nil
}

// Error names field, value and valid values. Long values are shortened.
func (e *OptionError) Error() string {
	const limit = 80
	value := fmt.Sprint(e.Value)
	if len(value) > limit {
		value = strings.ToValidUTF8(value[:limit], "") + "…"
	}
	text := fmt.Sprintf("%s %q: want %s", e.Field, value, e.Want)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *OptionError) Unwrap() error { return e.Err }

func (o *Options) validate() (include, exclude patterns, err error) {
	if err := notNegative("maxDepth", o.MaxDepth); err != nil {
		return nil, nil, err
	}
	if err := notNegative("maxDiscoveryDepth", o.MaxDiscoveryDepth); err != nil {
		return nil, nil, err
	}
	var c compiler
	if include, err = c.compile("includePaths", o.IncludePaths); err != nil {
		return nil, nil, err
	}
	exclude, err = c.compile("excludePaths", o.ExcludePaths)
	return include, exclude, err
}

func notNegative(field string, value *int) error {
	if value != nil && *value < 0 {
		return &OptionError{Field: field, Value: *value, Want: "0 or more"}
	}
	return nil
}
