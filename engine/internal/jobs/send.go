package jobs

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// Sender sends webhooks by HTTP: without proxies, cookies or redirects, and with certificates checked. Made by [NewSender]. Safe for
// concurrent use.
type Sender struct{ client *http.Client }

// NewSender makes a Sender whose connections dial makes, which is where a policy is applied.
func NewSender(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *Sender {
	return &Sender{&http.Client{
		Transport: &http.Transport{
			DialContext:            dial,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send sends one delivery and returns the status of the response; see [Options.Send]. A little of the body is read so that the connection
// can be reused.
func (s *Sender) Send(ctx context.Context, url string, header http.Header, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header = header
	res, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 4<<10)
	return res.StatusCode, nil
}

// Close closes the connections that are idle.
func (s *Sender) Close() { s.client.CloseIdleConnections() }
