package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// maxPaused is how many requests may wait for an answer. A page that requests more at once is given up.
const maxPaused = 20_000

// headerRules adds the caller's headers to requests of one origin. Each request, each hop of a redirect too, is paused by the browser and
// continued with the headers that are right for its own address, unless the judge blocks it.
type headerRules struct {
	tab      *tab.Tab
	judge    *pageJudge // nil: nothing is blocked here
	route    route
	followed func() bool       // actions follow the tabs that the page opens
	add      map[string]string // lower-case name → value, without User-Agent and Cookie
	cookies  []*http.Cookie    // of the Cookie header; they live in the context's jar
	began    []byte            // the state that the page began with

	mu     sync.Mutex
	origin origin
	inJar  bool
	queue  []pausedRequest
	wake   chan struct{}
}

type pausedRequest struct {
	tab.Paused
	changed bool // the headers aren't those that the browser meant to send
}

// origin is scheme, host and port. http on 80 and https on 443 count as one: an upgrade is still the same site.
type origin struct{ scheme, host, port string }

func originOf(address string) (origin, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return origin{}, false
	}
	o := origin{u.Scheme, strings.ToLower(u.Hostname()), u.Port()}
	if o.port == "" {
		o.port = map[string]string{"http": "80", "https": "443"}[o.scheme]
	}
	return o, true
}

// allows reports whether headers meant for o may go to the address: the origin itself, or its upgrade from http to https.
func (o origin) allows(address string) bool {
	to, ok := originOf(address)
	if !ok {
		return false
	}
	upgrade := origin{"http", to.host, "80"} == o && to.scheme == "https" && to.port == "443"
	return to == o || upgrade
}

// setDefaultOrigin makes the first address the headers' origin when the caller named none.
func (h *headerRules) setDefaultOrigin(address string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.origin == (origin{}) {
		h.origin, _ = originOf(address)
	}
}

