package enginetest

import (
	"net/http"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// New returns an engine whose hosts are served by handlers, for http and https
// alike. Changes to its options are applied last; a change of Hosts, Resolver, DialContext
// or OnPage replaces what this package relies on. A browser is installed when a page
// first needs one; tests that must not wait for that call browser.Install in their
// TestMain. The engine is closed when the test ends.
func New(t testing.TB, hosts map[string]http.Handler, changes ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	unknown, reports := &unknown{t: t}, &reports{}
	o := engine.Options{
		Hosts:       hosts,
		Resolver:    unknown,
		DialContext: unknown.dial,
		OnPage:      reports.add,
		Browser:     engine.BrowserOptions{System: true},
	}
	for _, change := range changes {
		change(&o)
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal("enginetest:", err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error("enginetest: close:", err)
		}
		if t.Failed() {
			reports.attach(t)
		}
	})
	return e
}
