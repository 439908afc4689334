package search

import (
	"fmt"
	"slices"
	"strings"
)

// Capabilities are what a provider supports. The zero value is web search by words alone.
type Capabilities struct {
	// Sources that can be searched. Empty: Web.
	Sources []Source
	// Categories that results can be restricted to.
	Categories []Category
	// Domains: IncludeDomains and ExcludeDomains are supported.
	Domains bool
	// Past are the periods (the letters of qdr) that results can be restricted to. Range: dates
	// are supported. ByDate: the newest can come first.
	Past   []Period
	Range  bool
	ByDate bool

	Filter, Language, Country, Location, Safe bool
}

// Has reports whether a source can be searched.
func (c Capabilities) Has(s Source) bool {
	if len(c.Sources) == 0 {
		return s == Web
	}
	return slices.Contains(c.Sources, s)
}

// Check returns an [*OptionError] for the first part of the query that these capabilities do not
// cover, nil if they cover all. provider is the name in the message. The query must have its defaults,
// see [Query.WithDefaults].
func (c Capabilities) Check(provider string, q Query) error {
	if err := q.validate(); err != nil {
		return err
	}
	for _, row := range []struct {
		field  string
		value  any
		refuse bool
		want   string
	}{
		{"sources", q.Source, !c.Has(q.Source), c.sources()},
		{"categories", q.Categories, !c.hasAll(q.Categories), listOf("none", c.Categories)},
		{"includeDomains", q.IncludeDomains, len(q.IncludeDomains) > 0 && !c.Domains, "none"},
		{"excludeDomains", q.ExcludeDomains, len(q.ExcludeDomains) > 0 && !c.Domains, "none"},
		{"tbs", q.Span.String(), !c.spans(q.Span), c.wantSpan()},
		{"filter", q.Filter, q.Filter != "" && !c.Filter, "unset"},
		{"lang", q.Language, q.Language != "" && !c.Language, "unset"},
		{"country", q.Country, q.Country != "" && !c.Country, "unset"},
		{"location", q.Location, q.Location != "" && !c.Location, "unset"},
		{"safe", q.Safe, q.Safe != "" && !c.Safe, "unset"},
	} {
		if row.refuse {
			return &OptionError{Field: row.field, Value: row.value, Want: fmt.Sprintf("%s: %s supports nothing else", row.want, provider)}
		}
	}
	return nil
}

func (c Capabilities) sources() string {
	if len(c.Sources) == 0 {
		return string(Web)
	}
	return listOf("", c.Sources)
}

func (c Capabilities) hasAll(categories []Category) bool {
	return !slices.ContainsFunc(categories, func(k Category) bool { return !slices.Contains(c.Categories, k) })
}

// spans reports whether a span is supported.
func (c Capabilities) spans(s Span) bool {
	switch {
	case s.Past != "" && !slices.Contains(c.Past, s.Past):
		return false
	case (!s.From.IsZero() || !s.To.IsZero()) && !c.Range:
		return false
	}
	return !s.ByDate || c.ByDate
}

func (c Capabilities) wantSpan() string {
	var parts []string
	for _, p := range c.Past {
		parts = append(parts, "qdr:"+string(p))
	}
	if c.Range {
		parts = append(parts, "cdr:1,cd_min:…,cd_max:…")
	}
	if c.ByDate {
		parts = append(parts, "sbd:1")
	}
	return listOf("unset", parts)
}

func listOf[T ~string](none string, list []T) string {
	if len(list) == 0 {
		return none
	}
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, " or ")
}
