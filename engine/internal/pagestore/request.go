package pagestore

import (
	"math"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
)

// Request says what the cache may do for a page that is wanted, and which stored versions serve.
type Request struct {
	Key  string // of all versions of the page that are fetched alike
	Name string // of the page, see weburl.Key

	Read     bool
	Write    bool
	Only     bool // nothing is fetched
	Lockdown bool // nothing leaves the process

	MinAge, MaxAge time.Duration

	Verified bool // only a page whose certificate was verified
	Shot     Shot
	WaitFor  time.Duration
	Mode     page.Mode
	Browser  bool // only a page from a browser
}

// Fresh reports that no stored page serves without its site.
func (r *Request) Fresh() bool { return !r.Read || r.MaxAge == noAge }

// Shot is the kind of screenshot that a page has or a request wants: a full page
// and a viewport don't stand in for each other.
type Shot string

const (
	NoShot       Shot = ""
	ViewportShot Shot = "viewport"
	FullShot     Shot = "full"
)

// Fits reports whether a stored page is what the request would fetch. What distinguishes keys is not checked again.
func (r *Request) Fits(m *Facts) bool {
	switch {
	case r.Verified && !m.Verified:
		return false
	case r.Shot != NoShot && r.Shot != m.Shot:
		return false
	case m.WaitFor < r.WaitFor:
		return false
	case r.Mode == page.ModeHTTP:
		return m.By == page.ByHTTP
	case r.Mode == page.ModeBrowser || r.Browser:
		return m.By == page.ByBrowser
	}
	// A page that scripts may add to is better than none.
	return m.By == page.ByBrowser || m.Static || r.Only
}

// maxErrors is how many errors in a row, newer than the last good page, are
// taken to be the page's present state.
const maxErrors = 3

// Choose gives the versions to serve from, best first: the newest good one, unless
// several newer ones are errors. Fewer errors and nothing else are served only
// where nothing may be fetched.
func (r *Request) Choose(fitting []Version, now time.Time) []Version {
	var errs, good []Version
	for _, c := range fitting {
		if age := r.age(c, now); age < r.MinAge || age > r.MaxAge {
			continue
		}
		switch {
		case c.good():
			good = append(good, c)
		case len(good) == 0:
			errs = append(errs, c)
		}
	}
	if len(errs) >= maxErrors || r.Only && len(good) == 0 {
		return errs
	}
	return good
}

// age of a version. One that seems to be of the future was stored while the clock was set wrong: it is as old as can be, except where
// nothing may be fetched.
func (r *Request) age(c Version, now time.Time) time.Duration {
	age := now.Sub(c.Stored)
	switch {
	case age >= -time.Minute:
		return max(age, 0)
	case r.Only:
		return max(r.MinAge, 0)
	}
	return math.MaxInt64
}

// Expired is the newest good version that is merely too old and that its site can
// vouch for, or may send again: one by plain HTTP, since the shell of a rendered page says nothing
// about what its scripts load.
func (r *Request) Expired(fitting []Version, now time.Time) *Version {
	if r.Only {
		return nil
	}
	for _, c := range fitting {
		if !c.good() {
			continue
		}
		if c.By == page.ByHTTP && r.age(c, now) > r.MaxAge {
			return &c
		}
		return nil
	}
	return nil
}
