package scope

import (
	"strconv"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// deny applies the rules in order. "" as reason: none denies.
func (s *Scope) deny(a *address, l *Link) (reason Reason, detail string) {
	if reason, detail = s.denyAnywhere(a); reason != "" {
		return reason, detail
	}
	if s.internal(a) {
		reason, detail = s.denyInternal(a)
	} else {
		reason, detail = s.denyExternal(a, l.From)
	}
	if reason == "" && !l.Sitemap {
		return s.denyHops(l.Hops)
	}
	return reason, detail
}

// denyAnywhere holds on every host.
func (s *Scope) denyAnywhere(a *address) (Reason, string) {
	if limit := s.options.MaxDepth; limit != nil {
		if depth := segments(a.path) - s.depth; depth > *limit {
			return DepthLimit, tooMany("path segments below the seed's", depth, *limit)
		}
	}
	if ext := fileType(a.path); ext != "" {
		return FileType, ext
	}
	return "", ""
}

// denyInternal holds on the seed's own host.
func (s *Scope) denyInternal(a *address) (Reason, string) {
	if a.section() {
		return SectionLink, "#" + a.fragment
	}
	if !s.options.CrawlEntireDomain && !s.area.contains(a.path) {
		return BackwardCrawling, "outside " + s.area.String()
	}
	if p, ok := s.exclude.match(s.text(a)); ok {
		return ExcludePattern, p
	}
	return s.denyNotIncluded(a)
}

// denyExternal holds on every other host. An exclude pattern is matched against the full URL there, since a path says
// little about a site that isn't known; on the seed's own domain against the usual text too.
func (s *Scope) denyExternal(a *address, from string) (Reason, string) {
	own := s.ownDomain(a)
	if name := social(a.host); name != "" && !own {
		return SocialMedia, name
	}
	p, excluded := s.exclude.match(a.full())
	if !excluded && own {
		p, excluded = s.exclude.match(s.text(a))
	}
	switch {
	case excluded:
		return ExcludePattern, p
	case s.options.AllowExternalLinks && !a.home() && s.inside(from):
		return "", ""
	case s.options.AllowSubdomains && own:
		return s.denyNotIncluded(a)
	}
	return ExternalLink, a.host
}

func (s *Scope) denyNotIncluded(a *address) (Reason, string) {
	if len(s.include) == 0 {
		return "", ""
	}
	if _, ok := s.include.match(s.text(a)); ok {
		return "", ""
	}
	return IncludePattern, ""
}

func (s *Scope) denyHops(hops int) (Reason, string) {
	if limit := s.options.MaxDiscoveryDepth; limit != nil && hops > *limit {
		return DiscoveryLimit, tooMany("links from the start", hops, *limit)
	}
	return "", ""
}

// text is what patterns are matched against.
func (s *Scope) text(a *address) string {
	if s.options.RegexOnFullURL {
		return a.full()
	}
	return a.path
}

// internal: the seed's host, with or without "www.", by http or https.
func (s *Scope) internal(a *address) bool { return sameHost(a, &s.seed) }

// ownDomain: below the registrable domain of the seed, by the public suffix list.
func (s *Scope) ownDomain(a *address) bool {
	return s.site != "" && (s.internal(a) || weburl.Registrable(a.host) == s.site)
}

// inside reports whether a page belongs to the crawled site, so that its external links may be followed: one hop, no more.
func (s *Scope) inside(page string) bool {
	a, err := readAddress(page)
	return err == nil && a.web() && (s.internal(&a) || s.options.AllowSubdomains && s.ownDomain(&a))
}

func tooMany(what string, got, limit int) string {
	return strconv.Itoa(got) + " " + what + ", at most " + strconv.Itoa(limit)
}
