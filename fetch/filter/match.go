package filter

// Request is one request of a page.
type Request struct {
	// URL is absolute and normalized. Only http, https, ws and wss are ever
	// blocked. Of a longer one the first 4 KiB are looked at.
	URL string
	// PageHost is the host of the page that makes the request. Empty: the URL's own, as for a
	// page's own document.
	PageHost string
	// Type defaults to Unknown.
	Type Type
}

// Match reports whether a request is to be blocked, and returns the deciding rule as its list
// writes it. A request that an exception lets through is not blocked, and rule is the
// exception; rule is empty when no rule blocks it in the first place.
//
// Documents are blocked only by rules that name them ($document, $all).
func (s *Set) Match(r Request) (blocked bool, rule string) {
	p, ok := s.newProbe(r.URL, r.PageHost, r.Type.mask())
	if !ok {
		return false, ""
	}
	keys := p.keys()
	if block := s.importantBlocks.find(p, keys); block != nil {
		return outcome(block, s.importantExcepts.find(p, keys))
	}
	block := s.blocks.find(p, keys)
	if block == nil {
		return false, ""
	}
	return outcome(block, s.exception(p, keys))
}

func outcome(block, except *rule) (bool, string) {
	if except != nil {
		return false, except.text
	}
	return true, block.text
}

// exception returns the rule that lets a request through, nil if none does.
func (s *Set) exception(p *probe, keys []uint64) *rule {
	if r := s.exceptions.find(p, keys); r != nil {
		return r
	}
	if r := s.importantExcepts.find(p, keys); r != nil {
		return r
	}
	return s.pageException(p.page, 1<<Document)
}

// pageException returns the rule that switches something off for all of a page. Of
// the page only the host is known, so a rule about some paths of it does not count.
func (s *Set) pageException(pageHost string, what typeMask) *rule {
	if s.pages.empty() {
		return nil
	}
	p, ok := s.newProbe("https://"+pageHost+"/", pageHost, what)
	if !ok {
		return nil
	}
	return s.pages.find(p, p.keys())
}
