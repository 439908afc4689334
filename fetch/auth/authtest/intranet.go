// Package authtest is an intranet for tests. It may change without notice. Its sites vouch for themselves by an authority of their own and
// want Basic, Digest, NTLM, Negotiate, a client certificate or a login by form; its traps count what leaks to them.
//
// Start from New.
//
//	intranet.go   Intranet: names, servers, what leaked
//	authority.go  its authority
//	sites.go      the pages of each site, and who gets them
//	digest.go     the server's side of Digest
//	ntlm.go       the server's side of NTLM
//	forms.go      logins by form
package authtest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
)

// Domain is that of the sites: "basic", "digest", "ntlm", "negotiate", "cert", "form" and "formtext" are below it.
const Domain = "corp.test"

// TrapHost is a host of another owner, over TLS and the port of the sites.
const TrapHost = "trap.evil.test"

// User of all sites, and the passwords by site. Token is what Negotiate wants.
const (
	User  = "ann-account"
	Token = "s3cret-kerberos-token"
)

// Password is that of a site.
func Password(site string) string { return "s3cret-" + site + "-word" }

// Intranet is the servers. It is safe for concurrent use; close it.
type Intranet struct {
	// Roots has the authority of the sites, and Certificate is what "cert" wants of a client.
	Roots       *x509.CertPool
	Certificate tls.Certificate

	site, other, plain *httptest.Server

	mu       sync.Mutex
	secrets  []string
	leaks    []string
	trapped  int
	seen     map[string]int // requests for pages, and logins, by site
	sessions map[string]bool
}

// New starts one. Its error is that of the authority.
func New() (*Intranet, error) {
	a, err := newAuthority()
	if err != nil {
		return nil, err
	}
	n := &Intranet{seen: map[string]int{}, sessions: map[string]bool{}, Roots: a.pool()}
	for _, site := range []string{"basic", "digest", "ntlm", "form", "formtext"} {
		n.secrets = append(n.secrets, Password(site))
	}
	n.secrets = append(n.secrets, Token)
	if n.Certificate, err = a.issue("ann", false); err != nil {
		return nil, err
	}
	server, err := a.issue("sites", true)
	if err != nil {
		return nil, err
	}
	choose := func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		cfg := &tls.Config{Certificates: []tls.Certificate{server}, NextProtos: []string{"http/1.1"}, ClientAuth: tls.RequestClientCert}
		if h.ServerName == "cert."+Domain {
			cfg.ClientAuth, cfg.ClientCAs = tls.RequireAndVerifyClientCert, n.Roots
		}
		return cfg, nil
	}
	n.site = start(n.serve, &tls.Config{Certificates: []tls.Certificate{server}, GetConfigForClient: choose})
	n.other = start(n.trap, &tls.Config{Certificates: []tls.Certificate{server}, ClientAuth: tls.RequestClientCert})
	n.plain = start(n.trap, nil)
	return n, nil
}

func start(handler http.HandlerFunc, cfg *tls.Config) *httptest.Server {
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connection{}, new(ntlmState))
	}
	if s.TLS = cfg; cfg != nil {
		s.StartTLS()
	} else {
		s.Start()
	}
	return s
}

// Close ends the servers.
func (n *Intranet) Close() {
	for _, s := range []*httptest.Server{n.site, n.other, n.plain} {
		s.Close()
	}
}

// URL is an address on a site.
func (n *Intranet) URL(site, path string) string { return n.Origin(site) + path }

// Origin is that of a site, as in a pattern.
func (n *Intranet) Origin(site string) string {
	return "https://" + site + "." + Domain + ":" + portOf(n.site)
}

// Other is the origin of a site's host on another port, which is a trap.
func (n *Intranet) Other(site string) string {
	return "https://" + site + "." + Domain + ":" + portOf(n.other)
}

// Trap is an address on the host of another owner.
func (n *Intranet) Trap(path string) string {
	return "https://" + TrapHost + ":" + portOf(n.site) + path
}

func portOf(s *httptest.Server) string {
	u, _ := url.Parse(s.URL) // httptest's own
	return u.Port()
}

// LookupNetIP resolves every name to this machine, as a fetch.Resolver.
func (n *Intranet) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// Secrets are all that must not be found outside: passwords, tokens, and the cookies of sessions so far.
func (n *Intranet) Secrets() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.secrets...)
}

// Leaks are the requests to traps that held something secret; trapped is how many requests there were.
func (n *Intranet) Leaks() (leaks []string, trapped int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.leaks...), n.trapped
}

// Seen counts requests by site and kind: "basic page", "form login" and so on.
func (n *Intranet) Seen(what string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen[what]
}

func (n *Intranet) count(what string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen[what]++
}

// trap answers a request that must not hold anything secret, and notes what it does.
func (n *Intranet) trap(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	text := fmt.Sprintf("%s %s%s %v %s", r.Method, r.Host, r.RequestURI, r.Header, body)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.trapped++
	certified := r.TLS != nil && len(r.TLS.PeerCertificates) > 0
	if r.Header.Get("Authorization") != "" || strings.Contains(text, "s3cret") || strings.Contains(text, User) || certified {
		n.leaks = append(n.leaks, text)
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, `<title>Trap</title><p>a page of another owner</p><a href="%s">inside</a>`, n.URL("basic", "/led"))
}
