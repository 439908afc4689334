package robots

import (
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// MaxSize is how many bytes of a robots.txt count: 512 KiB. RFC 9309 requires at least 500 KiB.
const MaxSize = 512 << 10

// File is one host's robots.txt. It never changes and is safe for concurrent use.
// The zero value allows everything, as an empty file does.
type File struct {
	closed bool // nothing but robots.txt itself may be fetched
	groups groups
	extras extras
}

// Parse reads a robots.txt. Every body is a valid file: what isn't a directive is
// ignored, as RFC 9309 requires, so there is no error. Only the first MaxSize bytes count; a line that
// the limit cuts through doesn't. Time and memory are linear in the size.
func Parse(body []byte) *File {
	f := &File{}
	var clean cleanText
	for d := range directives(body) {
		f.groups.add(d)
		clean.add(d)
	}
	f.extras = readExtras(clean.finish())
	return f
}

// AllowAll is the file of a host that has none.
func AllowAll() *File { return &File{} }

// DisallowAll forbids everything but robots.txt itself.
func DisallowAll() *File { return &File{closed: true} }

// FromStatus returns the file that an answer stands for (RFC 9309 section 2.3.1). The caller follows redirects,
// at least five of them.
//
//   - 2xx: what the body says.
//   - 3xx, redirects given up, and 4xx but 429: there is no file, everything is allowed.
//   - 5xx, 429 and every other number, 0 for a network error: unreachable. The file forbids everything and again is
//     true: the caller retries with growing pauses and then fails the host's URLs.
func FromStatus(status int, body []byte) (f *File, again bool) {
	switch {
	case status >= 200 && status < 300:
		return Parse(body), false
	case status >= 300 && status < 500 && status != 429:
		return AllowAll(), false
	}
	return DisallowAll(), true
}

// Allowed reports whether a robot may fetch rawURL. agent is its product token ("winnow") or its whole User-Agent
// header ("winnow/1.0 (+https://…)", "Mozilla/5.0 (compatible; winnow/1.0)"); the case of letters doesn't count.
// rawURL is absolute or begins with a slash; its fragment doesn't count, its query does. A text
// that is no URL is judged as the site's root. /robots.txt is always allowed. Where thousands of wildcard rules meet
// a very long URL, what is too costly to compare counts as forbidden.
func (f *File) Allowed(agent, rawURL string) bool {
	if !f.closed && len(f.groups.rules) == 0 { // most sites
		return true
	}
	t := targetOf(rawURL)
	if t.isRobotsTxt() {
		return true
	}
	if f.closed {
		return false
	}
	r := f.groups.decide(tokenOfAgent(agent), t)
	return r == nil || r.allow
}

// Rule returns the line that decides about rawURL, as in the file but without comment and at most 200 bytes of it,
// to show a user why. ok is false when no line does: no rule matches, or the file isn't a text (AllowAll, DisallowAll).
// The arguments are those of Allowed.
func (f *File) Rule(agent, rawURL string) (line string, ok bool) {
	t := targetOf(rawURL)
	if f.closed || t.isRobotsTxt() {
		return "", false
	}
	r := f.groups.decide(tokenOfAgent(agent), t)
	if r == nil {
		return "", false
	}
	return r.line, true
}

// CrawlDelay returns the pause between two fetches that the file requires of agent, at most 24 hours. ok is false when it requires
// none, or zero. A robot with a group of its own doesn't inherit the delay of "*".
// RFC 9309 doesn't know the directive: it counts for the user-agent lines right above it, also where
// other user-agent lines follow without a rule in between.
func (f *File) CrawlDelay(agent string) (delay time.Duration, ok bool) {
	return f.extras.crawlDelay(tokenOfAgent(agent))
}

// Sitemaps returns the absolute http and https addresses of the file's Sitemap lines, in any group: in order,
// as written but for spaces inside, which come as %20; without duplicates, at most 1000.
// The caller may change the slice.
func (f *File) Sitemaps() []string { return append([]string(nil), f.extras.sitemaps...) }

// targetOf is the part of a URL that rules look at.
func targetOf(rawURL string) target {
	if strings.HasPrefix(rawURL, "/") {
		rawURL = "http://host.invalid" + rawURL
	}
	href, err := weburl.Parse(rawURL)
	if err != nil || weburl.Host(href) == "" {
		return newTarget("/")
	}
	href, _, _ = strings.Cut(href, "#")
	_, rest, _ := strings.Cut(href, "://")
	return newTarget(rest[strings.IndexByte(rest, '/'):])
}
