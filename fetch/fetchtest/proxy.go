package fetchtest

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Proxy is an upstream proxy on loopback that speaks HTTP and SOCKS5, distinguished by the first byte. It
// connects to every requested target. It is safe for concurrent use.
type Proxy struct {
	user, password string
	ln             net.Listener
	wg             sync.WaitGroup

	mu      sync.Mutex
	only    string            // the port that CONNECT may go to; "" for any
	names   map[string]string // what names mean
	targets []string
	heads   []string
	conns   []net.Conn
}

// handshakeTime bounds how long a client of the proxy may take to send its request.
const handshakeTime = 10 * time.Second

// NewProxy starts a proxy that ends with the test. With a user it requires that user and password.
func NewProxy(t testing.TB, user, password string) *Proxy {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{user: user, password: password, ln: ln}
	p.wg.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// Host is the proxy's host:port.
func (p *Proxy) Host() string { return p.ln.Addr().String() }

// URL is the proxy's address for a scheme (http, socks5, socks5h), with the user and password if it has one.
func (p *Proxy) URL(scheme string) string {
	if p.user == "" {
		return scheme + "://" + p.Host()
	}
	return scheme + "://" + p.user + ":" + p.password + "@" + p.Host()
}

// Targets are the addresses that were requested from the proxy, in order, as they were written.
func (p *Proxy) Targets() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.targets)
}

func (p *Proxy) close() {
	p.ln.Close()
	p.mu.Lock()
	for _, c := range p.conns {
		c.Close()
	}
	p.mu.Unlock()
	p.wg.Wait()
}

func (p *Proxy) accept() {
	for {
		c, err := p.ln.Accept()
		if err != nil {
			return
		}
		p.keep(c)
		p.wg.Go(func() { p.serve(c) })
	}
}

func (p *Proxy) keep(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, c)
}

func (p *Proxy) serve(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(handshakeTime))
	br := bufio.NewReader(c)
	first, err := br.Peek(1)
	if err != nil {
		return
	}
	var site net.Conn
	if first[0] == 5 {
		site, err = p.socks(c, br)
	} else {
		site, err = p.http(c, br)
	}
	if err != nil {
		return
	}
	defer site.Close()
	_ = c.SetDeadline(time.Time{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(c, site)
		c.Close()
	}()
	_, _ = io.Copy(site, br)
	site.Close()
	<-done
}

// dial connects to a target and notes it.
func (p *Proxy) dial(target string) (net.Conn, error) {
	p.mu.Lock()
	p.targets = append(p.targets, target)
	at := cmp.Or(p.names[target], target)
	p.mu.Unlock()
	c, err := net.DialTimeout("tcp", at, handshakeTime)
	if err == nil {
		p.keep(c)
	}
	return c, err
}

func (p *Proxy) http(c net.Conn, br *bufio.Reader) (net.Conn, error) {
	r, err := http.ReadRequest(br)
	if err != nil {
		return nil, err
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(p.user+":"+p.password))
	if p.user != "" && r.Header.Get("Proxy-Authorization") != want {
		_, _ = io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
		return nil, errors.New("no credentials")
	}
	if r.Method != http.MethodConnect {
		return nil, p.forward(c, r)
	}
	if !p.mayConnect(r.Host) {
		_, _ = io.WriteString(c, "HTTP/1.1 403 Port\r\nContent-Length: 0\r\n\r\n")
		return nil, errors.New("refused port")
	}
	site, err := p.dial(r.Host)
	if err != nil {
		_, _ = io.WriteString(c, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
		return nil, err
	}
	_, err = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	return site, err
}

// socks is the server's side of RFC 1928 and 1929.
func (p *Proxy) socks(c net.Conn, br *bufio.Reader) (net.Conn, error) {
	if err := p.socksLogin(c, br); err != nil {
		return nil, err
	}
	head := make([]byte, 4)
	if _, err := io.ReadFull(br, head); err != nil {
		return nil, err
	}
	target, err := socksTarget(br, head[3])
	if err != nil {
		return nil, err
	}
	site, err := p.dial(target)
	code := byte(0)
	if err != nil {
		code = 5 // refused
	}
	if _, werr := c.Write([]byte{5, code, 0, 1, 0, 0, 0, 0, 0, 0}); werr != nil {
		err = errors.Join(err, werr)
	}
	return site, err
}

func (p *Proxy) socksLogin(c net.Conn, br *bufio.Reader) error {
	head := make([]byte, 2)
	if _, err := io.ReadFull(br, head); err != nil {
		return err
	}
	methods := make([]byte, head[1])
	if _, err := io.ReadFull(br, methods); err != nil {
		return err
	}
	if p.user == "" {
		_, err := c.Write([]byte{5, 0})
		return err
	}
	if !slices.Contains(methods, 2) {
		_, _ = c.Write([]byte{5, 0xff})
		return errors.New("no credentials")
	}
	if _, err := c.Write([]byte{5, 2}); err != nil {
		return err
	}
	if _, err := br.ReadByte(); err != nil {
		return err
	}
	user, err1 := socksString(br)
	password, err2 := socksString(br)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if user != p.user || password != p.password {
		_, _ = c.Write([]byte{1, 1})
		return errors.New("wrong credentials")
	}
	_, err := c.Write([]byte{1, 0})
	return err
}

func socksString(br *bufio.Reader) (string, error) {
	n, err := br.ReadByte()
	if err != nil {
		return "", err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(br, b)
	return string(b), err
}

func socksTarget(br *bufio.Reader, kind byte) (string, error) {
	var host string
	switch kind {
	case 1, 4:
		b := make([]byte, map[byte]int{1: 4, 4: 16}[kind])
		if _, err := io.ReadFull(br, b); err != nil {
			return "", err
		}
		a, _ := netip.AddrFromSlice(b)
		host = a.String()
	case 3:
		var err error
		if host, err = socksString(br); err != nil {
			return "", err
		}
	default:
		return "", fmt.Errorf("address kind %d", kind)
	}
	port := make([]byte, 2)
	if _, err := io.ReadFull(br, port); err != nil {
		return "", err
	}
	return net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(port)))), nil
}
