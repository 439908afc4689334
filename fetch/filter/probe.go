package filter

import "strings"

// maxURL is how much of a URL is looked at.
const maxURL = 4 << 10

// probe is a request taken apart for matching. It belongs to one call.
type probe struct {
	url, lower      string // without user, fragment and the host's final dot
	hostAt, hostEnd int    // the host in both
	page            string // the page's host
	types           typeMask

	entities bool
	names    []string // the page's, made on first use
	third    bool     // whether it is a third party's request, made on first use
	thirdSet bool
	pieces   grams // of the URL, made on first use
	cut      bool  // whether pieces are there
	buffer   [64]uint64
}

// newProbe takes a request apart; false if it is not one that rules are about.
func (s *Set) newProbe(url, pageHost string, types typeMask) (*probe, bool) {
	if len(url) > maxURL {
		url = url[:maxURL]
	}
	url, _, _ = strings.Cut(url, "#")
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || !isWebScheme(scheme) {
		return nil, false
	}
	p := &probe{url: url, hostAt: len(scheme) + 3, types: types, entities: s.entities}
	p.trimAuthority(rest)
	if p.hostEnd == p.hostAt || p.hostEnd-p.hostAt > maxHost {
		return nil, false
	}
	p.lower = lowerASCII(p.url)
	p.page = normalHost(pageHost)
	if p.page == "" {
		p.page = p.host()
	}
	return p, true
}

// isWebScheme: what else there is, as data: and blob:, never leaves the browser.
func isWebScheme(scheme string) bool {
	switch lowerASCII(scheme) {
	case "http", "https", "ws", "wss":
		return true
	}
	return false
}

// trimAuthority finds the host and cuts the user before it and the dot behind it,
// by which a URL could pass for another host's.
func (p *probe) trimAuthority(rest string) {
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?\\"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	bare := authority[strings.LastIndexByte(authority, '@')+1:]
	host, port := bare, ""
	if i := strings.LastIndexByte(bare, ':'); i > strings.LastIndexByte(bare, ']') {
		host, port = bare[:i], bare[i:]
	}
	host = strings.TrimSuffix(host, ".")
	p.hostEnd = p.hostAt + len(host)
	if len(host)+len(port) != len(authority) {
		p.url = p.url[:p.hostAt] + host + port + path
	}
}

func (p *probe) host() string { return p.lower[p.hostAt:p.hostEnd] }

func (p *probe) text(matchCase bool) string {
	if matchCase {
		return p.url
	}
	return p.lower
}

func (p *probe) grams() *grams {
	if !p.cut {
		p.cut = true
		p.pieces.fill(p.lower)
	}
	return &p.pieces
}

func (p *probe) pageNames() []string {
	if p.names == nil {
		p.names = pageNames(p.page, p.entities)
	}
	return p.names
}

func (p *probe) isThirdParty() bool {
	if !p.thirdSet {
		p.thirdSet = true
		host := p.host()
		p.third = host != p.page && siteOf(host) != siteOf(p.page)
	}
	return p.third
}
