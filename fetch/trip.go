package fetch

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// trip is one Do: where it began, where it is, and what it has collected on the way. It belongs to one goroutine.
type trip struct {
	client   *Client
	req      Request
	start    *place
	at       *place
	jar      *cookiejar.Jar // nil until something is set
	passed   []string
	seen     map[string]bool // URL and cookies of the redirects met, as sent
	sent     string          // cookies of the last request
	tries    int             // further tries that are left
	retried  int
	maxBytes int64
	trusted  bool // it may use credentials of Options.Access
}

// answer is one response. The body is not read where the response leads elsewhere.
type answer struct {
	status   int
	header   http.Header
	body     []byte
	location string // not empty: to be followed
	damage   error  // of the body, which is what could be read of it; nil for none
}

func (c *Client) newTrip(r Request) (*trip, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	p, err := parsePlace(r.URL)
	if err != nil {
		return nil, err
	}
	t := &trip{client: c, req: r, start: p, at: p, tries: max(or(r.Retries, c.opt.Retries), 0), maxBytes: or(r.MaxBytes, c.opt.MaxBytes)}
	t.trusted = c.opt.Access.Begins(or(r.Page, p.href()))
	t.req.UserAgent = or(r.UserAgent, c.opt.UserAgent)
	t.req.Accept = or(r.Accept, defaultAccept)
	return t, nil
}

// run follows the redirects to their end.
func (t *trip) run(ctx context.Context) (*Response, error) {
	if t.client.Virtual().Has(t.start.w.Hostname()) {
		ctx = WithVirtual(ctx)
	}
	for {
		if err := t.allowed(); err != nil {
			return nil, err
		}
		a, err := t.persist(ctx)
		if err != nil {
			return nil, err
		}
		if a.location == "" {
			return t.response(a), nil
		}
		if err := t.follow(a.location); err != nil {
			return nil, err
		}
		if t.req.OnRedirect == nil {
			continue
		}
		if err := t.req.OnRedirect(ctx, t.at.href()); err != nil {
			return nil, err
		}
	}
}

// allowed refuses virtual hosts to a trip that began elsewhere. The dialer does so too, but isn't called for
// connections that exist already.
func (t *trip) allowed() error {
	v := t.client.Virtual()
	host := t.at.w.Hostname()
	if v.Has(host) && !v.Has(t.start.w.Hostname()) {
		return &BlockedError{Host: canonicalHost(host), Reason: virtualReason}
	}
	return nil
}

// follow moves the trip to where a redirect leads. Meeting the same URL with the same cookies again is a loop,
// since the server has no way to answer differently.
func (t *trip) follow(location string) error {
	fail := func(reason string) error {
		return &RedirectError{URL: t.at.href(), Count: len(t.passed), Reason: reason}
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[t.at.key()+"\n"+t.sent] = true
	next, err := t.at.next(location)
	if err != nil {
		return fail("unusable Location")
	}
	if len(t.passed) >= t.client.opt.MaxRedirects {
		return fail("too many")
	}
	t.passed = append(t.passed, t.at.href())
	t.at = next
	if t.seen[t.at.key()+"\n"+t.cookies()] {
		return fail("loop")
	}
	return nil
}

func (t *trip) response(a *answer) *Response {
	return &Response{
		URL:       t.at.href(),
		Status:    a.status,
		Header:    a.header,
		Body:      a.body,
		Damage:    a.damage,
		MediaType: sniff(a.header.Get("Content-Type"), a.body),
		Redirects: t.passed,
	}
}

// header builds the request header for where the trip is.
func (t *trip) header() http.Header {
	h := http.Header{
		"User-Agent":      {t.req.UserAgent},
		"Accept":          {t.req.Accept},
		"Accept-Encoding": {"gzip, deflate, br, zstd"},
	}
	if t.req.AcceptLanguage != "" {
		h.Set("Accept-Language", t.req.AcceptLanguage)
	}
	if t.start.sameOrigin(t.at) {
		for name, values := range t.req.Header {
			h[http.CanonicalHeaderKey(name)] = append([]string(nil), values...)
		}
	}
	h.Del("Cookie")
	if t.sent = t.cookies(); t.sent != "" {
		h.Set("Cookie", t.sent)
	}
	return h
}

// cookies is the Cookie header: the jar's, and on the target's own origin the caller's, of which those that
// the site has set meanwhile are left out.
func (t *trip) cookies() string {
	var parts []string
	set := map[string]bool{}
	if t.jar != nil {
		for _, c := range t.jar.Cookies(t.at.wire) {
			set[c.Name] = true
			parts = append(parts, c.Name+"="+c.Value)
		}
	}
	if t.start.sameOrigin(t.at) {
		parts = append(t.ownCookies(set), parts...)
	}
	return strings.Join(parts, "; ")
}

// ownCookies are the caller's cookies without those whose names are set.
func (t *trip) ownCookies(set map[string]bool) []string {
	var parts []string
	for name, values := range t.req.Header {
		if !strings.EqualFold(name, "Cookie") {
			continue
		}
		for c := range strings.SplitSeq(strings.Join(values, ";"), ";") {
			c = strings.TrimSpace(c)
			if key, _, _ := strings.Cut(c, "="); c != "" && !set[strings.TrimSpace(key)] {
				parts = append(parts, c)
			}
		}
	}
	return parts
}

// keepCookies puts what a response sets into the jar of this trip.
func (t *trip) keepCookies(resp *http.Response) {
	cookies := resp.Cookies()
	if len(cookies) == 0 {
		return
	}
	if t.jar == nil {
		// New only fails for options that aren't used here.
		t.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	}
	t.jar.SetCookies(t.at.wire, cookies)
}
