package httpapi

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/httpapi/internal/uploads"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/engine/monitor"
)

// caller is who sent a request.
type caller struct {
	team   string
	hash   [sha256.Size]byte // of the key; zero: anonymous
	limits Limits
}

// authenticate returns who sent the request, or why it is refused.
func (a *api) authenticate(r *http.Request) (caller, error) {
	header := r.Header.Get("Authorization")
	if len(r.Header.Values("Authorization")) > 1 { // a proxy in between may have read the other one
		return caller{}, errUnauthorized
	}
	if secret := socketKey(r); header == "" && secret != "" {
		header = "Bearer " + secret
	}
	if header == "" {
		if u := a.uploader(r); u != nil {
			return a.callerOf(u.Owner), nil
		}
		return a.anonymous(r)
	}
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "bearer") {
		return caller{}, errUnauthorized
	}
	if len(a.options.Keys) == 0 { // clients that insist on a key may send any key
		return a.anonymous(r)
	}
	key := a.key(strings.TrimSpace(secret))
	if key == nil {
		return caller{}, errUnauthorized
	}
	return a.callerWith(key), nil
}

// callerWith is the caller of a key.
func (a *api) callerWith(key *Key) caller {
	c := caller{team: key.Team, hash: key.hash, limits: a.options.Limits}
	if key.Limits != nil {
		c.limits = *key.Limits
	}
	return c
}

// callerOf is the caller that a reference to upload a file was issued to.
func (a *api) callerOf(o uploads.Owner) caller {
	for i := range a.options.Keys {
		if key := &a.options.Keys[i]; key.hash == o.Key {
			return a.callerWith(key)
		}
	}
	return caller{team: o.Team, hash: o.Key, limits: a.options.Limits} // anonymous
}

// key finds the key of a secret. It looks at all of them, each in constant time, so that the time reveals nothing.
func (a *api) key(secret string) (found *Key) {
	hash := sha256.Sum256([]byte(secret))
	for i := range a.options.Keys {
		k := &a.options.Keys[i]
		if subtle.ConstantTimeCompare(k.hash[:], hash[:]) == 1 {
			found = k
		}
	}
	return found
}

// anonymous lets a request without a key in. A page of another site, in a browser on this machine, must not get here: neither
// under a name of its own that resolves to this address (Host), nor by a form or script (Origin, content type).
func (a *api) anonymous(r *http.Request) (caller, error) {
	switch {
	case !a.options.Anonymous:
		return caller{}, errUnauthorized
	case !a.allowedHost(r.Host):
		return caller{}, refusal(codeForbidden, "without a key, this Host is not served")
	case !a.allowedOrigin(r):
		return caller{}, refusal(codeForbidden, "without a key, pages of other origins are not served")
	case !allowedContent(r):
		return caller{}, refusal(codeContentType, "without a key, a body must be sent as application/json, or to parse as multipart/form-data")
	}
	return caller{team: AnonymousTeam, limits: a.options.Limits}, nil
}

func (a *api) allowedHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	return slices.ContainsFunc(a.options.AllowedHosts, func(allowed string) bool { return strings.EqualFold(allowed, name) })
}

// allowedOrigin accepts no header, as programs send none, this handler's own pages, and those of Options.Origins.
func (a *api) allowedOrigin(r *http.Request) bool {
	if a.namedOrigin(r) {
		return true
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	if err != nil || len(origins) > 1 {
		return false
	}
	base, _ := url.Parse(a.options.BaseURL)
	return strings.EqualFold(u.Host, r.Host) || base.Host != "" && strings.EqualFold(u.Host, base.Host)
}

// allowedContent refuses the types that a page can send anywhere without asking; a form with a file is one of them, but never without an
// Origin.
func allowedContent(r *http.Request) bool {
	if r.ContentLength == 0 {
		return true
	}
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "application/json" || kind == "multipart/form-data" && r.URL.Path == parsePath
}

// reserveFor implements [monitor.Reserve]: a check of a team's monitor uses what the team has left, as its requests do. Owners that no key
// is of, and that are not anonymous, aren't bounded here.
func (a *api) reserveFor(ctx context.Context, team string, lowest, highest int64) (monitor.Hold, error) {
	l, known := a.limitsOf(team)
	if !known {
		return monitor.Hold{Credits: highest}, nil
	}
	h := a.credits.Hold(team, l.Credits)
	can, err := h.ReserveUpTo(ctx, lowest, highest)
	if errors.Is(err, quota.ErrNoCredits) {
		err = fmt.Errorf("%s: %w", codeNoCredits, err)
	}
	return monitor.Hold{Credits: can, Pages: min(l.Pages, decode.MaxConcurrency), KeepFor: h.KeepFor, Release: h.Release}, err
}

// limitsOf a team are the widest of its keys'.
func (a *api) limitsOf(team string) (widest Limits, known bool) {
	for _, k := range a.options.Keys {
		if k.Team == team {
			widest, known = wider(widest, a.callerWith(&k).limits, known), true
		}
	}
	if a.options.Anonymous && team == AnonymousTeam {
		widest, known = wider(widest, a.options.Limits, known), true
	}
	return widest, known
}

// wider is the wider of two limits of credits and pages, 0 of which is none; both: there is more than l.
func wider(l, other Limits, both bool) Limits {
	if !both {
		return other
	}
	if other.Credits == 0 || l.Credits != 0 && other.Credits > l.Credits {
		l.Credits = other.Credits
	}
	if other.Pages <= 0 || l.Pages > 0 && other.Pages > l.Pages {
		l.Pages = other.Pages
	}
	return l
}
