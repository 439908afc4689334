package engine

import (
	"slices"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// The service's prices, in credits.
const (
	pageCredits         = 1
	enhancedCredits     = 5 // in all, when the enhanced proxy got the page
	lockdownHitCredits  = 5
	lockdownMissCredits = 1
	retentionCredits    = 1 // on top, for zero data retention
	mediaCredits        = 4 // on top, for each of audio and video
	modelCredits        = 4 // on top, for each of json (of any kind), an answer and highlights
	mapCredits          = 1 // whatever it takes
	tenResultsCredits   = 2 // of a search, for each ten begun
	pdfPageCredits      = 1 // for each page read; the first is in the price of the scrape
)

// credits is what a scrape costs, by what was done. A page from the cache costs what
// it costs from its site; a scrape that failed costs nothing, but for a miss under lockdown.
func (s *scrape) credits(err error) int {
	switch lockdown := s.plan.caching.Lockdown; {
	case err != nil && CodeOf(err) == CodeLockdownMiss:
		return lockdownMissCredits
	case err != nil:
		return 0
	case lockdown:
		return lockdownHitCredits
	}
	n := pageCredits
	if s.tier == ProxyStealth {
		n = enhancedCredits
	}
	for _, t := range []formats.Type{formats.Audio, formats.Video} {
		if s.plan.Wants(t) {
			n += mediaCredits
		}
	}
	n += s.modelCredits()
	n += max(0, s.pdfPages()-1) * pdfPageCredits
	if s.plan.noRetention {
		n += retentionCredits
	}
	return n
}

// Price is the most that a scrape with these options costs, in credits. Not in it are the pages of a PDF after its first one, and
// the enhanced proxy where ProxyAuto falls back to it.
func (o ScrapeOptions) Price() int {
	if o.Lockdown {
		return lockdownHitCredits
	}
	n := pageCredits
	if o.Proxy == ProxyEnhanced || o.Proxy == ProxyStealth {
		n = enhancedCredits
	}
	if o.ZeroDataRetention {
		n += retentionCredits
	}
	extras := map[string]int{} // each is paid once, however often it is asked for
	for _, f := range o.Formats {
		switch f.Type {
		case formats.Audio, formats.Video:
			extras[string(f.Type)] = mediaCredits
		case formats.Question, formats.Query:
			extras["answer"] = modelCredits
		case formats.Highlights:
			extras["highlights"] = modelCredits
		case formats.JSON, formats.DeterministicJSON:
			extras["json"] = modelCredits
		case formats.ChangeTracking:
			if slices.Contains(f.Modes, "json") {
				extras["json"] = modelCredits
			}
		}
	}
	for _, extra := range extras {
		n += extra
	}
	return n
}

// modelCredits are for what a model has answered.
func (s *scrape) modelCredits() (n int) {
	told := s.answers()
	for _, given := range []bool{told.Json != nil || told.Fields != nil, told.Answer != "", told.Highlights != ""} {
		if given {
			n += modelCredits
		}
	}
	return n
}

// pdfPages is how many pages of a PDF were read. One that is given as base64 has a flat price.
func (s *scrape) pdfPages() int {
	if s.output == nil || s.output.FileKind != document.PDF {
		return 0
	}
	return s.output.NumPages
}

// searchCredits is what results cost, of all sources together.
func searchCredits(results int) int { return (results + 9) / 10 * tenResultsCredits }
