package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// private requests leave no trace: zero data retention, and lockdown, which the
// service treats alike.
func (p *plan) private() bool { return p.NoRetention || p.Caching.Lockdown }

// planCaching works out what the cache may do, and refuses what contradicts
// itself: a request that must be served from the cache with an option that no
// cached page can honour.
func (p *plan) planCaching(o ScrapeOptions) error {
	ages := pagestore.Ages{Most: o.MaxAge, Least: o.MinAge, Lockdown: o.Lockdown}
	if err := ages.Check(); err != nil {
		return ownOption(err)
	}
	p.NoRetention = o.ZeroDataRetention
	c := pagestore.Request{
		Name:     weburl.Key(p.URL),
		Only:     ages.Only(),
		Lockdown: o.Lockdown,
		MaxAge:   ages.Max(),
		MinAge:   ages.Min(),

		Verified: !p.SkipTLS,
		Shot:     p.shot(),
		WaitFor:  p.WaitFor,
		Mode:     p.Mode,
		Browser:  p.BrowserFor != "",
	}
	c.Key = c.Name + weburl.KeyEnd + p.variant(o)
	bypass := p.uncached(o)
	if bypass == "" {
		bypass = p.unreadable()
	}
	if c.Only && bypass != "" {
		return &OptionError{Field: bypass, Value: "set", Want: "unset with " + ages.OnlyBecause() + ", which serves from the cache"}
	}
	c.Read = bypass == "" && c.MaxAge > 0
	c.Write = p.uncached(o) == "" && isTrue(o.StoreInCache, true) && !c.Only
	p.Caching = c
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

// unreadable names the format that wants the page as it is now.
func (p *plan) unreadable() string {
	switch {
	case p.Wants(formats.ChangeTracking):
		return "formats (changeTracking)"
	case p.Wants(formats.Branding):
		return "formats (branding)"
	}
	return ""
}

// variant distinguishes requests that a site may answer differently.
func (p *plan) variant(o ScrapeOptions) string {
	parts := []string{"country=" + countryOf(o.Location), "languages=" + strings.Join(p.Location.Languages, ",")}
	if p.Mobile {
		parts = append(parts, "mobile")
	}
	if !p.BlockAds {
		parts = append(parts, "ads")
	}
	if p.Tier == string(ProxyStealth) {
		parts = append(parts, "enhanced")
	}
	if o.ProxyURL != "" { // its password stays out of the file
		sum := sha256.Sum256([]byte(o.ProxyURL))
		parts = append(parts, "proxy="+hex.EncodeToString(sum[:8]))
	}
	return strings.Join(parts, ";")
}

// shot is the requested kind of screenshot.
func (p *plan) shot() pagestore.Shot {
	switch f := p.Format(formats.Screenshot); {
	case f == nil:
		return pagestore.NoShot
	case f.FullPage:
		return pagestore.FullShot
	}
	return pagestore.ViewportShot
}
