package sites

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// TestMain has the tests share a browser, and looks for leaked goroutines after all. They wait for pages and clocks most of the time, so
// three times as many run as there are processors, unless -parallel says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(3 * runtime.GOMAXPROCS(0)))
	}
	goleak.VerifyTestMain(closesCommon{m}, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// raced is whether the race detector watches.
var raced bool

// leftToUnraced skips a test under the race detector that mostly waits for browsers, and whose code others run with it.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: its time is the browser's; what it runs is tested with it elsewhere")
	}
}

// busy is what a scrape has in these tests: the default, a minute, is little on a machine with much else to do.
const busy = 5 * time.Minute

var fresh = new(time.Duration(0))

func needBrowser(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
}

// needSandbox skips where no program can be run in a sandbox; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func needSandbox(t testing.TB) {
	t.Helper()
	needBrowser(t)
	err := browser.InstallSandbox(t.Context(), browser.InstallOptions{System: true})
	if err != nil && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("sessions need a sandbox: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
}

// commonBrowser is the browser of all engines here.
func commonBrowser(t testing.TB) *engine.SharedBrowser {
	t.Helper()
	b, err := startCommon()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var startCommon = sync.OnceValues(func() (*engine.SharedBrowser, error) {
	return engine.NewSharedBrowser(engine.BrowserOptions{System: true}, warnings)
})

// closesCommon are the tests, and the end of their browser.
type closesCommon struct{ *testing.M }

func (c closesCommon) Run() int {
	code := c.M.Run()
	b, err := startCommon()
	if err == nil {
		err = b.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests' browser:", err)
		return max(code, 1)
	}
	return code
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func htmlPage(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	})
}

func newEngine(t testing.TB, o engine.Options) *engine.Engine {
	t.Helper()
	e, err := engine.New(o)
	must(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return e
}

func newSession(t testing.TB, e *engine.Engine, o engine.SessionOptions) *engine.Session {
	t.Helper()
	s, err := e.NewSession(t.Context(), o)
	must(t, err)
	return s
}

// runIn runs code in a session's page, whatever time a busy machine takes to start an interpreter.
func runIn(t testing.TB, s *engine.Session, language, source string) string {
	t.Helper()
	r, err := s.Run(t.Context(), engine.InteractRequest{Language: language, Code: source, Timeout: busy})
	must(t, err)
	if r.Result == nil {
		return fmt.Sprintf("(none; stderr %s)", r.Stderr)
	}
	return *r.Result
}

// noDial fails the test for each connection that leaves the process: virtual hosts need none.
func noDial(t testing.TB) func(context.Context, string, string) (net.Conn, error) {
	return func(_ context.Context, _, addr string) (net.Conn, error) {
		t.Errorf("dialled %s", addr)
		return nil, fmt.Errorf("no network here")
	}
}

// warnings are printed, with the output of a package that fails: why a browser was ended is nowhere else.
var warnings = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
