package serving

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// listen opens an address.
func listen(flag, addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("-%s: %w", flag, err)
	}
	return l, nil
}

// listenLoopback opens an address that only this machine reaches. It checks the opened address: a name such as localhost proves nothing.
func listenLoopback(flag, addr, why string) (net.Listener, error) {
	l, err := listen(flag, addr)
	if err != nil {
		return nil, err
	}
	if !isLoopback(l.Addr()) {
		return nil, errors.Join(fmt.Errorf("-%s %s is not a loopback address: %s", flag, addr, why), l.Close())
	}
	return l, nil
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// baseOf is the URL of a listener, as far as its address shows: one that listens everywhere is reachable on this machine at least.
func baseOf(l net.Listener, secure bool) string {
	scheme := "http://"
	if secure {
		scheme = "https://"
	}
	at := netip.MustParseAddrPort(l.Addr().String())
	if at.Addr().IsUnspecified() {
		return fmt.Sprintf("%slocalhost:%d", scheme, at.Port())
	}
	return scheme + at.String()
}

// localOnly refuses requests under another name than this machine's own: a web page whose name was made to point here sends such. It
// refuses those of other pages too, which could start a profile by a picture's address.
func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLocalName(r.Host) || r.Header.Get("Origin") != "" || !ownSite(r) {
			http.Error(w, "this address answers only under names of this machine", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownSite reports whether a request comes from a person, a program, or a page of this address.
func ownSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "none" || site == "same-origin"
}

func isLocalName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
