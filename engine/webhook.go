package engine

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"
)

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

// postWebhook sends one delivery and gives the answer's status. The answer's body is
// of no interest; a little of it is read so that the connection can be used again.
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
