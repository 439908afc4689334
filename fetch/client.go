package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/fetch/archive/replay"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/fetch/weburl"
	"golang.org/x/net/http/httpproxy"
)

// Options configure a Client. The zero value works.
type Options struct {
	// Policy decides which addresses may be contacted. Nil: only the public internet.
	Policy *Policy
	// UserAgent is sent with requests that set none. Defaults to one that names winnow.
	UserAgent string
	// MaxBytes limits a body, as received and as decoded. Defaults to 50 MiB.
	MaxBytes int64
	// MaxRedirects limits the redirects of one Do. Defaults to 20; negative: no redirect is followed and the redirect
	// itself is the response.
	MaxRedirects int
	// Retries limits how often one Do retries after a transient failure, over all its redirects.
	// Defaults to 2; negative: never.
	Retries int
	// ConnectTimeout limits lookup, connection, proxy and TLS handshake together. Defaults to 10 s.
	ConnectTimeout time.Duration
	// HeaderTimeout limits the time from having a connection to having all response headers. Defaults to 30 s.
	HeaderTimeout time.Duration
	// BodyTimeout limits how long a body may stay silent. Defaults to 30 s.
	BodyTimeout time.Duration
	// EnvironmentProxy honors HTTP_PROXY, HTTPS_PROXY and NO_PROXY, read once by New, for requests without a
	// proxy of their own. Off by default: the environment of the host program is ignored.
	EnvironmentProxy bool
	// RootCAs are the authorities that certificates of sites and of https proxies are checked against.
	// Nil: the system's pool.
	RootCAs *x509.CertPool
	// Access has credentials, client certificates and authorities for origins. Only a Do that begins on one of those, or whose Request.Page
	// does, uses credentials, whatever it is redirected to; see auth.Access.Begins. What it knows is verified, whatever Request.SkipTLSVerify
	// says. Nil: none.
	Access *auth.Access
	// Hosts are virtual hosts: sites served by handlers of this process under exact names as in a URL
	// (lower case, IDN in ASCII form, no port), over http and https on every port. Only requests that begin
	// on one of them can reach them, never a public page or redirect; proxies and the policy don't apply to
	// them. Handlers are called concurrently; their panics are logged and answered with 500. The map is
	// copied. See Client.Virtual.
	Hosts map[string]http.Handler
	// Replay answers for all hosts that Hosts doesn't name, in place of the network: the client and its Dialer dial and look up nothing, and
	// proxies aren't used. What is missing there is a *MissError. It is the caller's to close, after the client. Nil: there is a network.
	Replay *replay.Replay
	// OnReplay is called after each request that came to Replay, from the goroutine of its answer; it should be quick. If nil, no callback
	// is made.
	OnReplay func(Replayed)
	// Authority vouches for Hosts, for clients that share a browser. Nil: each client has one of its own.
	Authority *Authority
	// Resolver looks up names. Defaults to net.DefaultResolver.
	Resolver Resolver
	// DialContext dials an ip:port that has been checked already; it must honor ctx. Defaults to net.Dialer.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
	// Record keeps every exchange, as it was on the wire, bodies up to their limits. What is answered by virtual hosts is kept too. Nil:
	// nothing is recorded.
	Record Recorder
	// Sleep waits before a retry, or until ctx ends. Defaults to a timer.
	Sleep func(ctx context.Context, d time.Duration) error
	// Logger gets debug lines without URLs, and for each refusal by the policy one line with the host.
	// Nil: silent.
	Logger *slog.Logger
}

const (
	defaultUserAgent    = "Mozilla/5.0 (compatible; winnow; +https://github.com/winnow-go/winnow)"
	defaultMaxBytes     = 50 << 20
	defaultMaxRedirects = 20
	defaultRetries      = 2
)

// Client fetches URLs. It is safe for concurrent use; connections are kept alive and shared between calls,
// cookies are not. Close it when done.
type Client struct {
	opt        Options // resolved: no field is zero where a default exists
	dialer     *Dialer
	transports *transports
	envProxy   func(*url.URL) (*url.URL, error)
	jitter     func() float64 // 0 to 1
	closed     atomic.Bool
	cancel     context.CancelFunc
}

// New makes a Client without opening a connection. The error names the invalid option.
func New(o Options) (*Client, error) {
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("fetch options: %w", err)
	}
	o.resolve()
	virtual, err := newVirtual(o.Hosts, o.others(), o.Authority, o.Logger)
	if err != nil {
		return nil, fmt.Errorf("fetch options: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	d := &Dialer{virtual: virtual, policy: o.Policy, resolver: o.Resolver, dial: o.DialContext, timeout: o.ConnectTimeout,
		own: net.InterfaceAddrs, roots: o.RootCAs, access: o.Access, ctx: ctx}
	d.transports = newTransports(d)
	c := &Client{opt: o, dialer: d, transports: d.transports, jitter: rand.Float64, cancel: cancel}
	if o.EnvironmentProxy {
		c.envProxy = httpproxy.FromEnvironment().ProxyFunc()
	}
	return c, nil
}

