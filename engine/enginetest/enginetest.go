package enginetest

import (
	"maps"
	"net/http"
	"reflect"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// New returns an engine whose hosts are served by handlers, for http and https
// alike. Changes to its options are applied last; a change of Hosts, Resolver, DialContext,
// OnPage or OnLivePage replaces what this package relies on. A browser is installed when a page
// first needs one; tests that must not wait for that call browser.Install in their
// TestMain. It is the package's [Shared] browser, if there is one and no change concerns
// Options.Browser. The engine is closed when the test ends.
func New(t testing.TB, hosts map[string]http.Handler, changes ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	unknown := &unknown{t: t}
	return start(t, engine.Options{Hosts: watched(t, hosts), Resolver: unknown, DialContext: unknown.dial}, changes)
}

// start makes an engine that ends with the test.
func start(t testing.TB, o engine.Options, changes []func(*engine.Options)) *engine.Engine {
	t.Helper()
	k, own := &kit{t: t}, engine.BrowserOptions{System: true}
	o.OnLivePage, o.OnPage, o.Browser = k.live, k.visited, own
	for _, change := range changes {
		change(&o)
	}
	if b := shared.Load(); b != nil && reflect.DeepEqual(o.Browser, own) {
		o.Browser = engine.BrowserOptions{Shared: b}
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal("enginetest:", err)
	}
	kits.Store(e, k)
	t.Cleanup(func() {
		defer kits.Delete(e)
		if err := e.Close(); err != nil {
			t.Error("enginetest: close:", err)
		}
		if t.Failed() {
			k.reports.attach(t)
		}
	})
	return e
}

// watched are handlers whose panics fail the test.
func watched(t testing.TB, hosts map[string]http.Handler) map[string]http.Handler {
	hosts = maps.Clone(hosts)
	for name, h := range hosts {
		if h != nil {
			hosts[name] = watch(t, name, h)
		}
	}
	return hosts
}
