package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// lookup is one answer of a name server.
type lookup struct {
	addrs []string
	err   error
}

// resolver gives one answer after the other, the last one for ever.
type resolver struct {
	mu      sync.Mutex
	answers []lookup
	n       int
}

func (r *resolver) LookupNetIP(_ context.Context, _, _ string) ([]netip.Addr, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.answers[min(r.n, len(r.answers)-1)]
	r.n++
	var addrs []netip.Addr
	for _, s := range a.addrs {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs, a.err
}

func (r *resolver) asked() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// switchboard dials a local site whatever public address is asked for, and notes the addresses.
type switchboard struct {
	mu     sync.Mutex
	site   string
	dialed []string
}

func (s *switchboard) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	s.mu.Lock()
	s.dialed = append(s.dialed, addr)
	s.mu.Unlock()
	return (&net.Dialer{}).DialContext(ctx, "tcp", s.site)
}

func (s *switchboard) addrs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.dialed)
}

// publicClient is a client with the default policy, a name server and a network of our own.
func publicClient(t *testing.T, r Resolver, change ...func(*Options)) (*Client, *switchboard) {
	b := &switchboard{site: fetchtest.New(t).Host()}
	opts := append([]func(*Options){func(o *Options) { o.Policy, o.Resolver, o.DialContext = nil, r, b.dial }}, change...)
	return newClient(t, opts...), b
}

func TestDial_onlyTheCheckedAddressIsDialled(t *testing.T) {
	c, b := publicClient(t, &resolver{answers: []lookup{{addrs: []string{"93.184.215.14"}}}})
	mustDo(t, c, Request{URL: "http://a.example/text"})
	if got := b.addrs(); !slices.Equal(got, []string{"93.184.215.14:80"}) {
		t.Errorf("dialed %v", got)
	}
}

// A name that answers with a public address first and a private one afterwards gains nothing: there is one
// lookup per connection, and what it gave is what is dialed.
func TestDial_rebindingGainsNothing(t *testing.T) {
	r := &resolver{answers: []lookup{{addrs: []string{"93.184.215.14"}}, {addrs: []string{"127.0.0.1"}}}}
	c, b := publicClient(t, r)
	mustDo(t, c, Request{URL: "http://a.example/text"})
	if r.asked() != 1 {
		t.Errorf("%d lookups for one connection", r.asked())
	}
	mustDo(t, c, Request{URL: "http://a.example/text"}) // over the kept connection, no lookup
	c.transports.close()
	var e *BlockedError
	if err := fails(t, c, Request{URL: "http://a.example/text"}); !errors.As(err, &e) || e.Reason != "loopback" || e.Host != "a.example" {
		t.Errorf("error %v, want a BlockedError", err)
	}
	if got := b.addrs(); !slices.Equal(got, []string{"93.184.215.14:80"}) {
		t.Errorf("dialed %v", got)
	}
}

func TestDial_ofMixedAddressesOnlyTheAllowedAreDialled(t *testing.T) {
	c, b := publicClient(t, &resolver{answers: []lookup{{addrs: []string{"10.0.0.1", "93.184.215.14", "fd00::1"}}}})
	mustDo(t, c, Request{URL: "http://a.example/text"})
	if got := b.addrs(); !slices.Equal(got, []string{"93.184.215.14:80"}) {
		t.Errorf("dialed %v", got)
	}
}

func TestDo_redirectToPrivateAddressIsBlocked(t *testing.T) {
	c, b := publicClient(t, &resolver{answers: []lookup{{addrs: []string{"93.184.215.14"}}}})
	var e *BlockedError
	for _, to := range []string{"http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest", "http://0x7f.1/", "http://2130706433/", "http://[::ffff:10.0.0.1]/", "https://192.168.0.1/", "http://93.184.215.14:22/"} {
		if err := fails(t, c, Request{URL: "http://a.example/redirect-to?url=" + to}); !errors.As(err, &e) || Temporary(err) {
			t.Errorf("%s: %v, want a BlockedError", to, err)
		}
	}
	for _, a := range b.addrs() {
		if a != "93.184.215.14:80" {
			t.Errorf("dialed %s", a)
		}
	}
}