func (o *Options) validate() error {
	if err := o.Policy.Validate(); err != nil {
		return err
	}
	if err := validateHosts(o.Hosts); err != nil {
		return err
	}
	if o.UserAgent != "" {
		if err := ValidateHeader("User-Agent", o.UserAgent); err != nil {
			return &OptionError{"UserAgent", o.UserAgent, "a value of a header", err}
		}
	}
	if o.MaxBytes < 0 {
		return &OptionError{"MaxBytes", o.MaxBytes, "0 (the default) or more", nil}
	}
	for _, t := range []struct {
		name string
		d    time.Duration
	}{{"ConnectTimeout", o.ConnectTimeout}, {"HeaderTimeout", o.HeaderTimeout}, {"BodyTimeout", o.BodyTimeout}} {
		if t.d < 0 {
			return &OptionError{t.name, t.d, "0 (the default) or more", nil}
		}
	}
	return nil
}

// others answers for the hosts that Hosts doesn't name; nil: the network does.
func (o *Options) others() http.Handler {
	if o.Replay == nil {
		return nil
	}
	if o.OnReplay == nil {
		return o.Replay
	}
	return observed{o.Replay, o.OnReplay}
}

// Replayed is a request that came to Options.Replay.
type Replayed struct {
	Method, URL string
	// Miss says what is missing and which recorded addresses are the nearest; "" where there was an answer.
	Miss string
}

// observed reports what comes to the archives.
type observed struct {
	archives http.Handler
	report   func(Replayed)
}

func (o observed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	defer func() {
		o.report(Replayed{r.Method, scheme + "://" + r.Host + r.URL.RequestURI(), w.Header().Get(replay.MissHeader)})
	}()
	o.archives.ServeHTTP(w, r)
}

func (o *Options) resolve() {
	o.UserAgent = or(o.UserAgent, defaultUserAgent)
	o.MaxBytes = or(o.MaxBytes, defaultMaxBytes)
	o.MaxRedirects = or(o.MaxRedirects, defaultMaxRedirects)
	o.Retries = max(or(o.Retries, defaultRetries), 0)
	o.ConnectTimeout = or(o.ConnectTimeout, 10*time.Second)
	o.HeaderTimeout = or(o.HeaderTimeout, 30*time.Second)
	o.BodyTimeout = or(o.BodyTimeout, 30*time.Second)
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.DialContext == nil {
		o.DialContext = (&net.Dialer{}).DialContext
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
}

// or returns v, or the default where v is zero.
func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Dialer returns the client's dialer, for other code that must obey the same policy.
func (c *Client) Dialer() *Dialer { return c.dialer }

// Access returns Options.Access.
func (c *Client) Access() *auth.Access { return c.opt.Access }

// Strange reports whether a page at an address must not lead to another: that is on a virtual host or gets credentials, and the page isn't
// and can't use any. It is behind the program, which is no way in.
func (c *Client) Strange(from, to string) bool {
	virtual := c.Virtual().Has(weburl.Hostname(to)) && !c.Virtual().Has(weburl.Hostname(from))
	return virtual || c.opt.Access.Strange(from, to)
}

// Virtual returns the hosts of Options.Hosts; nil, whose methods work, if there are none.
func (c *Client) Virtual() *Virtual { return c.dialer.virtual }

// Close drops idle connections and cancels dials. Calls of Do that have their connection to a real host finish;
// later calls return ErrClosed. It waits only for the handlers of virtual hosts, whose connections and
// request contexts it cancels; no handler may call Close. It is safe to call more than once.
func (c *Client) Close() {
	c.closed.Store(true)
	c.cancel()
	c.transports.close()
	c.dialer.virtual.close()
}

// Missed returns the *MissError that a response stands for; nil for every other response, and without Options.Replay.
func (c *Client) Missed(href string, h http.Header) error {
	if text := h.Get(replay.MissHeader); text != "" && c.opt.Replay != nil {
		return &MissError{URL: href, Text: text}
	}
	return nil
}

// proxyFor returns the proxy for a request, the zero value for none.
func (c *Client) proxyFor(r *Request, u *url.URL) (Proxy, error) {
	if c.Virtual().Has(u.Hostname()) {
		return Proxy{}, nil
	}
	if !r.Proxy.none() || c.envProxy == nil {
		return r.Proxy, nil
	}
	p, err := c.envProxy(u)
	if err != nil || p == nil {
		return Proxy{}, err
	}
	return Proxy{URL: p.String()}, nil
}

// logRefusal logs that the policy has refused a host. The log leaves the URL out, since
// paths hold secrets.
func (c *Client) logRefusal(err error) {
	var blocked *BlockedError
	if errors.As(err, &blocked) {
		c.opt.Logger.Info("fetch: refused by the policy", "host", blocked.Host, "reason", blocked.Reason)
	}
}

// Do fetches one URL: it follows redirects, retries after transient failures, undoes the
// content-encoding and returns the whole body. A response with a 4xx or 5xx status is a Response, not an error,
// if the last try still returns it. The whole call is bounded by ctx, each phase by the client's
// timeouts.
//
// Errors of a request that was sent are *url.Error around one of the package's types or around ctx's error;
// those of an invalid request are *HeaderError, ErrURL, ErrClosed or name the field.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	if c.closed.Load() {
		return nil, ErrClosed
	}
	t, err := c.newTrip(r)
	if err != nil {
		return nil, err
	}
	resp, err := t.run(ctx)
	if err != nil {
		c.logRefusal(err)
		return nil, &url.Error{Op: http.MethodGet, URL: t.at.href(), Err: err}
	}
	return resp, nil
}
