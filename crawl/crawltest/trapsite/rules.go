package trapsite

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// rules are the options of a crawl, as a user reads them.
type rules struct {
	site             *Site
	want             Want
	seed             *url.URL
	alone            bool // the seed's host is where Handler serves: there are no other hosts
	include, exclude []*regexp.Regexp
}

func newRules(s *Site, w Want, seed *url.URL) *rules {
	_, known := s.modelHost(seed)
	return &rules{site: s, want: w, seed: seed, alone: !known, include: compile(w.IncludePaths), exclude: compile(w.ExcludePaths)}
}

func compile(patterns []string) (list []*regexp.Regexp) {
	for _, p := range patterns {
		list = append(list, regexp.MustCompile(p))
	}
	return list
}

// modelHost is the host that answers under a URL's.
func (s *Site) modelHost(u *url.URL) (string, bool) {
	host := u.Hostname()
	if alias, ok := s.aliases[host]; ok {
		host = alias
	}
	_, ok := s.robots[host]
	return host, ok
}

// place is where a URL is on the site, false if it isn't.
func (r *rules) place(u *url.URL) (place, bool) {
	host, ok := r.site.modelHost(u)
	if r.alone {
		host, ok = Main, u.Host == r.seed.Host
	}
	return place{host: host, path: u.EscapedPath(), query: u.RawQuery}, ok
}

// fetch is the answer of a URL, nil if there is none, or it may not be requested.
func (r *rules) fetch(u *url.URL) *node {
	at, ok := r.place(u)
	if !ok {
		return nil
	}
	return r.site.find(at)
}

// admitted checks robots.txt.
func (r *rules) admitted(u *url.URL) bool {
	at, ok := r.place(u)
	if !ok || r.want.IgnoreRobotsTxt {
		return ok
	}
	text := at.path
	if at.query != "" {
		text += "?" + at.query
	}
	return r.site.robots[at.host].admit(r.want.RobotsUserAgent, text)
}

// judge reports whether a URL belongs to the crawl. From is the page it was found on, nil for one of a sitemap.
func (r *rules) judge(u, from *url.URL) bool {
	if limit := r.want.MaxDepth; limit != nil && depth(u)-depth(r.seed) > *limit {
		return false
	}
	if u.Scheme != "http" && u.Scheme != "https" || leftOut(u) || !r.admitted(u) {
		return false
	}
	if r.internal(u) {
		return !isSection(u) && (r.want.CrawlEntireDomain || below(u.EscapedPath(), r.seed.EscapedPath())) && r.patterns(u)
	}
	return r.external(u, from)
}

func (r *rules) external(u, from *url.URL) bool {
	own := r.own(u)
	if isSocial(u) || matches(r.exclude, strip(u).String()) || own && matches(r.exclude, r.text(u)) {
		return false
	}
	if r.want.AllowExternalLinks && from != nil && !isHome(u) && (r.internal(from) || r.want.AllowSubdomains && r.own(from)) {
		return true
	}
	return r.want.AllowSubdomains && own && (len(r.include) == 0 || matches(r.include, r.text(u)))
}

// patterns checks excludePaths, then includePaths.
func (r *rules) patterns(u *url.URL) bool {
	text := r.text(u)
	return !matches(r.exclude, text) && (len(r.include) == 0 || matches(r.include, text))
}

func (r *rules) text(u *url.URL) string {
	if r.want.RegexOnFullURL {
		return strip(u).String()
	}
	return u.EscapedPath()
}

// matches looks at a text as it is and as people read it.
func matches(patterns []*regexp.Regexp, text string) bool {
	plain, err := url.PathUnescape(text)
	return slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool {
		return p.MatchString(text) || err == nil && p.MatchString(plain)
	})
}

// internal: the seed's host, "www." or not, by http or https.
func (r *rules) internal(u *url.URL) bool { return bareHost(u) == bareHost(r.seed) }

func bareHost(u *url.URL) string { return strings.TrimPrefix(u.Host, "www.") }

// own: the same registrable domain, which on this site is the last two names.
func (r *rules) own(u *url.URL) bool {
	return !r.alone && registrable(u) == registrable(r.seed)
}

func registrable(u *url.URL) string {
	names := strings.Split(u.Hostname(), ".")
	return strings.Join(names[max(0, len(names)-2):], ".")
}

// similar: a redirect to another spelling of the same address.
func (r *rules) similar(a, b *url.URL) bool {
	loose := r.want
	loose.DeduplicateSimilarURLs = new(true)
	return loose.Same(a.String(), b.String())
}

// below: the prefix of a seed that ends in a slash, the directory of a file, or the very path and what is under it.
func below(p, seed string) bool {
	name := seed[strings.LastIndex(seed, "/")+1:]
	if name == "" || path.Ext(name) != "" {
		return strings.HasPrefix(p, strings.TrimSuffix(seed, name))
	}
	return p == seed || strings.HasPrefix(p, seed+"/")
}

// depth counts names of a path; that of an index file is none.
func depth(u *url.URL) (n int) {
	for name := range strings.SplitSeq(u.EscapedPath(), "/") {
		if name != "" && name != "index.html" && name != "index.php" {
			n++
		}
	}
	return n
}

// isSection: a part of a page, and no page of its own.
func isSection(u *url.URL) bool { return u.Fragment != "" && !strings.Contains(u.Fragment, "/") }

func isHome(u *url.URL) bool { return strings.Trim(u.Path, "/") == "" && u.RawQuery == "" }

func isSocial(u *url.URL) bool {
	return slices.Contains([]string{"github.com", "facebook.com", "twitter.com", "linkedin.com", "instagram.com", "pinterest.com",
		"calendly.com", "discord.com"}, registrable(u))
}

// leftOut: files that no crawl wants.
func leftOut(u *url.URL) bool {
	const ends = ".png .jpg .jpeg .gif .css .js .ico .svg .tiff .zip .exe .dmg .mp4 .mp3 .wav .avi .flv .woff .ttf .woff2 .webp .inc"
	return slices.Contains(strings.Fields(ends), strings.ToLower(path.Ext(u.Path)))
}

// sitemapPages are the URLs that the sitemaps of the seed's site list.
func (r *rules) sitemapPages() (urls []string) {
	at, ok := r.place(r.seed)
	if !ok || r.want.Sitemap == "skip" {
		return nil
	}
	seen := map[string]bool{}
	origin := r.site.origin(r.seed.Scheme, r.seed.Host)
	folder := at.path[:strings.LastIndex(at.path, "/")+1]
	for _, p := range slices.Concat(r.site.robots[at.host].sitemaps, []string{folder + "sitemap.xml", "/sitemap.xml"}) {
		urls = append(urls, r.site.read(place{host: at.host, path: p}, origin, seen)...)
	}
	if parent := registrable(r.seed); !r.alone && parent != at.host {
		urls = append(urls, r.site.read(place{host: parent, path: "/sitemap.xml"}, "https://"+parent, seen)...)
	}
	return urls
}
