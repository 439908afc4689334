package engine

import (
	"github.com/winnow-go/winnow/engine/internal/prices"
	"github.com/winnow-go/winnow/engine/internal/scraping"
)

// credits is what a scrape costs for what was done. One that failed costs nothing, but for a miss under lockdown.
func (p *plan) credits(r *scraping.Result, err error) int {
	switch {
	case err == nil:
		return prices.Scrape(&p.Request, r, r.Tier == string(ProxyStealth))
	case CodeOf(err) == CodeLockdownMiss:
		return prices.LockdownMiss
	}
	return 0
}

// Price is the most that a scrape with these options costs, in credits. Not in it are the pages of a PDF after its first one, and
// the enhanced proxy where ProxyAuto falls back to it.
func (o ScrapeOptions) Price() int {
	enhanced := o.Proxy == ProxyEnhanced || o.Proxy == ProxyStealth
	return prices.Most(prices.Asked{Formats: o.Formats, Lockdown: o.Lockdown, Enhanced: enhanced, NoRetention: o.ZeroDataRetention})
}
