package filter

// URLPatterns returns patterns for the browser's own list of blocked URLs (CDP
// Network.setBlockedURLs), so that most of what is to be blocked never leaves it:
// two for each host that is blocked as a whole, "*://host/*" and "*://*.host/*".
// There are at most max of them, the built-in hosts first, then those of the lists
// in order.
//
// The browser applies them to every request and knows neither type nor page. So
// they are valid for one page: a host is left out when MatchHost would let it through
// there, when an exception names a host below it, or when the page itself is on
// it. An empty pageHost returns none. As stars may match slashes, a URL that holds
// a blocked one ("https://a.com/to/https://x.ads.com/") can be blocked too, a
// document that a redirect leads to included.
func (s *Set) URLPatterns(pageHost string, max int) []string {
	pageHost = normalHost(pageHost)
	if pageHost == "" || s.pageException(pageHost, 1<<Document) != nil {
		return nil
	}
	w := s.newWidePage(pageHost)
	var patterns []string
	for _, r := range s.wideHosts {
		if len(patterns)+2 > max {
			break
		}
		if host := r.wideHost(); w.blocks(r, host) {
			patterns = append(patterns, "*://"+host+"/*", "*://*."+host+"/*")
		}
	}
	return patterns
}

// widePage is a page against which many hosts are checked.
type widePage struct {
	site  string
	probe probe
	reach reach // the exceptions, of the open ones those that can be for this page
}

func (s *Set) newWidePage(pageHost string) *widePage {
	w := &widePage{site: siteOf(pageHost), reach: s.reach}
	w.probe.page, w.probe.names = pageHost, pageNames(pageHost, s.entities)
	w.reach.open = nil
	for _, r := range s.reach.open {
		if r.domains.includes(w.probe.names) {
			w.reach.open = append(w.reach.open, r)
		}
	}
	return w
}

func (w *widePage) blocks(r *rule, host string) bool {
	p := &w.probe
	if within(p.page, host) {
		return false
	}
	p.lower, p.hostEnd = host, len(host)
	p.third, p.thirdSet = !within(host, w.site), true
	return r.onPage(p) && !w.reach.concerns(p, r.important) && !w.reach.concernsBelow(p, r.important)
}