// fillJar puts the caller's cookies into the jar of the page, for the origin's host only, so that scripts see them too and the site can
// change them. The jar knows hosts, not ports: continueRequest keeps them from other ports.
func (h *headerRules) fillJar(ctx context.Context) error {
	h.mu.Lock()
	o, done := h.origin, h.inJar || len(h.cookies) == 0 || h.origin == (origin{})
	h.inJar = h.inJar || !done
	h.mu.Unlock()
	if done {
		return nil
	}
	for _, c := range h.cookies {
		address := o.scheme + "://" + net.JoinHostPort(o.host, o.port) + "/"
		if strings.HasPrefix(c.Name, "__Secure-") || strings.HasPrefix(c.Name, "__Host-") {
			address = "https://" + net.JoinHostPort(o.host, "443") + "/"
		}
		cookie := playwright.OptionalCookie{Name: c.Name, Value: c.Value, URL: &address}
		err := tab.Run(ctx, h.tab, "set the cookie "+c.Name, func() error {
			return h.tab.Page.Context().AddCookies([]playwright.OptionalCookie{cookie})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutGiven leaves the caller's cookies out of a state: they are of this request, and nothing that the site has stored. What the site
// has changed of them since is its own. Cookies that they took the place of, in the state that the page began with, come back.
func (h *headerRules) withoutGiven(state []byte, err error) ([]byte, error) {
	h.mu.Lock()
	host, given := h.origin.host, h.cookies
	h.mu.Unlock()
	if err != nil || len(given) == 0 {
		return state, err
	}
	all, cookies, err := cookiesOf(state)
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	isGiven := func(c storedCookie) bool {
		return c.Domain == host && slices.ContainsFunc(given, func(o *http.Cookie) bool { return o.Name == c.Name && o.Value == c.Value })
	}
	_, before, _ := cookiesOf(h.began) // what can't be read was refused when it was restored
	kept := slices.DeleteFunc(slices.Clone(cookies), func(c storedCookie) bool { return isGiven(c) })
	for _, was := range before {
		if slices.ContainsFunc(cookies, func(c storedCookie) bool { return isGiven(c) && c.place() == was.place() }) {
			kept = append(kept, was)
		}
	}
	if all["cookies"], err = json.Marshal(kept); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// storedCookie is a cookie of a state.
type storedCookie struct {
	Name, Value, Domain, Path string
	raw                       json.RawMessage
}

// cookieKey is what cookies replace each other by.
type cookieKey struct{ name, domain, path string }

func (c storedCookie) place() cookieKey { return cookieKey{c.Name, c.Domain, c.Path} }

// UnmarshalJSON keeps what else a cookie has.
func (c *storedCookie) UnmarshalJSON(data []byte) error {
	type plain storedCookie
	err := json.Unmarshal(data, (*plain)(c))
	c.raw = slices.Clone(data)
	return err
}

// MarshalJSON is the cookie as it was.
func (c storedCookie) MarshalJSON() ([]byte, error) { return c.raw, nil }

// cookiesOf are the parts of a state, and its cookies.
func cookiesOf(state []byte) (all map[string]json.RawMessage, cookies []storedCookie, err error) {
	if err := json.Unmarshal(state, &all); err != nil {
		return nil, nil, err
	}
	return all, cookies, json.Unmarshal(all["cookies"], &cookies)
}

// missed reports whether a document that another tab has requested should have had the headers, known, and can be requested again with
// them.
func (h *headerRules) missed(d document) (again, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.add) == 0 || d.reply == nil || !h.origin.allows(d.reply.url) {
		return false, false
	}
	return d.reply.response.Request().Method() == http.MethodGet, true
}

// inherit makes the rules those of another tab of the context, whose jar has the cookies already.
func (h *headerRules) inherit(from *headerRules) {
	from.mu.Lock()
	defer from.mu.Unlock()
	h.origin, h.inJar = from.origin, from.inJar
}

// forget makes the next page get the cookies again.
func (h *headerRules) forget() {
	h.mu.Lock()
	h.inJar = false
	h.mu.Unlock()
	h.leave()
}

// intercept starts the interception where there is something to add.
func (h *headerRules) intercept(ctx context.Context, o PageOptions) error {
	h.add, h.began = map[string]string{}, o.State
	for name, value := range o.Headers {
		switch lower := strings.ToLower(name); lower {
		case "user-agent": // the page's identity has it
		case "cookie":
			cookies, err := http.ParseCookie(value)
			if err != nil {
				return &OptionError{"Headers", name, "name=value pairs"}
			}
			h.cookies = cookies
		default:
			h.add[lower] = value
		}
	}
	if o.HeaderOrigin != "" {
		h.setDefaultOrigin(o.HeaderOrigin)
	}
	return h.hold(ctx, o.Judge)
}

// hold has the browser hold what is to be judged, and with headers to add everything. Frames that have processes of their own never get
// the headers.
func (h *headerRules) hold(ctx context.Context, judge *Judge) (err error) {
	own, foreign := judge.patterns(), judge.patterns()
	if len(h.add) > 0 || len(h.cookies) > 0 {
		own = []string{"*"}
	}
	if len(own) == 0 {
		return nil
	}
	if h.judge, err = newPageJudge(ctx, h.tab, judge); err != nil {
		return err
	}
	return h.tab.Intercept(ctx, own, foreign, h.paused)
}

// paused queues a request that the browser holds. It runs on the library's dispatch goroutine and must not block.
func (h *headerRules) paused(r tab.Paused) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) >= maxPaused {
		h.tab.Abort("too many requests at once")
		return
	}
	h.queue = append(h.queue, pausedRequest{Paused: r})
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// continueRequests answers every request that waits.
func (h *headerRules) continueRequests() {
	for _, r := range h.take() {
		tab.Start(h.tab, func() (struct{}, error) { return struct{}{}, h.continueRequest(r) })
	}
}

func (h *headerRules) continueRequest(r pausedRequest) error {
	if h.route.refuses(r.Paused) {
		return h.tab.Answer(r.Paused, "Fetch.failRequest", map[string]any{"errorReason": "Aborted"})
	}
	if h.judge.blocks(r.Paused) || h.route.refusesFrame(r.Paused) {
		return h.tab.Answer(r.Paused, "Fetch.failRequest", map[string]any{"errorReason": "BlockedByClient"})
	}
	params := map[string]any{}
	if r.Foreign {
		return h.tab.Answer(r.Paused, "Fetch.continueRequest", params)
	}
	if h.sharesJar(r.URL) {
		cookies, err := h.foreignCookies(r.URL)
		if err != nil {
			return h.tab.Answer(r.Paused, "Fetch.failRequest", map[string]any{"errorReason": "Failed"})
		}
		r.Headers = maps.Clone(r.Headers)
		r.Headers["Cookie"] = cookies
		r.changed = true
	}
	if list := h.rewrite(r); list != nil {
		params["headers"] = list
	}
	return h.tab.Answer(r.Paused, "Fetch.continueRequest", params)
}

// sharesJar reports whether the jar would send the caller's cookies to an address that isn't of their origin: another port of the
// same host.
func (h *headerRules) sharesJar(address string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	to, ok := originOf(address)
	return ok && len(h.cookies) > 0 && to.host == h.origin.host && !h.origin.allows(address)
}

// foreignCookies is the Cookie header of an address without the caller's cookies.
func (h *headerRules) foreignCookies(address string) (string, error) {
	jar, err := h.tab.Page.Context().Cookies(address)
	if err != nil {
		return "", err
	}
	var pairs []string
	for _, c := range jar {
		ours := slices.ContainsFunc(h.cookies, func(o *http.Cookie) bool { return o.Name == c.Name && o.Value == c.Value })
		if !ours {
			pairs = append(pairs, c.Name+"="+c.Value)
		}
	}
	return strings.Join(pairs, "; "), nil
}

func (h *headerRules) take() []pausedRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	queue := h.queue
	h.queue = nil
	return queue
}

// rewrite returns the full header list of a request, nil where it may stay as it is.
func (h *headerRules) rewrite(r pausedRequest) []any {
	h.mu.Lock()
	own := h.origin.allows(r.URL)
	h.mu.Unlock()
	var list []any
	changed := own || r.changed
	for name, value := range r.Headers {
		text, _ := value.(string)
		if ours, named := h.add[strings.ToLower(name)]; named && (own || text == ours) {
			changed = true // on its own origin the caller's is added below; elsewhere it came along from a hop before
			continue
		}
		list = append(list, map[string]any{"name": name, "value": text})
	}
	if !changed {
		return nil
	}
	if own {
		for name, value := range h.add {
			list = append(list, map[string]any{"name": name, "value": value})
		}
	}
	if list == nil {
		list = []any{}
	}
	return list
}
