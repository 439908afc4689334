package code

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// shared is the session of all tests that don't break theirs, with a site behind it. It is started by the first test that needs it.
var shared struct {
	once    sync.Once
	site    *site
	session *browser.Session
	inst    *browser.Installation
	runner  *Runner // see calm
	err     error
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runTests(m))
}

// runTests fails when the tests leave a goroutine or process behind.
func runTests(m *testing.M) int {
	code := m.Run()
	if shared.session != nil {
		if err := errors.Join(shared.runner.Close(), shared.session.Close()); err != nil {
			fmt.Fprintln(os.Stderr, "close:", err)
			code = 1
		}
		shared.site.close()
	}
	if left := children(); len(left) > 0 {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		code = 1
	}
	if err := lastingGoroutines(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
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

// toolMissing skips a test; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func toolMissing(t testing.TB, what ...any) {
	t.Helper()
	if os.Getenv("WINNOW_REQUIRE_TOOLS") != "" {
		t.Fatal(what...)
	}
	t.Skip(what...)
}

// needsSandbox skips a test where code can't be kept from the machine.
func needsSandbox(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: needs a browser")
	}
	if missing, ok := errors.AsType[*sandbox.UnavailableError](sandbox.Available(context.Background())); ok {
		toolMissing(t, "needs bubblewrap and user namespaces: ", missing)
	}
}

// needs skips a test of a language that this machine hasn't got.
func needs(t testing.TB, language string) {
	t.Helper()
	for program, of := range map[string]string{"/usr/bin/python3": Python, "/usr/bin/bash": Bash} {
		if _, err := os.Stat(program); language == of && err != nil {
			toolMissing(t, "needs ", program)
		}
	}
	if language == Bash {
		if _, err := command(t.Context()); err != nil {
			toolMissing(t, "needs the npm package agent-browser: ", err)
		}
	}
}

func command(ctx context.Context) (string, error) {
	return browser.InstallShellCommand(ctx, browser.InstallOptions{})
}

// options are those of a runner for the shared session, whose page shows the site.
func options(t testing.TB) Options {
	t.Helper()
	needsSandbox(t)
	shared.once.Do(func() { shared.err = startShared(context.Background()) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return optionsOf(shared.session)
}

func startShared(ctx context.Context) error {
	var err error
	if shared.inst, err = browser.Install(ctx, browser.InstallOptions{System: true}); err != nil {
		return err
	}
	if shared.site, err = newSite(); err != nil {
		return err
	}
	if shared.session, err = newSession(ctx, shared.site); err != nil {
		shared.site.close()
		return err
	}
	shared.runner, err = Start(ctx, optionsOf(shared.session))
	return err
}

// calm is the runner of tests that don't care whether its workers have run something before, or what files that left.
// Starting one costs half a second of the processor.
func calm(t testing.TB) *Runner {
	t.Helper()
	options(t)
	return shared.runner
}

// soak is a count: a tenth of it, but at least one, unless WINNOW_SOAK is set.
func soak(n int) int {
	if os.Getenv("WINNOW_SOAK") != "" {
		return n
	}
	return max(1, n/10)
}

func newSession(ctx context.Context, s *site) (*browser.Session, error) {
	session, err := browser.StartSession(ctx, browser.SessionOptions{Egress: s.socket})
	if err != nil {
		return nil, err
	}
	page, err := session.Page(ctx)
	if err == nil {
		_, err = page.Goto(ctx, "http://site.test/")
	}
	if err != nil {
		_ = session.Close()
		return nil, err
	}
	return session, nil
}

func optionsOf(session *browser.Session) Options {
	return Options{
		Node: shared.inst.Node, DriverPackage: filepath.Join(shared.inst.DriverDir, "package"),
		Endpoint: session.Endpoint(), CDP: session.CDP(), CLI: command,
	}
}

// start makes a runner that is closed with the test.
func start(t testing.TB, o Options) *Runner {
	t.Helper()
	r, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return r
}

// run makes a call that must be answered.
func run(t testing.TB, r *Runner, language, code string) Result {
	t.Helper()
	return runFor(t, r, language, code, 5*time.Minute)
}

func runFor(t testing.TB, r *Runner, language, code string, timeout time.Duration) Result {
	t.Helper()
	result, err := r.Run(t.Context(), Request{Language: language, Code: code, Timeout: timeout})
	if err != nil {
		t.Fatalf("%s %q: %v", language, code, err)
	}
	return result
}

// site is the way out of a session: a proxy on a Unix socket that answers for site.test and refuses all else.
type site struct {
	dir, socket string
	server      *http.Server
	done        chan struct{}

	mu      sync.Mutex
	refused []string
}

const sitePage = `<!doctype html><title>Home</title><h1>Hello</h1>
<button onclick="document.title='clicked'">Go</button><input placeholder="name"><a href="/two" target="_blank">two</a>
<select><option value="a">First<option value="b">Second</select>`

func newSite() (*site, error) {
	dir, err := os.MkdirTemp("", "site")
	if err != nil {
		return nil, err
	}
	s := &site{dir: dir, socket: filepath.Join(dir, "egress.sock"), done: make(chan struct{})}
	listener, err := net.Listen("unix", s.socket)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.server = &http.Server{Handler: http.HandlerFunc(s.answer)}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(listener)
	}()
	return s, nil
}

func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	if r.Host != "site.test" || r.Method == http.MethodConnect {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refused = append(s.refused, r.Host)
		http.Error(w, "refused", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page := sitePage
	if r.URL.Path == "/two" {
		page = "<!doctype html><title>Two</title>"
	}
	fmt.Fprint(w, page)
}

func (s *site) close() {
	_ = s.server.Close()
	<-s.done
	_ = os.RemoveAll(s.dir)
}

// children lists what this process has started and not ended.
func children() []string {
	var found []string
	own := fmt.Sprint(os.Getpid())
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		stat := string(data)
		if fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:]); len(fields) > 1 && fields[1] == own {
			found = append(found, stat[:strings.LastIndexByte(stat, ')')+1])
		}
	}
	return found
}

// nap is a time in seconds that no other run of these tests on this machine sleeps, so that its processes are known by it.
func nap(seconds int) string { return fmt.Sprintf("%d.%d", seconds, os.Getpid()) }

// sleepers lists the processes that sleep for such a time.
func sleepers(seconds int) []string { return processesWith("sleep " + nap(seconds) + " ") }

// processesWith lists the processes of the machine whose command line holds the text.
func processesWith(text string) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if line := strings.ReplaceAll(string(data), "\x00", " "); err == nil && strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}
