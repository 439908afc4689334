package engine

import (
	"slices"

	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/scraping"
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

// credits is what a scrape costs for what was done. A page from the cache costs what
// it costs from its site; a scrape that failed costs nothing, but for a miss under lockdown.
func (p *plan) credits(r *scraping.Result, err error) int {
	switch lockdown := p.Caching.Lockdown; {
	case err != nil && CodeOf(err) == CodeLockdownMiss:
		return lockdownMissCredits
	case err != nil:
		return 0
	case lockdown:
		return lockdownHitCredits
	}
	n := pageCredits
	if r.Tier == string(ProxyStealth) {
		n = enhancedCredits
	}
	for _, t := range []formats.Type{formats.Audio, formats.Video} {
		if p.Wants(t) {
			n += mediaCredits
		}
	}
	n += answerCredits(r.Answers())
	n += max(0, pdfPages(r.Output)-1) * pdfPageCredits
	if p.NoRetention {
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

// answerCredits are for what a model has answered.
func answerCredits(a enrich.Answers) (n int) {
	for _, given := range []bool{a.Json != nil || a.Fields != nil, a.Answer != "", a.Highlights != ""} {
		if given {
			n += modelCredits
		}
	}
	return n
}

// pdfPages is how many pages of a PDF were read. One that is given as base64 has a flat price.
func pdfPages(out *render.Output) int {
	if out == nil || out.FileKind != document.PDF {
		return 0
	}
	return out.NumPages
}

// searchCredits is what results cost, of all sources together.
func searchCredits(results int) int { return (results + 9) / 10 * tenResultsCredits }
