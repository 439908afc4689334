package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// HTTP says how a provider sends requests to its server. The zero value works.
type HTTP struct {
	// Client sends the requests. If nil, the provider has its own, which uses no proxy of the
	// environment, keeps no cookies and follows no redirect to another host. Another client should
	// not follow such redirects either: headers may hold keys.
	Client *http.Client
	// Retries is the maximum number of retries after status 429, 5xx or a broken connection;
	// Retry-After is obeyed up to 30 s. 0 means 2; below 0: no retries.
	Retries int
	// Wait waits before a retry. Defaults to a timer.
	Wait func(ctx context.Context, d time.Duration) error
	// Logger logs retries. If nil, nothing is logged.
	Logger *slog.Logger
}

// Bounds of one request.
const (
	maxAnswer   = 8 << 20
	maxWait     = 30 * time.Second
	firstWait   = 500 * time.Millisecond
	requestTime = 30 * time.Second
)

// client sends requests to one provider's server.
type client struct {
	HTTP
	name string
}

func newClient(name string, h HTTP) client {
	if h.Client == nil {
		h.Client = ownClient()
	}
	if h.Retries == 0 {
		h.Retries = 2
	}
	if h.Wait == nil {
		h.Wait = wait
	}
	if h.Logger == nil {
		h.Logger = slog.New(slog.DiscardHandler)
	}
	return client{h, name}
}

func ownClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  requestTime,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: sameHost,
	}
}

// sameHost follows a redirect on the same host only, and never from https to http.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > 3 || req.URL.Host != first.Host || first.Scheme == "https" && req.URL.Scheme != "https" {
		return http.ErrUseLastResponse
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// request is what is sent; it can be sent again.
type request struct {
	method string
	url    string
	header http.Header
	body   []byte
}

// ask sends a request, with retries, until it succeeds or no retry can help.
func (c client) ask(ctx context.Context, r request) ([]byte, error) {
	pause := firstWait
	for try := 0; ; try++ {
		body, after, err := c.once(ctx, r)
		if err == nil || after < 0 || try >= c.Retries || ctx.Err() != nil {
			return body, err
		}
		c.Logger.Info("retrying a search provider", "provider", c.name, "error", err)
		if err := c.Wait(ctx, max(after, pause)); err != nil {
			return nil, err
		}
		pause *= 2
	}
}

// once sends a request once. after is the time that the server wants between tries; below 0: no
// retry can help.
func (c client) once(ctx context.Context, r request) (body []byte, after time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return nil, -1, fmt.Errorf("%s: cannot build the request", c.name) // its error would show the URL
	}
	req.Header = r.header.Clone()
	res, err := c.Client.Do(req)
	if err != nil {
		return nil, 0, c.broken(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, retryAfter(res), &StatusError{Provider: c.name, Status: res.StatusCode}
	}
	body, err = io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, 0, c.broken(err)
	case len(body) > maxAnswer:
		return nil, -1, fmt.Errorf("%s: %w: it is longer than %d MiB", c.name, ErrAnswer, maxAnswer>>20)
	}
	return body, -1, nil
}

// broken wraps the error of a request that got no answer, without the URL.
func (c client) broken(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return fmt.Errorf("%s is unreachable: %w", c.name, err)
}

// retryAfter returns how long to wait (RFC 9110 §10.2.3, seconds); below 0: no retry can help.
func retryAfter(res *http.Response) time.Duration {
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode < 500 {
		return -1
	}
	seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	if seconds > int(maxWait/time.Second) {
		return -1
	}
	return time.Duration(seconds) * time.Second
}
