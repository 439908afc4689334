package browser

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// shared is the pool of all tests that don't kill theirs.
var shared *Pool

// quiet are the browsers of tests that have options of their own for a pool, but none for its browser, and harm no page but theirs. Each
// start of driver and browser costs two to three seconds of a processor. The first that needs them makes them.
var quiet = sync.OnceValue(func() *Shared { return &Shared{newBrowsers(Options{}.withDefaults())} })

// inFull is a size of a long test: in full with WINNOW_SOAK=1, else what shows that it works.
func inFull(usual, full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return usual
}

// raced reports whether the race detector watches.
var raced = sync.OnceValue(func() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
})

// leftToUnraced skips a test under the race detector that shows what Chromium does, and whose code others run with it.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced() {
		t.Skip("-race: what it runs is tested with it elsewhere, in less time")
	}
}

// testPages is more than tests that run side by side hold together: with the default, one that holds three pages waits for ever on one processor.
const testPages = 64

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv(helperVariable) != "" {
		os.Exit(helper())
	}
	waitBesideEachOther()
	os.Exit(runTests(m))
}

// waitBesideEachOther lets three times as many parallel tests run as there are processors, unless -parallel says otherwise: they
// wait for pages and clocks most of the time.
func waitBesideEachOther() {
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(3 * runtime.GOMAXPROCS(0)))
	}
}

// runTests installs a browser, runs the tests, and fails when they leave a goroutine, process or folder behind.
func runTests(m *testing.M) int {
	if testing.Short() {
		fmt.Println("browser: -short: the tests that need a browser are skipped")
		return m.Run()
	}
	last := ""
	options := InstallOptions{System: true, Progress: func(p Progress) {
		if p.Detail != last {
			fmt.Fprintln(os.Stderr, "browser install:", p.Step, p.Detail)
			last = p.Detail
		}
	}}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if _, err := Install(ctx, options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	shared = NewPool(Options{MaxPages: testPages})
	code := m.Run()
	closeCommon()
	if err := errors.Join(shared.Close(), quiet().Close()); err != nil {
		fmt.Fprintln(os.Stderr, "close:", err)
		code = 1
	}
	if left := lastingLeftovers(); len(left) > 0 {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		code = 1
	}
	if err := lastingGoroutines(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// needsBrowser skips a test under -short.
func needsBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: needs a browser")
	}
}

// lastingLeftovers looks again for a minute: what another test binary just makes or removes is not distinguishable from our own.
func lastingLeftovers() []string {
	for range 600 {
		if len(leftovers()) == 0 {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return leftovers()
}

// lastingGoroutines looks again for a minute: goleak itself does for half a second, in which a busy machine may not end them.
func lastingGoroutines() (left error) {
	for begun := time.Now(); time.Since(begun) < time.Minute; {
		if left = goleak.Find(); left == nil {
			return nil
		}
	}
	return left
}

// leftovers lists run folders of this process, and processes that were started from one.
func leftovers() []string {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), process.RunPrefix+"*"))
	ours := fmt.Sprintf("WINNOW_RUN=%d:%s:", os.Getpid(), process.StartTime(os.Getpid()))
	var found []string
	for _, dir := range left {
		script, err := os.ReadFile(filepath.Join(dir, "node"))
		if err != nil || strings.Contains(string(script), strings.TrimPrefix(ours, "WINNOW_RUN=")) {
			found = append(found, dir)
		}
	}
	return append(found, processesWith(ours)...)
}

// processesWith lists the living processes whose environment holds the text.
func processesWith(text string) []string {
	var found []string
	for _, p := range process.All() { // a glob takes five times as long
		dir := fmt.Sprint("/proc/", p.PID)
		env, err := os.ReadFile(dir + "/environ")
		if err == nil && bytes.Contains(env, []byte(text)) {
			cmd, _ := os.ReadFile(dir + "/cmdline")
			found = append(found, dir+" "+strings.ReplaceAll(string(cmd[:min(len(cmd), 200)]), "\x00", " "))
		}
	}
	return found
}

// testContext ends well before the test runner does.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// ownPool is a pool that the test may break. MaxPages defaults to testPages.
func ownPool(t *testing.T, o Options) *Pool {
	t.Helper()
	needsBrowser(t)
	o.MaxPages = cmp.Or(o.MaxPages, testPages)
	pool := NewPool(o)
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return pool
}

// open hands out a page of the shared pool, closed with the test.
func open(t *testing.T, o PageOptions) *Page {
	t.Helper()
	needsBrowser(t)
	return openFrom(t, shared, o)
}

func openFrom(t *testing.T, pool *Pool, o PageOptions) *Page {
	t.Helper()
	page, err := pool.Open(testContext(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = page.Close() })
	return page
}

func visit(t *testing.T, page *Page, address string) *Navigation {
	t.Helper()
	nav, err := page.Goto(testContext(t), address)
	if err != nil {
		t.Fatal(err)
	}
	return nav
}

func contentOf(t *testing.T, page *Page) string {
	t.Helper()
	html, err := page.Content(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	return html
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	wait := 5 * time.Millisecond
	for end := time.Now().Add(5 * time.Minute); !ok(); {
		if time.Now().After(end) {
			t.Fatal("in vain waited until ", what)
		}
		time.Sleep(wait)
		wait = min(wait*3/2, 100*time.Millisecond) // a look at all processes takes milliseconds
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
