package fetchtest

import (
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
)

// errServed ends a connection after a plain request.
var errServed = errors.New("served")

// ConnectOnly makes the proxy refuse CONNECT to all ports but one, as Squid does for all but 443.
func (p *Proxy) ConnectOnly(port string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.only = port
}

// Name makes the proxy connect to an address where name:port is requested.
func (p *Proxy) Name(nameport, hostport string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names = maps.Clone(p.names)
	if p.names == nil {
		p.names = map[string]string{}
	}
	p.names[nameport] = hostport
}

// Heads are the plain requests that the proxy got, in order: the request line without the version, and the sorted header.
func (p *Proxy) Heads() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.heads)
}

func (p *Proxy) mayConnect(target string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, port, _ := net.SplitHostPort(target)
	return p.only == "" || p.only == port
}

// forward serves one plain request in absolute form, and closes the connection.
func (p *Proxy) forward(c net.Conn, r *http.Request) error {
	if r.URL.Scheme != "http" || r.URL.Host == "" {
		_, _ = io.WriteString(c, "HTTP/1.1 400 Not a proxy request\r\nContent-Length: 0\r\n\r\n")
		return errServed
	}
	p.note(r)
	target := r.URL.Host
	if r.URL.Port() == "" {
		target = net.JoinHostPort(r.URL.Hostname(), "80")
	}
	site, err := p.dial(target)
	if err != nil {
		_, _ = io.WriteString(c, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
		return err
	}
	defer site.Close()
	r.Header.Del("Proxy-Authorization")
	r.Close = true
	if err := r.Write(site); err != nil {
		return err
	}
	_, err = io.Copy(c, site)
	return errors.Join(errServed, err)
}

// note keeps the head of a plain request.
func (p *Proxy) note(r *http.Request) {
	lines := []string{}
	for name, values := range r.Header {
		lines = append(lines, name+": "+strings.Join(values, ", "))
	}
	slices.Sort(lines)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heads = append(p.heads, r.Method+" "+r.RequestURI+"\nHost: "+r.Host+"\n"+strings.Join(lines, "\n"))
}
