package trapsite

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxHops bounds a chain of redirects.
const maxHops = 20

// walk goes through the site as a crawl that is right does: breadth first, one page at a time, over the model instead of a network.
// It shares no code with the crawler: what it knows are the rules as users read them.
type walk struct {
	site    *Site
	want    Want
	rules   *rules
	claimed map[string]bool
	queue   []step
	list    []string
}

// step is an address that is claimed and to be visited.
type step struct {
	url    *url.URL
	hops   int
	hidden bool // the seed outside of the patterns: visited, not delivered
}

func newWalk(s *Site, w Want) *walk {
	return &walk{site: s, want: w, claimed: map[string]bool{}}
}

// run returns what is delivered, in order.
func (w *walk) run() []string {
	seed := mustParse(w.want.Seed)
	w.rules = newRules(w.site, w.want, seed)
	if !w.rules.admitted(seed) {
		return nil
	}
	if end, n := w.follow(seed); n != nil && bareHost(end) != bareHost(seed) {
		w.rules = newRules(w.site, w.want, end)
		seed = end
		if !w.rules.admitted(seed) {
			return nil
		}
	}
	seed = strip(seed)
	w.claim(step{url: seed, hidden: !w.rules.patterns(seed)})
	for _, href := range w.rules.sitemapPages() {
		u := mustParse(href)
		if w.rules.judge(u, nil) {
			w.claim(step{url: u})
		}
	}
	for at := 0; at < len(w.queue) && (w.want.Limit == 0 || len(w.list) < w.want.Limit); at++ {
		w.visit(w.queue[at])
	}
	return w.list
}

// claim takes an address into the crawl, once.
func (w *walk) claim(s step) bool {
	key := w.want.Canon(s.url.String())
	if w.claimed[key] {
		return false
	}
	if len(w.claimed) >= maxWanted+w.site.o.Pages || len(key) > maxWantedBytes {
		panic(fmt.Sprintf("trapsite: no end to what this crawl wants: %+v; see Endless", w.want))
	}
	w.claimed[key] = true
	w.queue = append(w.queue, s)
	return true
}

func (w *walk) visit(s step) {
	end, n := w.follow(s.url)
	if n == nil {
		return
	}
	if w.want.Canon(end.String()) != w.want.Canon(s.url.String()) {
		if !w.rules.similar(s.url, end) && !w.rules.judge(end, w.rules.seed) {
			return
		}
		moved := len(w.queue)
		if !w.claim(step{url: end, hops: s.hops}) {
			return // another address delivers it
		}
		w.queue = w.queue[:moved] // it is being visited
	}
	if !s.hidden {
		w.list = append(w.list, end.String())
	}
	if w.want.Sitemap != "only" {
		w.links(n, end, s.hops+1)
	}
}

func (w *walk) links(n *node, from *url.URL, hops int) {
	if limit := w.want.MaxDiscoveryDepth; limit != nil && hops > *limit {
		return
	}
	found := slices.Concat(n.chrome, n.links)
	if w.want.Rendered {
		found = slices.Concat(found, n.scripted, n.framed)
	}
	for _, a := range found {
		if u, ok := target(a, from); ok && w.rules.judge(u, from) {
			w.claim(step{url: strip(u), hops: hops})
		}
	}
}

// follow goes where redirects lead. nil: nowhere, or to what gives no answer.
func (w *walk) follow(u *url.URL) (*url.URL, *node) {
	for range maxHops {
		n := w.rules.fetch(u)
		if n == nil || n.fails {
			return nil, nil
		}
		location := n.redirect
		if w.want.Rendered && n.refresh != (anchor{}) {
			location = n.refresh
		}
		if location == (anchor{}) {
			return strip(u), n
		}
		next, ok := target(location, u)
		if !ok {
			return nil, nil
		}
		u = next
	}
	return nil, nil
}

// target is where an anchor of a page leads.
func target(a anchor, from *url.URL) (*url.URL, bool) {
	to := a.to
	if strings.HasPrefix(to, "/") {
		to = from.Scheme + "://" + from.Host + to
	}
	u, err := parse(to)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// strip drops a fragment that isn't a route.
func strip(u *url.URL) *url.URL {
	v := *u
	if !isRoute(u) {
		v.Fragment, v.RawFragment = "", ""
	}
	return &v
}

func mustParse(href string) *url.URL {
	u, err := parse(href)
	if err != nil {
		panic("trapsite: " + err.Error())
	}
	return u
}
