package natsdb

import (
	"errors"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// Of a connection that is closed while it is made again nats.go 1.55 keeps a goroutine that waits for what never comes.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// host is a NATS server of this process, which can be stopped and started again.
type host struct {
	t      *testing.T
	dir    string
	port   int
	limit  int32 // bytes of a message; 0: the server's own
	server *server.Server
}

func newHost(t *testing.T, limit int32) *host {
	t.Helper()
	h := &host{t: t, dir: t.TempDir(), port: server.RANDOM_PORT, limit: limit}
	h.start()
	t.Cleanup(h.stop)
	return h
}

func (h *host) start() {
	h.t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: h.port, JetStream: true, StoreDir: h.dir, NoSigs: true, NoLog: true, MaxPayload: h.limit,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		h.t.Fatal("the server does not start")
	}
	h.server, h.port = s, s.Addr().(*net.TCPAddr).Port
}

func (h *host) stop() {
	h.server.Shutdown()
	h.server.WaitForShutdown()
}

// dial opens a connection, which ends with the test.
func (h *host) dial() jetstream.JetStream {
	h.t.Helper()
	c, err := nats.Connect(h.server.ClientURL(), nats.Timeout(time.Minute), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond),
		nats.ReconnectJitter(0, 0))
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		h.t.Fatal(err)
	}
	return js
}

// local opens the store of a machine.
func local(t *testing.T, dir string) *store {
	t.Helper()
	f, err := cache.OpenFile(filepath.Join(dir, "shard.db"), cache.FileOptions{Kind: "shard"})
	if err != nil {
		t.Fatal(err)
	}
	return &store{DB: f}
}

var errDead = errors.New("the machine is dead")

// store is a local store whose machine can die: nothing is written from then on, not even what was about to be.
type store struct {
	cache.DB
	dead    atomic.Bool
	dieNext atomic.Bool // between the function of a transaction and its commit
	fails   atomic.Int32
	updates atomic.Int32           // transactions that were begun
	updated atomic.Pointer[func()] // called once, before an Update
}

func (s *store) Update(f func(crawl.Tx) error) error {
	if s.dead.Load() {
		return errDead
	}
	if f := s.updated.Swap(nil); f != nil {
		(*f)()
	}
	if s.fails.Add(-1) >= 0 {
		return errDead
	}
	s.updates.Add(1)
	return s.DB.Update(func(tx crawl.Tx) error {
		err := f(tx)
		if err == nil && s.dieNext.CompareAndSwap(true, false) {
			s.dead.Store(true)
			return errDead
		}
		return err
	})
}

// machine is a DB with its local store.
type machine struct {
	*DB
	local *store
	dir   string
}

func (h *host) machine(t *testing.T, name, dir string, with ...func(*Options)) *machine {
	t.Helper()
	m := &machine{local: local(t, dir), dir: dir}
	o := Options{JetStream: h.dial(), Name: name, Local: m.local, Wait: 2 * time.Second}
	for _, f := range with {
		f(&o)
	}
	db, err := Open(t.Context(), o)
	if err != nil {
		_ = m.local.Close()
		t.Fatal(err)
	}
	m.DB = db
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// Close closes the local store, too.
func (m *machine) Close() error { return errors.Join(m.DB.Close(), m.local.Close()) }
