package serving

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// asProgram makes the test binary be the program: for tests that need its exit status or a signal.
const asProgram = "WINNOW_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main("server", os.Args[1:]))
	}
	// The search library has workers for the life of the process. A server that closes a connection of which it hasn't read all waits half
	// a second, and goleak for less.
	goleak.VerifyTestMain(closesCommon{m}, goleak.IgnoreCurrent(), goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// closesCommon are tests after which their browser is closed.
type closesCommon struct{ *testing.M }

func (m closesCommon) Run() int {
	code := m.M.Run()
	if common != nil {
		if err := common.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "close:", err)
			code = 1
		}
	}
	return code
}

// leftToUnraced skips a test under the race detector whose time is another program's: what the server does for it is raced by other tests.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: its time is another program's; what it runs is tested with it elsewhere")
	}
}

// soon bounds what is waited for: it is generous, as nothing is measured.
const soon = 3 * time.Minute

// running is the program at work in this process.
type running struct {
	t       *testing.T
	client  *http.Client
	url     string
	printed string // at the start
	log     *safeBuffer
	stop    context.CancelFunc
	ended   chan error
	once    sync.Once
	err     error
}

// started runs the program with args, on a free port unless they say otherwise, and without a browser. It ends with the test, without an error.
func started(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	r := &running{t: t, client: &http.Client{Transport: &http.Transport{}}, log: &safeBuffer{}, stop: stop, ended: make(chan error, 1)}
	in, out := io.Pipe()
	go func() {
		err := Run(ctx, "server", append([]string{"-addr", "127.0.0.1:0", "-render", "never", "-system"}, args...), out, r.log)
		out.CloseWithError(io.EOF)
		r.ended <- err
	}()
	t.Cleanup(func() {
		if err := r.end(); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	})
	r.printed, r.url = greeting(t, in, r.log)
	return r
}

// greeting reads what is printed at the start, and the URL in it.
func greeting(t *testing.T, in io.Reader, log interface{ String() string }) (printed, url string) {
	t.Helper()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		printed += lines.Text() + "\n"
		if words := strings.Fields(printed); url == "" {
			url = words[len(words)-1]
		}
		if strings.HasPrefix(lines.Text(), "  stop") {
			break
		}
	}
	if url == "" {
		t.Fatalf("it didn't start: %s", log)
	}
	go func() { _, _ = io.Copy(io.Discard, in) }() // ends with the program
	return printed, url
}

// end stops the program and gives its error.
func (r *running) end() error {
	r.once.Do(func() {
		r.stop()
		select {
		case r.err = <-r.ended:
		case <-time.After(soon):
			r.t.Fatal("the program didn't end")
		}
		r.client.CloseIdleConnections()
	})
	return r.err
}

// answer is what came of a request.
type answer struct {
	status int
	proto  int
	body   string
}

// ask sends a request, with a body as JSON.
func (r *running) ask(method, path, body string, header ...string) (answer, error) {
	q, err := http.NewRequestWithContext(context.WithoutCancel(r.t.Context()), method, r.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			q.Host = header[i+1]
		}
		q.Header.Set(header[i], header[i+1])
	}
	a, err := r.client.Do(q)
	if err != nil {
		return answer{}, err
	}
	defer a.Body.Close()
	data, err := io.ReadAll(a.Body)
	return answer{a.StatusCode, a.ProtoMajor, string(data)}, err
}

// want is ask that must give a status.
func (r *running) want(status int, method, path, body string, header ...string) answer {
	r.t.Helper()
	a, err := r.ask(method, path, body, header...)
	if err != nil || a.status != status {
		r.t.Fatalf("%s %s %s: %d %v, want %d\n%s\n%s", method, path, body, a.status, err, status, a.body, r.log)
	}
	return a
}

// field reads one of a JSON body's fields, by names parted by dots.
func (a answer) field(t *testing.T, path string) any {
	t.Helper()
	var at any
	if err := json.Unmarshal([]byte(a.body), &at); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	for name := range strings.SplitSeq(path, ".") {
		object, ok := at.(map[string]any)
		if !ok {
			t.Fatalf("no %s in %s", path, a.body)
		}
		at = object[name]
	}
	return at
}

// until asks again and again until ok, as what is asked for happens on its own.
func (r *running) until(path string, ok func(answer) bool, header ...string) answer {
	r.t.Helper()
	for end := time.Now().Add(soon); ; time.Sleep(20 * time.Millisecond) {
		a, err := r.ask(http.MethodGet, path, "", header...)
		if err == nil && ok(a) {
			return a
		}
		if time.Now().After(end) {
			r.t.Fatalf("%s: still %d %v %s\n%s", path, a.status, err, a.body, r.log)
		}
	}
}

// writeFile makes a file of the test's own.
func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// safeBuffer is a buffer that may be read while it is written.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
