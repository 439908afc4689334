package fetch

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// maxURL bounds a URL, in bytes. Browsers stop at 2 MiB; response headers can't hold more than 256 KiB.
const maxURL = 256 << 10

// maxAuthority bounds user name, password and host of a URL, in bytes. The parser's time grows with the
// square of their length: 250 kB of "a@" take minutes.
const maxAuthority = 4 << 10

// defaultPorts is read only.
var defaultPorts = map[string]string{"http": "80", "https": "443"}

// place is one URL on the way of a Do.
type place struct {
	w    *whatwg.Url
	wire *url.URL // for the request line; it reproduces the path byte for byte
	port string   // always there, also where the URL leaves the default out
}

// parsePlace reads an absolute http or https URL.
func parsePlace(raw string) (*place, error) {
	if len(raw) > maxURL || authorityLen(raw) > maxAuthority {
		return nil, fmt.Errorf("URL has %d bytes: want at most %d, and at most %d for the host: %w", len(raw), maxURL, maxAuthority, ErrURL)
	}
	w, err := whatwg.Parse(raw)
	if err != nil {
		return nil, ErrURL
	}
	return newPlace(w)
}

func newPlace(w *whatwg.Url) (*place, error) {
	if s := w.Scheme(); s != "http" && s != "https" || w.Hostname() == "" {
		return nil, ErrURL
	}
	port := w.Port()
	if port == "" {
		port = defaultPorts[w.Scheme()]
	}
	return &place{w: w, wire: wireURL(w), port: port}, nil
}

// wireURL is the URL for net/http. What WHATWG allows in a path and net/url does not (a bare %) goes through
// as an opaque path; only a path that also begins with // can't be sent so and has its bad % escaped.
func wireURL(w *whatwg.Url) *url.URL {
	u := &url.URL{Scheme: w.Scheme(), Host: w.Host(), RawQuery: w.Query()}
	u.ForceQuery = u.RawQuery == "" && strings.HasSuffix(w.Href(true), "?")
	path := w.Pathname()
	decoded, err := url.PathUnescape(path)
	if u.Path, u.RawPath = decoded, path; err == nil && u.EscapedPath() == path {
		return u
	}
	u.Path, u.RawPath = path, ""
	if !strings.HasPrefix(path, "//") {
		u.Opaque = path
	}
	return u
}

// absolute is the URL for the request line to a proxy: with scheme and host, and the path byte for byte.
func (p *place) absolute() *url.URL {
	u := *p.wire
	u.Opaque = "//" + u.Host + p.w.Pathname() // net/http puts the scheme before it
	return &u
}

// href is the URL with its fragment, without user name and password.
func (p *place) href() string {
	if p.w.Username() == "" && p.w.Password() == "" {
		return p.w.Href(false)
	}
	clean := p.w.Clone()
	clean.SetUsername("")
	clean.SetPassword("")
	return clean.Href(false)
}

// key is the URL without its fragment: what the server sees.
func (p *place) key() string { return p.w.Href(true) }

// sameOrigin reports whether the caller's secrets for p may go to q.
func (p *place) sameOrigin(q *place) bool {
	if p.w.Hostname() != q.w.Hostname() {
		return false
	}
	if p.w.Scheme() == q.w.Scheme() && p.port == q.port {
		return true
	}
	// The upgrade of a host's standard ports: the secret has been on the wire in the clear already.
	return p.w.Scheme() == "http" && p.port == "80" && q.w.Scheme() == "https" && q.port == "443"
}

// next resolves a Location header against p. A fragment is inherited where the Location has none.
func (p *place) next(location string) (*place, error) {
	location = asUTF8(location)
	if len(location) > maxURL || authorityLen(location) > maxAuthority {
		return nil, ErrURL
	}
	w, err := p.w.Parse(location)
	if err != nil {
		return nil, ErrURL
	}
	if w.Fragment() == "" && p.w.Fragment() != "" && !strings.Contains(location, "#") {
		w.SetHash(p.w.Fragment())
	}
	return newPlace(w)
}

// authorityLen is the length of what the parser will read as user name, password and host.
func authorityLen(raw string) int {
	i := strings.IndexAny(raw, `:/\?#`)
	absolute := i >= 0 && raw[i] == ':'
	if absolute {
		raw = raw[i+1:]
	}
	raw = strings.TrimLeft(raw, "\x00 \t\r\n")
	rest := strings.TrimLeft(raw, "/\\\t\r\n")
	if !absolute && len(raw)-len(rest) < 2 {
		return 0
	}
	if i = strings.IndexAny(rest, `/\?#`); i >= 0 {
		return i
	}
	return len(rest)
}

// asUTF8 escapes the bytes of a Location that isn't UTF-8, as browsers do.
func asUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] < 0x80 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

// authorize adds the user name and password of the URL, unless the caller has set an Authorization header.
func (p *place) authorize(r *http.Request) {
	if p.w.Username() == "" && p.w.Password() == "" || r.Header.Get("Authorization") != "" {
		return
	}
	user, err1 := url.PathUnescape(p.w.Username())
	password, err2 := url.PathUnescape(p.w.Password())
	if err1 == nil && err2 == nil {
		r.SetBasicAuth(user, password)
	}
}
