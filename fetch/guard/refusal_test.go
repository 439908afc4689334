package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// logBook keeps what is logged from level Info on.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBook) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func (l *logBook) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(strings.TrimSpace(l.b.String()), "\n")
}

func (l *logBook) count(text string) int {
	n := 0
	for _, line := range l.lines() {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// answers is a name server that gives one address after the other for any name, the last one for ever.
type answers struct {
	mu    sync.Mutex
	addrs []string
	n     int
}

func (a *answers) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	addr := a.addrs[min(a.n, len(a.addrs)-1)]
	a.n++
	return []netip.Addr{netip.MustParseAddr(addr)}, nil
}

// public keeps to the default policy, with a name server of the test's own, and fails the test when anything
// but the public addresses is dialed; those lead to site.
func public(t *testing.T, r fetch.Resolver, site string) func(*fetch.Options) {
	return func(o *fetch.Options) {
		o.Policy, o.Resolver = nil, r
		o.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if !strings.HasPrefix(addr, "93.184.215.14:") {
				t.Errorf("dialled %s", addr)
				return nil, errors.New("not for dialling")
			}
			return (&net.Dialer{}).DialContext(ctx, network, site)
		}
	}
}

// refusedBoth asks for a target by a plain request and by a tunnel and expects that both are refused.
func refusedBoth(t *testing.T, l *Lease, hostport string) {
	t.Helper()
	for _, request := range []string{"GET http://" + hostport + "/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "CONNECT " + hostport + " HTTP/1.1\r\nHost: x\r\n\r\n"} {
		if got := speak(t, l, request); !strings.HasPrefix(got, "HTTP/1.1 403 ") || !strings.Contains(got, Header+": blocked\r\n") {
			t.Errorf("%q: %q, want a refusal", request, got)
		}
	}
	if err := l.Failure(hostport); !as[*fetch.BlockedError](err) {
		t.Errorf("%s: failure %v", hostport, err)
	}
}

// Browsers make addresses of the short and the decimal forms themselves; other clients get what the name
// server says, here as C libraries do.
func TestLease_everyFormOfAPrivateAddressIsRefused(t *testing.T) {
	var log logBook
	g := newGuard(t, public(t, &answers{addrs: []string{"127.0.0.1"}}, ""))
	g.opt.Logger = log.logger()
	l := newLeaseOf(t, g, LeaseOptions{})
	hosts := []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:a00:1]", "[::]", "0.0.0.0",
		"169.254.169.254", "[::ffff:169.254.169.254]", "10.0.0.1", "192.168.1.1", "[fe80::1]", "[fc00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
		"2130706433", "0x7f000001", "127.1", "017700000001", "private.example",
	}
	for _, host := range hosts {
		refusedBoth(t, l, host+":80")
		refusedBoth(t, l, host+":443")
	}
	once := map[string]bool{}
	for _, line := range log.lines() {
		_, what, _ := strings.Cut(line, "level=")
		if once[what] {
			t.Errorf("logged twice: %s", what)
		}
		once[what] = true
	}
	if len(once) != 17 { // four of the mapped forms are IPv4 addresses that are there already
		t.Errorf("%d hosts were logged: %q", len(once), log.lines())
	}
}

func TestLease_refusalsAreLoggedWithinABound(t *testing.T) {
	var log logBook
	g := newGuard(t, public(t, &answers{addrs: []string{"127.0.0.1"}}, ""))
	g.opt.Logger = log.logger()
	l := newLeaseOf(t, g, LeaseOptions{})
	for i := range 2 * maxRefusals {
		speak(t, l, fmt.Sprintf("CONNECT host%d.example:443 HTTP/1.1\r\n\r\n", i))
	}
	if n := log.count("refused"); n != maxRefusals {
		t.Errorf("%d lines, want %d", n, maxRefusals)
	}
}

// The address that was checked is the one that is dialed: a name whose answer changes gains nothing, neither
// between check and dial nor for the next connection.
func TestLease_rebindingGainsNothing(t *testing.T) {
	site := fetchtest.New(t)
	l := newLeaseOf(t, newGuard(t, public(t, &answers{addrs: []string{"93.184.215.14", "127.0.0.1"}}, site.Host())), LeaseOptions{})
	answer := speak(t, l, "GET http://rebinding.example/text HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
		t.Errorf("the first answer: %q", answer)
	}
	refusedBoth(t, l, "rebinding.example:80")
}

func TestLease_redirectsToPrivateAddressesAreRefused(t *testing.T) {
	site := fetchtest.New(t)
	l := newLeaseOf(t, newGuard(t, public(t, &answers{addrs: []string{"93.184.215.14"}}, site.Host())), LeaseOptions{})
	c := through(t, l)
	for _, to := range []string{"127.0.0.1", "[::1]", "169.254.169.254", "10.1.2.3", "[::ffff:127.0.0.1]"} {
		resp, _ := get(t, c, "http://public.example/redirect-to?url=http://"+to+"/")
		if resp.StatusCode != http.StatusForbidden || resp.Header.Get(Header) != "blocked" {
			t.Errorf("%s: status %d", to, resp.StatusCode)
		}
		if resp, err := c.Get("http://public.example/redirect-to?url=https://" + to + "/"); err == nil {
			resp.Body.Close()
			t.Errorf("https %s: status %d", to, resp.StatusCode)
		}
	}
}
