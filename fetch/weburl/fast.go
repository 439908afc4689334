package weburl

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// The state machine of the standard works code point by code point. Nearly all links of real pages
// are plain ASCII that it hands through unchanged, so these are joined as strings. Whatever is
// not surely plain is left to the state machine; a fuzz test holds both ways equal.

const (
	inPath  = 1 << iota // stays as it is in a path
	inQuery             // stays as it is in a query
	inFrag              // stays as it is in a fragment
	inHost              // may stand in a plain lower-case host name
)

// charClass says where a byte stays as it is. Only bytes that are plain everywhere are listed,
// so an unusual one costs time, never correctness.
var charClass = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = inPath|inQuery|inFrag|inHost, inPath|inQuery|inFrag
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = inPath | inQuery | inFrag | inHost
	}
	for _, c := range "_~!$&()*+,;=:@%/" {
		t[c] = inPath | inQuery | inFrag
	}
	t['-'], t['.'] = inPath|inQuery|inFrag|inHost, inPath|inQuery|inFrag|inHost
	t['?'] = inQuery | inFrag
	return t
}()

// fastBase holds the parts of an http(s) base as strings; the zero value resolves nothing.
type fastBase struct {
	scheme string // "https:"
	origin string // scheme, credentials, host and port; no slash at the end
	path   string // begins with a slash
	dir    string // path up to and with its last slash
	query  string // with its "?", or empty
}

func newFastBase(u *url.Url) fastBase {
	if s := u.Scheme(); s != "http" && s != "https" {
		return fastBase{}
	}
	href, path := u.Href(true), u.Pathname()
	origin := strings.Index(href, "//") + 2
	origin += strings.IndexByte(href[origin:], '/')
	return fastBase{
		scheme: u.Scheme() + ":",
		origin: href[:origin],
		path:   path,
		dir:    path[:strings.LastIndexByte(path, '/')+1],
		query:  href[origin+len(path):],
	}
}

func (b fastBase) resolve(ref string) (string, bool) {
	if b.origin == "" || len(ref) > MaxLength {
		return "", false
	}
	if ref == "" {
		return b.origin + b.path + b.query, true
	}
	switch ref[0] {
	case '#':
		return b.origin + b.path + b.query + ref, plain(ref[1:], inFrag)
	case '?':
		return b.origin + b.path + ref, plainQuery(ref)
	case '/':
		if strings.HasPrefix(ref, "//") {
			return fastAbsolute(b.scheme + ref)
		}
		return b.origin + ref, plainPath(ref)
	case 'h':
		if href, ok := fastAbsolute(ref); ok {
			return href, true
		}
	}
	return b.relative(ref)
}

// relative joins a reference such as "page", "./page?x" or "../page".
func (b fastBase) relative(ref string) (string, bool) {
	dir := b.dir
	for {
		if rest, ok := strings.CutPrefix(ref, "./"); ok {
			ref = rest
		} else if rest, ok := strings.CutPrefix(ref, "../"); ok {
			ref, dir = rest, parent(dir)
		} else {
			break
		}
	}
	if ref == "" || ref[0] == '/' || ref[0] == '?' || ref[0] == '#' || ref[0] == '.' || hasScheme(ref) {
		return "", false
	}
	return b.origin + dir + ref, plainPath(ref)
}

// parent drops the last segment of a directory path that ends in a slash.
func parent(dir string) string {
	if len(dir) < 2 {
		return "/"
	}
	return dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
}

// hasScheme reports a colon in the first segment: the text may be "mailto:x".
func hasScheme(ref string) bool {
	i := strings.IndexAny(ref, ":/?#")
	return i >= 0 && ref[i] == ':'
}

// fastAbsolute accepts http(s)://name/… that the standard leaves as it is.
func fastAbsolute(s string) (string, bool) {
	if len(s) > MaxLength {
		return "", false
	}
	usual := "443"
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(s, "http://"); !ok {
			return "", false
		}
		usual = "80"
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		return s + "/", plainPlace(rest, usual)
	}
	if !plainPlace(rest[:end], usual) {
		return "", false
	}
	if rest[end] == '/' {
		return s, plainPath(rest[end:])
	}
	return s[:len(s)-len(rest)+end] + "/" + rest[end:], plainPath("/" + rest[end:])
}

// plainPlace accepts a plain name or IPv4 address, alone or with a port that isn't the scheme's usual one.
func plainPlace(s, usual string) bool {
	host, port, ok := strings.Cut(s, ":")
	if ok && !plainPort(port, usual) {
		return false
	}
	return plainHost(host) || plainIPv4(host)
}

func plainPort(s, usual string) bool {
	if s == "" || s == usual || s[0] == '0' {
		return false
	}
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

// plainIPv4 accepts an address in the form in which it is written back: four decimal numbers.
func plainIPv4(s string) bool {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return false
	}
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is4()
}

// plainHost accepts lower-case names of letters, digits, dots and single hyphens whose last label
// is of letters only, so that neither an IPv4 address nor punycode is among them.
func plainHost(h string) bool {
	if h == "" || len(h) > 253 || strings.Contains(h, "--") || !plain(h, inHost) {
		return false
	}
	for label := range strings.SplitSeq(h, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	last := h[strings.LastIndexByte(h, '.')+1:]
	return strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") == ""
}

// plainPath accepts a path without dot segments, with the query and fragment after it.
func plainPath(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '?' || c == '#' {
			return plainQuery(s[i:])
		}
		if charClass[c]&inPath == 0 {
			return false
		}
		if (c == '.' || c == '%') && (i == 0 || s[i-1] == '/') {
			return false // may be a dot segment, also as %2e
		}
	}
	return true
}

// plainQuery accepts "?query#fragment" and "#fragment".
func plainQuery(s string) bool {
	query, fragment, found := strings.Cut(s, "#")
	return plain(query, inQuery) && (!found || plain(fragment, inFrag))
}

func plain(s string, class uint8) bool {
	for i := 0; i < len(s); i++ {
		if charClass[s[i]]&class == 0 {
			return false
		}
	}
	return true
}
