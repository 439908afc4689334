package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/browser"
)

// TestMain makes the browser ready before the tests that need one, so that no
// test's time goes into an install, and looks for leaked goroutines after all.
func TestMain(m *testing.M) {
	flag.Parse()
	patience = busyPatience
	waitBesideEachOther()
	if !testing.Short() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		_, err := browser.Install(ctx, browser.InstallOptions{System: true, Progress: func(p browser.Progress) {
			if p.Done == 0 || p.Done == p.Total {
				fmt.Fprintln(os.Stderr, "install:", p.Step, p.Detail)
			}
		}})
		cancel()
		if err != nil {
			fmt.Fprintln(os.Stderr, "the tests need a browser:", err)
			os.Exit(1)
		}
	}
	// A server that closes a connection of which it hasn't read all waits half a second, and goleak for less.
	goleak.VerifyTestMain(closesShared{m}, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// waitBesideEachOther lets three times as many parallel tests run as there are processors, unless -parallel says otherwise: they
// wait for pages and clocks most of the time.
func waitBesideEachOther() {
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(3 * runtime.GOMAXPROCS(0)))
	}
}

// needBrowser skips where -short asks for tests without one.
func needBrowser(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
}

// leftToUnraced skips a test under the race detector that mostly waits for browsers, or computes much, and whose code others run with it.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: what it runs is tested with it elsewhere, in less time")
	}
}

// raced is whether the race detector watches. It makes work five times as long: the
// cases that only differ in what comes out are for the run without it.
var raced bool

// sized is how large a test's site is: a fifth under the race detector, for which a page more is no news.
func sized(full int) int {
	if raced {
		return full / 5
	}
	return full
}

// fewRaced are those of a test's cases that are enough under the race detector: others differ in what comes out, which is for the run
// without it.
func fewRaced[T any](all []T, few int) []T {
	if raced {
		return all[:few]
	}
	return all
}

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}