func TestDo_keptConnectionIsCheckedAgain(t *testing.T) {
	c, b := publicClient(t, &resolver{answers: []lookup{{addrs: []string{"93.184.215.14"}}}})
	mustDo(t, c, Request{URL: "http://a.example/text"})
	// The address has become the machine's own meanwhile.
	c.dialer.own = func() ([]net.Addr, error) {
		return []net.Addr{&net.IPNet{IP: net.IPv4(93, 184, 215, 14), Mask: net.CIDRMask(32, 32)}}, nil
	}
	var e *BlockedError
	if err := fails(t, c, Request{URL: "http://a.example/text"}); !errors.As(err, &e) || e.Reason != "address of this machine" {
		t.Errorf("error %v, want a BlockedError", err)
	}
	if len(b.addrs()) != 1 {
		t.Errorf("dialed %v", b.addrs())
	}
}

func TestDo_keptHTTP2ConnectionIsCheckedAgain(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	mustDo(t, c, Request{URL: site.TLSURL("/text"), SkipTLSVerify: true})
	c.dialer.policy = nil
	var e *BlockedError
	if err := fails(t, c, Request{URL: site.TLSURL("/text"), SkipTLSVerify: true}); !errors.As(err, &e) {
		t.Errorf("error %v, want a BlockedError", err)
	}
	if site.Hits("/text") != 1 {
		t.Error("the request was sent all the same")
	}
}

func TestRecheck_refusesForeignConnections(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if err := newClient(t).Dialer().Recheck(a); err == nil {
		t.Error("a connection of unknown origin passed")
	}
}

func TestDial_allBlockedSendsNothing(t *testing.T) {
	c, b := publicClient(t, &resolver{answers: []lookup{{addrs: []string{"10.0.0.1", "::1"}}}})
	var e *BlockedError
	if err := fails(t, c, Request{URL: "http://a.example:8080/"}); !errors.As(err, &e) || e.Port != 8080 || e.Addr != netip.MustParseAddr("10.0.0.1") {
		t.Errorf("error %v", err)
	}
	if len(b.addrs()) != 0 {
		t.Errorf("dialed %v", b.addrs())
	}
}

// network is a fake network with a time of its own for each address.
type network map[string]struct {
	after time.Duration
	err   error
}

func (n network) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	a := n[addr]
	select {
	case <-time.After(a.after):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if a.err != nil {
		return nil, a.err
	}
	c, far := net.Pipe()
	context.AfterFunc(ctx, func() { far.Close() })
	return c, nil
}

func TestRace_nextAddressStartsBesideASlowOne(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	type net4 = network
	for name, test := range map[string]struct {
		net  net4
		want string
		took time.Duration
	}{
		"the first is good":      {net4{"1.1.1.1:80": {after: 100 * time.Millisecond}}, "1.1.1.1:80", 100 * time.Millisecond},
		"the first hangs":        {net4{"1.1.1.1:80": {after: time.Hour}, "[2606::1]:80": {after: 10 * time.Millisecond}}, "[2606::1]:80", 260 * time.Millisecond},
		"the first fails":        {net4{"1.1.1.1:80": {err: refused}, "[2606::1]:80": {after: 10 * time.Millisecond}}, "[2606::1]:80", 10 * time.Millisecond},
		"the first is late":      {net4{"1.1.1.1:80": {after: 300 * time.Millisecond}, "[2606::1]:80": {after: time.Hour}}, "1.1.1.1:80", 300 * time.Millisecond},
		"two hang, the third is": {net4{"1.1.1.1:80": {after: time.Hour}, "[2606::1]:80": {after: time.Hour}}, "1.1.1.2:80", 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				d := &Dialer{dial: test.net.dial, ctx: ctx, timeout: 10 * time.Second, own: net.InterfaceAddrs,
					resolver: &resolver{answers: []lookup{{addrs: []string{"1.1.1.1", "1.1.1.2", "2606::1"}}}}}
				began := time.Now()
				c, err := d.DialContext(t.Context(), "tcp", "a.example:80")
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if got := c.(*checkedConn).addr.String(); got != test.want || time.Since(began) != test.took {
					t.Errorf("%s after %s, want %s after %s", got, time.Since(began), test.want, test.took)
				}
			})
		})
	}
}

