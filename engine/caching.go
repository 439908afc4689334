package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats"
)

// Ages of the service. A cached page has no upper age under minAge alone.
const (
	defaultMaxAge  = 48 * time.Hour
	lockdownMaxAge = 2 * 365 * 24 * time.Hour
	anyAge         = time.Duration(math.MaxInt64)
	leastMinAge    = time.Millisecond // "1 accepts any cached data"
)

// caching is what a request allows the cache to do.
type caching struct {
	key  string // of all versions of the page that are fetched alike
	name string // pageKey of the URL

	read     bool
	write    bool
	only     bool // nothing is fetched
	lockdown bool // nothing leaves the process

	minAge, maxAge time.Duration
}

// private requests leave no trace: zero data retention, and lockdown, which the
// service treats alike.
func (p *plan) private() bool { return p.noRetention || p.caching.lockdown }

// planCaching works out what the cache may do, and refuses what contradicts
// itself: a request that must be served from the cache with an option that no
// cached page can honour.
func (p *plan) planCaching(o ScrapeOptions) error {
	if err := checkAges(o); err != nil {
		return err
	}
	p.noRetention = o.ZeroDataRetention
	c := caching{
		name:     pageKey(p.url),
		only:     o.Lockdown || o.MinAge != nil,
		lockdown: o.Lockdown,
		maxAge:   maxAge(o),
	}
	if o.MinAge != nil && *o.MinAge > leastMinAge {
		c.minAge = *o.MinAge
	}
	c.key = c.name + keyEnd + p.variant(o)
	bypass := p.uncached(o)
	if bypass == "" {
		bypass = p.unreadable()
	}
	if c.only && bypass != "" {
		return &OptionError{Field: bypass, Value: "set", Want: "unset with " + onlyBecause(o) + ", which serves from the cache"}
	}
	c.read = bypass == "" && c.maxAge > 0
	c.write = p.uncached(o) == "" && isTrue(o.StoreInCache, true) && !c.only
	p.caching = c
	return nil
}

func onlyBecause(o ScrapeOptions) string {
	if o.Lockdown {
		return "lockdown"
	}
	return "minAge"
}

func maxAge(o ScrapeOptions) time.Duration {
	switch {
	case o.MaxAge != nil:
		return *o.MaxAge
	case o.Lockdown:
		return lockdownMaxAge
	case o.MinAge != nil:
		return anyAge
	}
	return defaultMaxAge
}

func checkAges(o ScrapeOptions) error {
	switch {
	case o.MaxAge != nil && *o.MaxAge < 0:
		return &OptionError{Field: "maxAge", Value: *o.MaxAge, Want: "0 (always fresh) or more"}
	case o.MinAge != nil && *o.MinAge < 0:
		return &OptionError{Field: "minAge", Value: *o.MinAge, Want: "0 or more"}
	case o.MaxAge == nil:
		return nil
	case o.MinAge != nil && *o.MaxAge < *o.MinAge:
		return &OptionError{Field: "maxAge", Value: *o.MaxAge, Want: fmt.Sprintf("at least the minAge, %s", *o.MinAge)}
	case (o.Lockdown || o.MinAge != nil) && *o.MaxAge == 0:
		return &OptionError{Field: "maxAge", Value: *o.MaxAge, Want: "more than 0 with " + onlyBecause(o) + ", which serves from the cache"}
	}
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
	case hasCredentials(p.url):
		return "url (with credentials)"
	}
	if shot := p.format(formats.Screenshot); shot != nil && (shot.Viewport != nil || shot.Quality != 0) {
		return "formats (screenshot with viewport or quality)"
	}
	return ""
}

// unreadable names the format that wants the page as it is now.
func (p *plan) unreadable() string {
	switch {
	case p.wants(formats.ChangeTracking):
		return "formats (changeTracking)"
	case p.wants(formats.Branding):
		return "formats (branding)"
	}
	return ""
}

func hasCredentials(href string) bool {
	place, _, _ := splitURL(href) // net/url would refuse some of what parseTarget accepts
	authority, _, _ := strings.Cut(place, "/")
	return strings.Contains(authority, "@")
}

// variant tells apart requests that a site may answer differently.
func (p *plan) variant(o ScrapeOptions) string {
	parts := []string{"country=" + countryOf(o.Location), "languages=" + strings.Join(p.location.languages, ",")}
	if p.mobile {
		parts = append(parts, "mobile")
	}
	if !p.blockAds {
		parts = append(parts, "ads")
	}
	if p.proxies.tier == ProxyStealth {
		parts = append(parts, "enhanced")
	}
	if o.ProxyURL != "" { // its password stays out of the file
		sum := sha256.Sum256([]byte(o.ProxyURL))
		parts = append(parts, "proxy="+hex.EncodeToString(sum[:8]))
	}
	return strings.Join(parts, ";")
}

// shotKind is the kind of screenshot that a page has or a request wants: a full page
// and a viewport don't stand in for each other.
type shotKind string

const (
	noShot       shotKind = ""
	viewportShot shotKind = "viewport"
	fullShot     shotKind = "full"
)

func (p *plan) shot() shotKind {
	switch f := p.format(formats.Screenshot); {
	case f == nil:
		return noShot
	case f.FullPage:
		return fullShot
	}
	return viewportShot
}

// flight is what scrapes have in common that may share one acquisition.
func (p *plan) flight() string {
	return fmt.Sprintf("%s;%s;%s;%t;%t;%t;%s;%s", p.caching.key, p.shot(), p.render, p.browserFor != "", p.skipTLS, p.caching.write, p.waitFor, p.robotsAgent)
}
