package decode

import (
	"time"

	"github.com/winnow-go/winnow/engine"
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
		"timeout":  Span(&r.Timeout, time.Second, 1, maxInteractSeconds),
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
		"ttl":           Span(&o.TTL, time.Second, 30, 3600),
		"activityTtl":   Span(&o.ActivityTTL, time.Second, 10, 3600),
		"streamWebView": Flag(show),
		"recordSession": unsupported,
		"profile":       Nested(&o.Profile, profileFields),
	}
}
