package auth

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"sync"
	"time"
)

// maxLogins bounds the origins of which something is remembered: a pattern with "*." stands for any number.
const maxLogins = 1000

// Access is what a program has for the sites of its intranet. A nil Access has nothing. It is safe for concurrent use.
type Access struct {
	credentials []matched[Credentials]
	tls         []matched[TLS]
	identity    string
	now         func() time.Time

	mu     sync.Mutex
	logins map[Origin]*Login
}

// matched is an option with its pattern.
type matched[T any] struct {
	pattern pattern
	option  *T
}

// New makes an Access; nil for no options. Its error is an *OptionError. Nil for now is time.Now.
func New(credentials []Credentials, list []TLS, now func() time.Time) (*Access, error) {
	if len(credentials) == 0 && len(list) == 0 {
		return nil, nil
	}
	a := &Access{logins: map[Origin]*Login{}, now: now}
	if now == nil {
		a.now = time.Now
	}
	for i, c := range credentials {
		place := fmt.Sprintf("Credentials[%d]", i)
		p, err := parsePattern(c.For)
		if err != nil {
			return nil, &OptionError{place + ".For", c.For, wantPattern, err}
		}
		if err := c.check(place); err != nil {
			return nil, err
		}
		a.credentials = append(a.credentials, matched[Credentials]{p, &c})
	}
	for i, t := range list {
		p, err := parsePattern(t.For)
		if err != nil || p.Scheme != "https" {
			return nil, &OptionError{fmt.Sprintf("TLS[%d].For", i), t.For, wantPattern + ", and not http", err}
		}
		if t.RootCAs == nil && len(t.Certificates) == 0 {
			return nil, &OptionError{fmt.Sprintf("TLS[%d]", i), t.For, "RootCAs, Certificates or both", nil}
		}
		a.tls = append(a.tls, matched[TLS]{p, &t})
	}
	a.identity = a.fingerprint()
	return a, nil
}

// fingerprint stands for who the program is, without its passwords, which could else be guessed from it.
func (a *Access) fingerprint() string {
	sum := sha256.New()
	for _, c := range a.credentials {
		fmt.Fprintf(sum, "%q %q %q\n", c.option.For, c.option.Method, c.option.User)
	}
	for _, t := range a.tls {
		for _, c := range t.option.Certificates {
			fmt.Fprintf(sum, "%q %x\n", t.option.For, c.Certificate)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// find is the first option whose pattern matches; nil for none.
func find[T any](list []matched[T], o Origin) *T {
	for _, m := range list {
		if m.pattern.matches(o) {
			return m.option
		}
	}
	return nil
}

// Knows reports whether the certificate of an origin is always verified: that of each that a pattern matches.
func (a *Access) Knows(o Origin) bool {
	if a == nil || o.Scheme != "https" {
		return false
	}
	o = o.canonical()
	return find(a.tls, o) != nil || find(a.credentials, o) != nil
}

// Named reports whether an origin gets credentials or a client certificate.
func (a *Access) Named(o Origin) bool {
	if a == nil {
		return false
	}
	o = o.canonical()
	if t := find(a.tls, o); t != nil && len(t.Certificates) > 0 {
		return true
	}
	return find(a.credentials, o) != nil
}

// Begins reports whether a page at an address may use credentials, its own and those of others: it is on an origin that gets some, or on
// the usual http port of a host that does on the usual port of https. No other page can, whatever it leads to or is made of.
func (a *Access) Begins(href string) bool {
	if a == nil {
		return false
	}
	o := OriginOf(href)
	return a.Named(o) || a.Named(o.upgraded())
}

// Strange reports whether a page must not lead to an address: that gets credentials, and the page can't use any.
func (a *Access) Strange(from, to string) bool { return a.Begins(to) && !a.Begins(from) }

// Identity stands for who gets the page at an address, for the keys of caches; "" is anyone. It changes with every account, method,
// pattern or client certificate, of whichever origin, but not with a password.
func (a *Access) Identity(href string) string {
	if !a.Begins(href) {
		return ""
	}
	return a.identity
}

// Configure makes a TLS configuration that of an origin. Trusted: the client may show a certificate.
func (a *Access) Configure(cfg *tls.Config, o Origin, trusted bool) {
	if !a.Knows(o) {
		return
	}
	cfg.InsecureSkipVerify, cfg.ClientSessionCache = false, nil
	find(a.tls, o.canonical()).apply(cfg, trusted)
}

// Login is what an origin gets; nil for nothing.
func (a *Access) Login(o Origin) *Login {
	if a == nil {
		return nil
	}
	o = o.canonical()
	c := find(a.credentials, o)
	if c == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.logins[o]
	if l == nil {
		if len(a.logins) >= maxLogins {
			clear(a.logins)
		}
		l = newLogin(o, c, a.now)
		a.logins[o] = l
	}
	return l
}
