package scraping

import (
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/formats"
)

// NeedsBrowser names the first option that plain HTTP can't honour. located says that a location was asked for.
func (r *Request) NeedsBrowser(located bool) string {
	switch {
	case len(r.Actions) > 0:
		return "actions"
	case r.Profile != nil:
		return "profile"
	case r.Wants(formats.Screenshot):
		return "screenshot"
	case r.Wants(formats.Branding):
		return "branding"
	case r.WaitFor > 0:
		return "waitFor"
	case r.Mobile:
		return "mobile"
	case located:
		return "location"
	}
	return ""
}

// Current names the format that only the page as it is now can have.
func (r *Request) Current() string {
	switch {
	case r.Wants(formats.ChangeTracking):
		return "formats (changeTracking)"
	case r.Wants(formats.Branding):
		return "formats (branding)"
	}
	return ""
}

// Shot is which screenshot a stored page must have.
func (r *Request) Shot() pagestore.Shot {
	switch f := r.Format(formats.Screenshot); {
	case f == nil:
		return pagestore.NoShot
	case f.FullPage:
		return pagestore.FullShot
	}
	return pagestore.ViewportShot
}
