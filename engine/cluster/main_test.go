package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// The test binary runs itself as other processes of a cluster. The variables say as what, and with what.
const (
	roleEnv   = "WINNOW_CLUSTER_ROLE"
	ordersEnv = "WINNOW_CLUSTER_ORDERS"
)

var roles = map[string]func(orders string) error{}

// Of a connection that is closed while it is made again nats.go 1.55 keeps a goroutine that waits for what never comes.
func TestMain(m *testing.M) {
	if name := os.Getenv(roleEnv); name != "" {
		if err := roles[name](os.Getenv(ordersEnv)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// host starts a NATS server in this process, and returns its address.
func host(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { shutDown(t, s) })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return s.Addr().String()
}

// shutDown ends a server that has done what it was asked for: of a stream that it makes meanwhile nats-server 2.15 keeps the goroutines.
func shutDown(t *testing.T, s *server.Server) {
	until(t, "no client, and no request of one", func() bool {
		info, err := s.Jsz(nil)
		return s.NumClients() == 0 && err == nil && info.API.Inflight == 0
	})
	s.Shutdown()
	s.WaitForShutdown()
}

func dial(t *testing.T, addr string) jetstream.JetStream {
	t.Helper()
	c, err := nats.Connect("nats://"+addr, nats.Timeout(time.Minute), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// join opens a member that keeps nothing on its machine.
func join(t *testing.T, js jetstream.JetStream, visit func(context.Context, Job, crawl.Item) Outcome) *Member {
	t.Helper()
	m, err := Open(t.Context(), Options{
		JetStream: js, Name: "c", Shards: 6, TTL: 600 * time.Millisecond, Workers: 3, Wait: 700 * time.Millisecond, Visit: visit,
		Local: func(int) (Store, error) { return cache.NewMap(), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// late reports whether go test is about to end the test: no other time bounds how slow the machine may be.
func late(t *testing.T) bool {
	end, ok := t.Deadline()
	return ok && time.Until(end) < 40*time.Second
}

// until waits for something that comes by itself.
func until(t *testing.T, what string, there func() bool) {
	t.Helper()
	for ; !there(); time.Sleep(5 * time.Millisecond) {
		if late(t) {
			t.Fatalf("%s: not in the time that go test has", what)
		}
	}
}

// settled repeats a call until its answer is definite: one that came too late, or from no member, leaves open what was done.
func settled(t *testing.T, do func() error) error {
	t.Helper()
	for ; ; time.Sleep(5 * time.Millisecond) {
		err := do()
		if err == nil || errors.Is(err, ErrUnknownJob) || errors.Is(err, ErrRemoved) {
			return err
		}
		if late(t) {
			t.Fatalf("no definite answer in the time that go test has: %v", err)
		}
	}
}

// proxy passes on bytes to an address, as long as it isn't frozen.
type proxy struct {
	listener net.Listener
	to       string
	work     sync.WaitGroup

	mu     sync.Mutex
	moving *sync.Cond
	frozen bool
	slow   time.Duration // after each piece of slowBytes
	open   []net.Conn
	closed bool
}

// slowBytes are passed on at once by a slow proxy.
const slowBytes = 4 << 10

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: to}
	p.moving = sync.NewCond(&p.mu)
	p.work.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) freeze(frozen bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = frozen
	p.moving.Broadcast()
}

// slowDown makes what is passed on to the one that connects wait; 0: no more.
func (p *proxy) slowDown(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slow = d
}

// cut ends all connections there are.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		_ = c.Close()
	}
	p.open = nil
}

func (p *proxy) accept() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		_ = out.(*net.TCPConn).SetReadBuffer(128 << 10) // what waits, waits at the one that sends
		p.mu.Lock()
		p.open = append(p.open, in, out)
		p.mu.Unlock()
		p.work.Go(func() { p.pass(in, out, false) })
		p.work.Go(func() { p.pass(out, in, true) })
	}
}

func (p *proxy) pass(from, to net.Conn, back bool) {
	defer to.Close()
	buffer := make([]byte, slowBytes)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		for p.frozen && !p.closed {
			p.moving.Wait()
		}
		slow := p.slow
		p.mu.Unlock()
		if slow > 0 && back {
			time.Sleep(slow)
		}
		if _, werr := to.Write(buffer[:n]); err != nil || werr != nil {
			return
		}
	}
}

func (p *proxy) close() {
	p.mu.Lock()
	p.closed = true
	for _, c := range p.open {
		_ = c.Close()
	}
	p.moving.Broadcast()
	p.mu.Unlock()
	_ = p.listener.Close()
	p.work.Wait()
}

// raced is whether the race detector watches.
var raced bool

// leftToUnraced skips a test of processes under the race detector, in which each of them is five times as slow.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: its processes run what other tests run in one")
	}
}