func TestRace_allFailIsTheFirstError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := network{"1.1.1.1:80": {err: errors.New("first")}, "1.1.1.2:80": {err: errors.New("second")}}
		d := &Dialer{dial: n.dial, ctx: t.Context(), timeout: time.Second, own: net.InterfaceAddrs,
			resolver: &resolver{answers: []lookup{{addrs: []string{"1.1.1.1", "1.1.1.2"}}}}}
		var e *ConnectError
		if _, err := d.DialContext(t.Context(), "tcp", "a.example:80"); !errors.As(err, &e) || e.Addr != "1.1.1.1:80" {
			t.Errorf("error %v", err)
		}
	})
}

func TestRace_timeoutEndsAllDials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := network{"1.1.1.1:80": {after: time.Hour}, "1.1.1.2:80": {after: time.Hour}}
		d := &Dialer{dial: n.dial, ctx: t.Context(), timeout: 3 * time.Second, own: net.InterfaceAddrs,
			resolver: &resolver{answers: []lookup{{addrs: []string{"1.1.1.1", "1.1.1.2"}}}}}
		var e *TimeoutError
		if _, err := d.DialContext(t.Context(), "tcp", "a.example:80"); !errors.As(err, &e) || e.Phase != "connect" {
			t.Errorf("error %v, want a TimeoutError", err)
		}
	})
}

func TestDial_networkChoosesTheFamily(t *testing.T) {
	r := &resolver{answers: []lookup{{addrs: []string{"1.1.1.1", "2606::1"}}}}
	c, b := publicClient(t, r)
	for network, want := range map[string]string{"tcp4": "1.1.1.1:80", "tcp6": "[2606::1]:80"} {
		conn, err := c.Dialer().DialContext(t.Context(), network, "a.example:80")
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
		if got := b.addrs(); got[len(got)-1] != want {
			t.Errorf("%s dialed %s, want %s", network, got[len(got)-1], want)
		}
	}
}

func TestDial_addressesAreBoundedAndInterleaved(t *testing.T) {
	var many []string
	for range 500 {
		many = append(many, "1.1.1.1")
	}
	d := &Dialer{resolver: &resolver{answers: []lookup{{addrs: append(many, "2606::1")}}}}
	got, err := d.resolve(t.Context(), "tcp", "a.example")
	if err != nil || len(got) != maxAddrs || got[1] != netip.MustParseAddr("2606::1") {
		t.Errorf("%d addresses %v, %v", len(got), got, err)
	}
}

func TestDial_badAddressesAreErrors(t *testing.T) {
	d := newClient(t).Dialer()
	for _, a := range []string{"", "host", "host:", "host:http", "host:65536", ":80", "host:-1"} {
		if c, err := d.DialContext(t.Context(), "tcp", a); err == nil {
			c.Close()
			t.Errorf("%q was dialed", a)
		}
	}
}

// localV6 listens on ::1, or says that the machine has none.
func localV6(t *testing.T) net.Listener {
	ln, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Log("no IPv6 loopback here; nothing to show")
		return nil
	}
	t.Cleanup(func() { ln.Close() })
	return ln
}

func TestDo_fetchesOverIPv6(t *testing.T) {
	ln := localV6(t)
	if ln == nil {
		return
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(r.Host)) })}
	done := make(chan struct{})
	go func() { defer close(done); server.Serve(ln) }()
	t.Cleanup(func() { server.Close(); <-done })
	c := newClient(t, func(o *Options) { o.Policy = &Policy{AllowHosts: []string{ln.Addr().String()}} })
	resp := mustDo(t, c, Request{URL: "http://" + ln.Addr().String() + "/"})
	if string(resp.Body) != ln.Addr().String() {
		t.Errorf("Host %s, want %s", resp.Body, ln.Addr())
	}
}
