package monitoring

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/formats"
)

// Bounds of a target.
const (
	maxURLs    = 1000
	maxQueries = 50
	maxResults = 100
	maxParts   = 50
)

// windows are how old results of a search may be, and the providers' word for it.
var windows = map[string]string{"": "", "5m": "qdr:h", "15m": "qdr:h", "1h": "qdr:h", "6h": "qdr:d", "24h": "qdr:d", "7d": "qdr:w"}

// Since is the date restriction of a search for results of a window.
func Since(window string) string { return windows[window] }

// checkTargets fills in type and id, and checks which fields are given.
func (s *Spec) checkTargets() error {
	for i := range s.Targets {
		t := &s.Targets[i]
		if t.Type == "" {
			t.Type = typeOf(t.Target)
		}
		if t.ID == "" {
			t.ID = uuid.NewString()
		}
		field := fmt.Sprintf("targets[%d].", i)
		if len(t.ID) > maxName || bytes.ContainsRune([]byte(t.ID), 0) || !utf8.ValidString(t.ID) ||
			slices.ContainsFunc(s.Targets[:i], func(o Target) bool { return o.ID == t.ID }) {
			return &option.Error{Field: field + "id", Value: t.ID, Want: fmt.Sprintf("1 to %d bytes that no other target has", maxName)}
		}
		if err := t.check(field); err != nil {
			return err
		}
	}
	return nil
}

func typeOf(t monitor.Target) string {
	switch {
	case len(t.Queries) > 0:
		return monitor.Search
	case t.URL != "":
		return monitor.Crawl
	}
	return monitor.Scrape
}

func (t *Target) check(field string) error {
	bad := func(name string, value any, want string) error {
		return &option.Error{Field: field + name, Value: value, Want: want}
	}
	search := t.Type == monitor.Search
	_, known := windows[t.Window]
	switch {
	case t.Type != monitor.Scrape && t.Type != monitor.Crawl && !search:
		return bad("type", t.Type, "scrape, crawl or search")
	case (t.Type == monitor.Scrape) != (len(t.URLs) > 0) || len(t.URLs) > maxURLs:
		return bad("urls", len(t.URLs), fmt.Sprintf("1 to %d URLs of a scrape, none of others", maxURLs))
	case (t.Type == monitor.Crawl) != (t.URL != ""):
		return bad("url", t.URL, "the seed of a crawl, none of others")
	case search != (len(t.Queries) > 0) || len(t.Queries) > maxQueries:
		return bad("queries", len(t.Queries), fmt.Sprintf("1 to %d queries of a search, none of others", maxQueries))
	case !known || !search && t.Window != "":
		return bad("searchWindow", t.Window, "5m, 15m, 1h, 6h, 24h or 7d, of a search")
	case t.MaxResults < 0 || t.MaxResults > maxResults || !search && t.MaxResults != 0:
		return bad("maxResults", t.MaxResults, fmt.Sprintf("1 to %d, or 0 for 10, of a search", maxResults))
	case !search && len(t.IncludeDomains)+len(t.ExcludeDomains) > 0:
		return bad("includeDomains", len(t.IncludeDomains), "none: domains narrow a search")
	case len(t.Watch.Parts) > maxParts:
		return bad("watch.parts", len(t.Watch.Parts), fmt.Sprintf("at most %d selectors", maxParts))
	case search && (len(t.Watch.Parts) > 0 || t.Watch.Picture):
		return bad("watch", "parts or picture", "none of a search: its pages aren't fetched")
	}
	return nil
}

// TargetOf is a target whose pages are wanted in some formats. Its URLs are a copy.
func TargetOf(t monitor.Target, asked []formats.Format) Target {
	t.URLs = slices.Clone(t.URLs)
	_, text, data := Formats(asked, t.Watch)
	return Target{Target: t, Text: text && typeOf(t) != monitor.Search, Data: data}
}

// Formats says in which formats the pages of a target are fetched, of those that are wanted, and whether text and data count. An asked
// changeTracking is what the monitor does itself: its mode json is data by its schema and prompt, git-diff the text.
func Formats(asked []formats.Format, w monitor.Watch) (list []formats.Format, text, data bool) {
	jsonOnly := false
	for _, f := range asked {
		switch f.Type {
		case formats.ChangeTracking:
			if slices.Contains(f.Modes, "json") {
				list = append(list, formats.Format{Type: formats.JSON, Schema: f.Schema, Prompt: f.Prompt})
				data, jsonOnly = true, !slices.Contains(f.Modes, "git-diff")
			}
			continue
		case formats.JSON, formats.DeterministicJSON:
			data = true
		case formats.Markdown:
			text = true
		}
		if f.Type != formats.Markdown {
			list = append(list, f)
		}
	}
	text = text && !jsonOnly || !data || !jsonOnly && hasTracking(asked)
	list = append([]formats.Format{{Type: formats.Markdown}}, list...)
	shot := func(f formats.Format) bool { return f.Type == formats.Screenshot }
	if w.Picture && !slices.ContainsFunc(list, shot) {
		list = append(list, formats.Format{Type: formats.Screenshot, FullPage: true})
	}
	return list, text, data
}

func hasTracking(asked []formats.Format) bool {
	return slices.ContainsFunc(asked, func(f formats.Format) bool { return f.Type == formats.ChangeTracking })
}
