package decode

import (
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// Limits of the service for interacting.
const (
	maxCode            = 100_000
	maxTask            = 10_000
	maxInteractSeconds = 300 // seconds
)

// CodeFields are those of code that is run in a session.
func CodeFields(r *engine.InteractRequest) Fields {
	return Fields{
		"code":     Text(&r.Code, 1, maxCode),
		"language": Word(&r.Language, "node", "python", "bash"),
		"timeout":  span(&r.Timeout, time.Second, 1, maxInteractSeconds),
	}
}

// InteractFields are those of code or a prompt on the page of a scrape.
func InteractFields(r *engine.InteractRequest) Fields {
	f := CodeFields(r)
	f["prompt"] = Text(&r.Prompt, 1, maxTask)
	f["existingSessionId"], f["ttl"], f["activityTtl"] = unsupported, unsupported, unsupported
	return f
}

// SessionFields are those of a session that is to be started.
func SessionFields(o *engine.SessionOptions, show *bool) Fields {
	return Fields{
		"ttl":           span(&o.TTL, time.Second, 30, 3600),
		"activityTtl":   span(&o.ActivityTTL, time.Second, 10, 3600),
		"streamWebView": Flag(show),
		"recordSession": unsupported,
		"profile":       nested(&o.Profile, profileFields),
	}
}

// SessionPageFields are options of a session that HTTP hasn't.
func SessionPageFields(o *engine.SessionOptions) Fields {
	return Fields{
		"mobile":              Flag(&o.Mobile),
		"location":            nested(&o.Location, locationFields),
		"proxy":               Word(&o.Proxy, engine.ProxyAuto, engine.ProxyBasic, engine.ProxyEnhanced, engine.ProxyStealth),
		"blockAds":            flagOr(&o.BlockAds),
		"skipTlsVerification": Flag(&o.SkipTLSVerification),
		"viewport": nested(&o.Viewport, func(v *formats.Viewport) Fields {
			return Fields{"width": Whole(&v.Width, 1, 7680), "height": Whole(&v.Height, 1, 4320)}
		}),
	}
}
