package engine

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Webhook is an address to which what happens to a job is sent. In JSON it is a URL or an object of url, headers, metadata, events and
// secret.
type Webhook struct {
	// URL is absolute, http or https.
	URL string
	// Headers of each request: at most 100. Not the signature's, nor those that belong to
	// the connection or to a proxy.
	Headers map[string]string
	// Metadata is repeated in each payload.
	Metadata map[string]string
	// Events that are sent; empty: all. Each is a full type ("crawl.page"), its last part
	// ("page") or another ending of it ("_scrape.page"), of started, completed and failed,
	// of page where the job is not an "extract" or "agent", of change where it is a crawl (see [Change]), and of action and cancelled
	// where it is an "agent".
	Events []string
	// Secret signs the bodies: the header X-Winnow-Signature carries "sha256=" and the HMAC-SHA256
	// of the body in hex. Empty: they aren't signed. It is kept with the job and never shown: JSON
	// of a Webhook doesn't have it.
	Secret string
}

// MarshalJSON writes the object form, without the secret.
func (w Webhook) MarshalJSON() ([]byte, error) { return jobs.Webhook(w).MarshalJSON() }

// UnmarshalJSON accepts a string, which is the URL, or an object of url, headers, metadata, events and secret. An unknown key is an
// error, also one that differs in case. Nothing is validated: the start of a job does that.
func (w *Webhook) UnmarshalJSON(data []byte) error { return (*jobs.Webhook)(w).UnmarshalJSON(data) }

// newHookClient sends webhooks: under the engine's egress policy, without proxies,
// cookies or redirects, and with certificates checked.
func (e *Engine) newHookClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            e.client.Dialer().DialContext,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// postWebhook sends one delivery and returns the status of the response. A little of the body is read so that the
// connection can be reused.
func (e *Engine) postWebhook(ctx context.Context, url string, header http.Header, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header = header
	res, err := e.hooks.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 4<<10)
	return res.StatusCode, nil
}
