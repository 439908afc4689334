package jobs

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"
)

// SignatureHeader carries "sha256=" and the HMAC-SHA256 of the body in hex, where the
// webhook has a secret.
const SignatureHeader = "X-Winnow-Signature"

// Bounds of a webhook. Texts are in bytes.
const (
	maxHookHeaders = 100
	maxHookText    = 64 << 10 // of all headers, and of all metadata
	maxHookSecret  = 1 << 10
	maxHookEvents  = 16
)

// webhookEvents are the events that are sent to webhooks of some kind of job.
var webhookEvents = [...]string{
	EventStarted, EventPage, EventCorrected, EventChange, EventAction, EventCompleted, EventFailed, EventCancelled, EventChecked,
}

// carries reports whether webhooks of a kind of job receive a type of event.
func carries(kind, typ string) bool {
	if kind == "monitor" {
		return typ == EventPage || typ == EventChecked
	}
	switch typ {
	case EventStarted, EventCompleted, EventFailed:
		return true
	case EventPage, EventCorrected:
		return kind != "extract" && kind != "agent"
	case EventChange:
		return kind == "crawl"
	case EventAction, EventCancelled:
		return kind == "agent"
	}
	return false
}

// Webhook is an address that the events of a job are sent to.
type Webhook struct {
	// URL is absolute, http or https.
	URL string
	// Headers of each request: at most 100. Not the signature's, nor those that belong to
	// the connection or to a proxy.
	Headers map[string]string
	// Metadata is repeated in each payload.
	Metadata map[string]string
	// Events that are sent; empty: all but page.corrected. Each is a full type ("crawl.page"), its last part
	// ("page") or another ending of it ("_scrape.page"), of started, completed and failed,
	// of page and page.corrected where the job is not an "extract" or "agent", of change where it is a "crawl", and of action and cancelled
	// where it is an "agent". A "monitor" has page and check.completed alone.
	Events []string
	// Secret signs the bodies; empty: they aren't signed. It is kept with the job and never shown: JSON of a Webhook
	// doesn't have it.
	Secret string
}

// Validate returns a [*FieldError] that names the first field that can't be honoured. The address is not looked at
// beyond its form: whether it may be contacted is checked when something is sent.
func (w *Webhook) Validate() error {
	for _, check := range []func() error{w.checkURL, w.checkHeaders, w.checkMetadata, w.checkEvents} {
		if err := check(); err != nil {
			return err
		}
	}
	if len(w.Secret) > maxHookSecret || !utf8.ValidString(w.Secret) {
		return &FieldError{"webhook.secret", nil, fmt.Sprintf("valid UTF-8 of at most %d bytes", maxHookSecret)}
	}
	return nil
}

func (w *Webhook) checkURL() error {
	wrong := &FieldError{"webhook.url", nil, fmt.Sprintf("an absolute http or https URL of at most %d bytes", maxURL)}
	if len(w.URL) > maxURL || !utf8.ValidString(w.URL) {
		return wrong
	}
	u, err := url.Parse(w.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return wrong
	}
	return nil
}

// refusedHeaders belong to the connection, to a proxy, or to this package.
var refusedHeaders = []string{
	"Connection", "Content-Encoding", "Content-Length", "Expect", "Host", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	http.CanonicalHeaderKey(SignatureHeader),
}

func (w *Webhook) checkHeaders() error {
	if len(w.Headers) > maxHookHeaders {
		return &FieldError{"webhook.headers", len(w.Headers), fmt.Sprintf("at most %d", maxHookHeaders)}
	}
	size, seen := 0, map[string]bool{}
	for _, name := range sortedKeys(w.Headers) {
		value := w.Headers[name]
		field := "webhook.headers." + short(name)
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return &FieldError{field, nil, "a header name"}
		case slices.Contains(refusedHeaders, canonical) || strings.HasPrefix(canonical, "Proxy-"):
			return &FieldError{field, nil, "another header: this one is not the caller's to set"}
		case seen[canonical]:
			return &FieldError{field, nil, "each header once"}
		case !httpguts.ValidHeaderFieldValue(value) || !utf8.ValidString(value):
			return &FieldError{field, nil, "a header value"}
		}
		seen[canonical] = true
		if size += len(name) + len(value); size > maxHookText {
			return &FieldError{"webhook.headers", nil, fmt.Sprintf("at most %d bytes together", maxHookText)}
		}
	}
	return nil
}

func (w *Webhook) checkMetadata() error {
	size := 0
	for name, value := range w.Metadata {
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return &FieldError{"webhook.metadata", nil, "valid UTF-8"}
		}
		if size += len(name) + len(value); size > maxHookText {
			return &FieldError{"webhook.metadata", nil, fmt.Sprintf("at most %d bytes together", maxHookText)}
		}
	}
	return nil
}

func (w *Webhook) checkEvents() error {
	if len(w.Events) > maxHookEvents {
		return &FieldError{"webhook.events", len(w.Events), fmt.Sprintf("at most %d", maxHookEvents)}
	}
	for _, e := range w.Events {
		known := slices.ContainsFunc(webhookEvents[:], func(typ string) bool { return e == typ || strings.HasSuffix(e, "."+typ) })
		if !known || len(e) > 2*maxKind {
			return &FieldError{"webhook.events", short(e), "started, page, page.corrected, action, completed, failed, cancelled or check.completed"}
		}
	}
	return nil
}

// Fits checks that each of the events can happen to a job of this kind: a filter for
// something else would be accepted and ignored.
func (w *Webhook) Fits(kind string) error {
	for _, e := range w.Events {
		if !slices.ContainsFunc(webhookEvents[:], func(typ string) bool { return matches([]string{e}, kind, typ) }) {
			return &FieldError{"webhook.events", short(e), "an event of " + kind}
		}
	}
	return nil
}

// matches reports whether an event goes to a webhook with this filter.
func matches(filter []string, kind, typ string) bool {
	if !carries(kind, typ) {
		return false
	}
	full := kind + "." + typ
	if typ == EventCorrected {
		return slices.ContainsFunc(filter, func(f string) bool { return f == typ || f == full })
	}
	return len(filter) == 0 || slices.ContainsFunc(filter, func(f string) bool { return f != "" && strings.HasSuffix(full, f) })
}

// origin is what two hooks share that hang together.
func (w *Webhook) origin() string {
	u, err := url.Parse(w.URL)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host)
}
