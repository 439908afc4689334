package browser

import (
	"context"
	"net/url"
	"strings"
	"sync"
)

// maxPaused is how many requests may wait for our answer. A page that asks for more at once is given up.
const maxPaused = 20_000

// headerRules adds the caller's headers to requests of one origin. Each request, each hop of a redirect too, is paused by the browser and
// continued with the headers that are right for its own address.
type headerRules struct {
	add map[string]string // lower-case name → value, without User-Agent

	mu     sync.Mutex
	origin origin
	queue  []pausedRequest
	wake   chan struct{}
}

type pausedRequest struct {
	id, url string
	headers map[string]any
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

// interceptHeaders starts the interception where there is something to add.
func (p *Page) interceptHeaders(ctx context.Context) error {
	h := &p.headers
	h.add = map[string]string{}
	for name, value := range p.opts.Headers {
		if lower := strings.ToLower(name); lower != "user-agent" {
			h.add[lower] = value
		}
	}
	if len(h.add) == 0 {
		return nil
	}
	if p.opts.HeaderOrigin != "" {
		h.setDefaultOrigin(p.opts.HeaderOrigin)
	}
	p.cdp.On("Fetch.requestPaused", func(params map[string]any) { p.paused(params) })
	return p.send(ctx, "Fetch.enable", map[string]any{"patterns": []any{map[string]any{"urlPattern": "*", "requestStage": "Request"}}})
}

// paused queues a request that the browser holds. It runs on the library's dispatch goroutine and must not block.
func (p *Page) paused(params map[string]any) {
	id, _ := params["requestId"].(string)
	request, _ := params["request"].(map[string]any)
	address, _ := request["url"].(string)
	headers, _ := request["headers"].(map[string]any)
	h := &p.headers
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) >= maxPaused {
		p.abort("too many requests at once")
		return
	}
	h.queue = append(h.queue, pausedRequest{id, address, headers})
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// continueRequests answers every request that waits.
func (p *Page) continueRequests() {
	for _, r := range p.headers.take() {
		params := map[string]any{"requestId": r.id}
		if list := p.headers.rewrite(r); list != nil {
			params["headers"] = list
		}
		start(p, func() (any, error) { return p.cdp.Send("Fetch.continueRequest", params) })
	}
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
	own := h.origin.allows(r.url)
	h.mu.Unlock()
	var list []any
	changed := own
	for name, value := range r.headers {
		text, _ := value.(string)
		if ours, named := h.add[strings.ToLower(name)]; named && (own || text == ours) {
			changed = true // on its own origin ours is added below; elsewhere it came along from a hop before
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
