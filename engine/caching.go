package engine

import (
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// private requests leave no trace: zero data retention, and lockdown, which the
// service treats alike.
func (p *plan) private() bool { return p.NoRetention || p.Caching.Lockdown }

// planCaching works out what the cache may do.
func (p *plan) planCaching(o ScrapeOptions) (err error) {
	p.NoRetention = o.ZeroDataRetention
	p.Caching, err = pagestore.Wish{
		URL: p.URL, Ages: pagestore.Ages{Most: o.MaxAge, Least: o.MinAge, Lockdown: o.Lockdown}, Revalidate: o.Revalidate,
		Write: isTrue(o.StoreInCache, true), Unkept: p.uncached(o), Current: p.Current(),
		Variant: pagestore.Variant{
			Country: countryOf(o.Location), Languages: p.Location.Languages, Mobile: p.Mobile, Ads: !p.BlockAds,
			Enhanced: p.Tier == string(ProxyStealth), ProxyURL: o.ProxyURL, Login: p.Login,
		},
	}.Plan()
	if err != nil {
		return ownOption(err)
	}
	c := &p.Caching
	c.Verified, c.Shot, c.WaitFor, c.Mode, c.Browser = !p.SkipTLS, p.Shot(), p.WaitFor, p.Mode, p.BrowserFor != ""
	p.Private, p.Rendering.Once = p.private(), p.private()
	return nil
}

// uncached names the option whose pages are never kept, "" for none: they may hold
// what is meant for the caller alone, or were made to the caller's measure.
func (p *plan) uncached(o ScrapeOptions) string {
	switch {
	case o.ZeroDataRetention && !o.Lockdown:
		return "zeroDataRetention"
	case len(o.Headers) > 0:
		return "headers"
	case len(o.Actions) > 0:
		return "actions"
	case o.Profile != nil:
		return "profile"
	case weburl.HasCredentials(p.URL):
		return "url (with credentials)"
	}
	if shot := p.Format(formats.Screenshot); shot != nil && (shot.Viewport != nil || shot.Quality != 0) {
		return "formats (screenshot with viewport or quality)"
	}
	return ""
}
