package engine

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

// sharedHosts is how many tests may have a host of the shared engine.
const sharedHosts = 60

// shared is the engine of parallel tests that ask nothing of their own of it: each
// start of a browser costs as much as ten scrapes.
var shared struct {
	once   sync.Once
	engine *Engine
	err    error
	hosts  [sharedHosts]sharedHost
	taken  atomic.Int32
}

// sharedHost answers for one test.
type sharedHost struct{ handler http.Handler }

func (h *sharedHost) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.handler.ServeHTTP(w, r) }

// common is the browser of the engines of tests, which have only options and hosts of their own; nil where none has needed it.
var common struct {
	once    sync.Once
	browser *SharedBrowser
	err     error
}

func startCommon() (*SharedBrowser, error) {
	common.once.Do(func() { common.browser, common.err = NewSharedBrowser(BrowserOptions{System: true}, warnings) })
	return common.browser, common.err
}

func commonBrowser(t testing.TB) *SharedBrowser {
	t.Helper()
	b, err := startCommon()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func startShared() {
	b, err := startCommon()
	if err != nil {
		shared.err = err
		return
	}
	o := Options{Browser: BrowserOptions{Shared: b}, Resolver: names{}, Hosts: map[string]http.Handler{}}
	o.Policy.AllowPrivate = true
	for i := range shared.hosts {
		shared.hosts[i].handler = http.NotFoundHandler()
		o.Hosts[sharedName(i)] = &shared.hosts[i]
	}
	shared.engine, shared.err = New(o)
}

func sharedName(i int) string { return fmt.Sprintf("test%d.example", i) }

// sharedEngine hands out the shared engine to a parallel test.
func sharedEngine(t *testing.T) *Engine {
	t.Helper()
	needBrowser(t)
	t.Parallel() // those that come before look for processes that are left
	shared.once.Do(startShared)
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.engine
}

// sharedSite hands out the shared engine, and a host of it that no other test has.
func sharedSite(t *testing.T, h http.Handler) (_ *Engine, host string) {
	t.Helper()
	e := sharedEngine(t)
	i := int(shared.taken.Add(1)) - 1
	if i >= sharedHosts { // many runs of the tests in one
		host = sharedName(0)
		return hostEngine(t, map[string]http.Handler{host: h}), host
	}
	shared.hosts[i].handler = h
	return e, sharedName(i)
}

// closesShared are tests after which the shared engine and the common browser are closed.
type closesShared struct{ *testing.M }

func (m closesShared) Run() int {
	code := m.M.Run()
	if shared.engine != nil {
		code = max(code, closed(shared.engine))
	}
	if common.browser != nil {
		code = max(code, closed(common.browser))
	}
	return code
}

// closed is the exit code of what was closed.
func closed(c io.Closer) int {
	if err := c.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "close:", err)
		return 1
	}
	return 0
}

// warnings are printed, with the output of a package that fails: why a browser was ended is nowhere else.
var warnings = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
