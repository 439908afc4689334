// Package prices says what work costs, in the service's credits.
package prices

import (
	"slices"

	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// The prices of the service.
const (
	Page         = 1 // of one page
	LockdownMiss = 1 // a page that is in no store, under lockdown
	Map          = 1 // whatever it takes
	Model        = 4 // on top, for each of json (of any kind), an answer and highlights

	enhanced    = 5 // in all, when the enhanced proxy got the page
	lockdownHit = 5
	retention   = 1 // on top, for zero data retention
	media       = 4 // on top, for each of audio and video
	tenResults  = 2 // of a search, for each ten begun
	pdfPage     = 1 // for each page read; the first is in the price of the scrape
)

// Scrape is what a scrape costs that gave a page: from the cache as much as from its site.
func Scrape(r *scraping.Request, got *scraping.Result, byEnhanced bool) int {
	if r.Caching.Lockdown {
		return lockdownHit
	}
	n := Page
	if byEnhanced {
		n = enhanced
	}
	for _, t := range []formats.Type{formats.Audio, formats.Video} {
		if r.Wants(t) {
			n += media
		}
	}
	n += answers(got.Answers())
	n += max(0, pdfPages(got.Output)-1) * pdfPage
	if r.NoRetention {
		n += retention
	}
	return n
}

// Asked is what the price of a scrape depends on before it is made.
type Asked struct {
	Formats                         []formats.Format
	Lockdown, Enhanced, NoRetention bool
}

// Most is the most that such a scrape costs. Not in it are the pages of a PDF after its first one, and a fallback to the enhanced proxy.
func Most(a Asked) int {
	if a.Lockdown {
		return lockdownHit
	}
	n := Page
	if a.Enhanced {
		n = enhanced
	}
	if a.NoRetention {
		n += retention
	}
	extras := map[string]int{} // each is paid once, however often it is asked for
	for _, f := range a.Formats {
		if name, price := extra(f); price > 0 {
			extras[name] = price
		}
	}
	for _, price := range extras {
		n += price
	}
	return n
}

// extra names what is paid for a format on top, 0 for most.
func extra(f formats.Format) (name string, price int) {
	switch f.Type {
	case formats.Audio, formats.Video:
		return string(f.Type), media
	case formats.Question, formats.Query:
		return "answer", Model
	case formats.Highlights:
		return "highlights", Model
	case formats.JSON, formats.DeterministicJSON:
		return "json", Model
	case formats.ChangeTracking:
		if slices.Contains(f.Modes, "json") {
			return "json", Model
		}
	}
	return "", 0
}

// answers are for what a model has answered.
func answers(a enrich.Answers) (n int) {
	for _, given := range []bool{a.Json != nil || a.Fields != nil, a.Answer != "", a.Highlights != ""} {
		if given {
			n += Model
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

// Search is what results cost, of all sources together.
func Search(results int) int { return (results + 9) / 10 * tenResults }
