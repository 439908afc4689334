package code

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/sandbox"
)

func TestRun_timeoutKillsTheWorkerAndNotTheBrowser(t *testing.T) {
	r := calm(t)
	for language, codes := range map[string][3]string{
		Node:   {`var x = 1; await page.goto("http://site.test/"); await page.fill("input", "kept")`, `console.log("begun"); await new Promise(() => {})`, `[typeof x, await page.inputValue("input")]`},
		Python: {`x = 1; page.goto("http://site.test/"); page.fill("input", "kept")`, "print('begun')\nimport time\ntime.sleep(100)", `["x" in globals(), page.input_value("input")]`},
		Bash:   {`echo a >file; agent-browser open http://site.test/; agent-browser fill input kept`, `echo begun; sleep 100`, `ls; agent-browser get value input`},
	} {
		t.Run(language, func(t *testing.T) {
			needs(t, language)
			run(t, r, language, codes[0])
			timeout, got := 2*time.Second, runFor(t, r, language, codes[1], 2*time.Second)
			for got.Stdout == "" && timeout < time.Minute { // a busy machine has not begun in that time
				timeout *= 2
				got = runFor(t, r, language, codes[1], timeout)
			}
			if !got.Killed || got.ExitCode != 137 || got.Result != nil || got.Stdout != "begun\n" || got.Stderr != fmt.Sprintf("[killed after %s; variables are lost]\n", timeout) {
				t.Errorf("killed: got %+v", got)
			}
			got = run(t, r, language, codes[2])
			answer := got.Stdout
			if got.Result != nil {
				answer = *got.Result
			}
			want := map[string]string{Node: `["undefined","kept"]`, Python: `[false, "kept"]`, Bash: "kept\n"}[language]
			if answer != want || got.Killed {
				t.Errorf("after it: got %+v, want %q", got, want)
			}
		})
	}
}

func TestRun_outputIsCutAndSaysSo(t *testing.T) {
	r := calm(t)
	for language, code := range map[string]string{
		Node:   `for (let i = 0; i < 24; i++) { process.stdout.write("é".repeat(50000)); process.stderr.write("e".repeat(50000)) }; "r".repeat(2e6)`,
		Python: "import sys\nfor i in range(24):\n  sys.stdout.write('é' * 50000); sys.stderr.write('e' * 50000)\n'\U0001F600' * 1100000",
		Bash:   `head -c 1200000 /dev/zero | tr '\0' a; head -c 1200000 /dev/zero | tr '\0' e >&2`,
	} {
		t.Run(language, func(t *testing.T) {
			needs(t, language)
			got := run(t, r, language, code)
			texts := []string{got.Stdout, got.Stderr}
			cut := got.StdoutCut && got.StderrCut
			if language != Bash && got.Result == nil {
				t.Fatalf("no result; exit code %d, killed %v, ending with %q", got.ExitCode, got.Killed, got.Stderr[max(0, len(got.Stderr)-300):])
			}
			if language != Bash {
				texts, cut = append(texts, *got.Result), cut && got.ResultCut
			}
			for i, text := range texts {
				if len(text) > MaxOutput || len(text) < MaxOutput-100 || !strings.HasSuffix(text, cutNote) {
					t.Errorf("text %d: got %d bytes, ending with %.60q", i, len(text), text[max(0, len(text)-60):])
				}
			}
			if !cut || got.ExitCode != 0 || got.Killed {
				t.Errorf("got cut %v, %v, %v, exit code %d, killed %v", got.StdoutCut, got.StderrCut, got.ResultCut, got.ExitCode, got.Killed)
			}
		})
	}
}

func TestRun_limitsKill(t *testing.T) {
	o := options(t)
	o.Limits = sandbox.Limits{Memory: 256 << 20, Processes: 100, FileSize: 1 << 20, Disk: 8 << 20}
	r := start(t, o)
	for i, w := range []struct{ name, language, code string }{
		{"memory", Bash, `x=$(head -c 400000000 /dev/zero | tr '\0' a)`},
		// 2,000 at most: where the kernel sets no bound, as for root, the machine must not run out of processes while others use it.
		{"processes, ever more", Bash, `f() { [ "$1" = 0 ] || { f $(($1 - 1)) | f $(($1 - 1)) & }; sleep NAP; }; f 10`},
		{"processes", Bash, `for i in $(seq 500); do sleep NAP & done; wait`},
		{"processes", Python, "import os\nwhile True:\n  try:\n    if os.fork() == 0: os.execv('/bin/sleep', ['sleep', 'NAP'])\n  except BlockingIOError: raise SystemExit(9)"},
		{"processes", Node, `const { spawn } = require("child_process"); for (let i = 0; i < 500; i++) spawn("sleep", ["NAP"]); await new Promise(() => {})`},
		{"memory", Node, `const all = []; while (true) all.push(Buffer.alloc(16 << 20, 1));`},
		{"memory", Python, "all = []\nwhile True: all.append(b'x' * (16 << 20))"},
		{"memory of several", Bash, `for i in 1 2 3 4 5 6 7 8; do (x=$(head -c 60000000 /dev/zero | tr '\0' a); sleep NAP) & done; wait`},
	} {
		if i >= soak(20) {
			break
		}
		t.Run(w.name+" "+w.language, func(t *testing.T) {
			needs(t, w.language)
			got := runFor(t, r, w.language, strings.ReplaceAll(w.code, "NAP", nap(100)), 3*time.Second)
			if got.ExitCode == 0 {
				t.Errorf("got %+v", got)
			}
			t.Logf("exit code %d, killed %v, %.200q", got.ExitCode, got.Killed, got.Stderr)
			if left := len(sleepers(100)); got.Killed && left > 0 {
				t.Errorf("%d processes are left", left)
			}
		})
	}
	for name, code := range map[string]string{
		"a large file": `require("fs").writeFileSync("f", Buffer.alloc(2 << 20))`,
		"a full disk":  `for (let i = 0; i < 20; i++) require("fs").writeFileSync("f" + i, Buffer.alloc(1 << 19))`,
	} {
		if got := run(t, r, Node, code); got.ExitCode != 1 || !strings.Contains(got.Stderr, "EFBIG") && !strings.Contains(got.Stderr, "ENOSPC") {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	if got := run(t, r, Node, `await page.evaluate("1 + 1")`); *got.Result != "2" {
		t.Errorf("afterwards: got %+v", got)
	}
}

// Files in memory that have no name held 3 GB under a limit of 512 MB.
func TestRun_memoryInFilesWithoutANameIsCounted(t *testing.T) {
	o := options(t)
	o.Limits = sandbox.Limits{Memory: 256 << 20}
	needs(t, Python)
	const code = "import os, time\nfor i in range(48): os.write(os.memfd_create('held'), bytes(64 << 20))\nprint('held')\ntime.sleep(100)"
	got := run(t, start(t, o), Python, code)
	if !got.Killed || !strings.Contains(got.Stderr, "killed, over the limit of memory") {
		t.Errorf("got %+v", got)
	}
}

// A sandbox may take seconds to be gone after its program's last answer: the program's own end is reported all the same.
func TestRun_aLateEndIsTheProgramsOwn(t *testing.T) {
	o := options(t)
	needs(t, Python)
	got := run(t, start(t, o), Python, "import os, time\nos.close(4)\ntime.sleep(3)\nos._exit(5)")
	if got.ExitCode != 5 || got.Killed {
		t.Errorf("got %+v, want its exit code", got)
	}
}

func TestRun_takesTurns(t *testing.T) {
	r := calm(t)
	run(t, r, Node, "var n = 0")
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			if got := run(t, r, Node, "const was = n; await new Promise(setImmediate); n = was + 1"); got.ExitCode != 0 {
				t.Errorf("got %+v", got)
			}
		})
	}
	calls.Wait()
	if got := run(t, r, Node, "n"); *got.Result != "20" {
		t.Errorf("got %s", *got.Result)
	}
}

func TestRun_endsWithItsContext(t *testing.T) {
	r := calm(t)
	run(t, r, Node, `await page.evaluate("document.cookie = ''")`)
	why := errors.New("no longer wanted")
	ctx, cancel := context.WithCancelCause(t.Context())
	result := make(chan error)
	go func() {
		_, err := r.Run(ctx, Request{Code: `await page.evaluate("document.title = 'runs'"); while (true);`})
		result <- err
	}()
	waitForTitle(t, "runs")
	waiting, stop := context.WithCancelCause(t.Context())
	stop(why)
	if _, err := r.Run(waiting, Request{Code: "1"}); !errors.Is(err, why) {
		t.Errorf("a call that waits: got %v", err)
	}
	cancel(why)
	if err := <-result; !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	if got := run(t, r, Node, "1"); *got.Result != "1" {
		t.Errorf("afterwards: got %+v", got)
	}
}

// waitForTitle waits until the shared session's page has a title, as a sign that code runs.
func waitForTitle(t *testing.T, title string) {
	t.Helper()
	page, err := shared.session.Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		html, err := page.Content(t.Context())
		if err != nil || time.Now().After(end) {
			t.Fatalf("in vain waited for the title %q: %v", title, err)
		}
		if strings.Contains(html, "<title>"+title) {
			return
		}
	}
}

func TestClose_endsTheCallAndAllWorkers(t *testing.T) {
	o := options(t)
	before := len(children())
	r := start(t, o)
	run(t, r, Node, `const child = require("child_process").spawn("sleep", ["`+nap(3978)+`"], { detached: true, stdio: "inherit" }); child.unref(); await page.goto("http://site.test/")`)
	result := make(chan error)
	go func() {
		_, err := r.Run(t.Context(), Request{Code: `await page.evaluate("document.title = 'endless'"); await new Promise(() => {})`})
		result <- err
	}()
	waitForTitle(t, "endless")
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := <-result; !errors.Is(err, ErrClosed) {
		t.Errorf("the call: got %v", err)
	}
	if _, err := r.Run(t.Context(), Request{Code: "1"}); !errors.Is(err, ErrClosed) {
		t.Errorf("a call after it: got %v", err)
	}
	if left := append(sleepers(3978), children()[before:]...); len(left) > 0 {
		t.Error("left behind:", left)
	}
	if err := r.Close(); err != nil {
		t.Error("again:", err)
	}
}

func TestRun_saysThatTheBrowserIsGone(t *testing.T) {
	o := options(t)
	dead := filepath.Join(t.TempDir(), "dead.sock")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	listener.Close()
	for _, endpoint := range []string{filepath.Join(t.TempDir(), "missing.sock"), dead} {
		o.Endpoint, o.CDP = endpoint, endpoint
		r := start(t, o)
		for _, language := range []string{Node, Python, Bash}[:min(3, soak(10))] {
			_, err := r.Run(t.Context(), Request{Language: language, Code: "1"})
			if _, missing := errors.AsType[*MissingError](err); !missing && !errors.Is(err, ErrBrowserGone) {
				t.Errorf("%s: got %v", language, err)
			}
		}
	}
}

// A worker leaves the processor to all others: with a limit of its own to connect, a browser that is well was gone on a busy machine.
func TestRun_connectsWithoutALimitOfItsOwn(t *testing.T) {
	o := options(t)
	o.DriverPackage = t.TempDir()
	driver := `exports.chromium = { async connect(endpoint, { timeout }) {
		if (timeout) throw new Error("a limit of " + timeout + " ms");
		return { isConnected: () => true, contexts: () => [{ pages: () => [{ isClosed: () => false }] }] };
	} }`
	if err := os.WriteFile(filepath.Join(o.DriverPackage, "index.js"), []byte(driver), 0o644); err != nil {
		t.Fatal(err)
	}
	r := start(t, o)
	for _, language := range []string{Node, Python} {
		if got := run(t, r, language, "6 * 7"); got.ExitCode != 0 {
			t.Errorf("%s: %+v", language, got)
		}
	}
}

func TestSoak_browserThatGoesIsMissed(t *testing.T) {
	if soak(10) == 1 {
		t.Skip("WINNOW_SOAK=1 starts a session of its own for this")
	}
	options(t)
	session, err := newSession(t.Context(), shared.site)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, optionsOf(session))
	for _, language := range []string{Node, Python} {
		run(t, r, language, "1")
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{Node, Python, Bash} { // the first two have their workers
		if _, err := r.Run(t.Context(), Request{Language: language, Code: "1"}); !errors.Is(err, ErrBrowserGone) {
			t.Errorf("%s: got %v", language, err)
		}
	}
}

func TestStart_withoutASandboxSaysWhatToInstall(t *testing.T) {
	o := Options{Node: "/node", DriverPackage: "/driver", Endpoint: "/endpoint"}
	t.Setenv("PATH", t.TempDir())
	_, err := Start(t.Context(), o)
	if missing, ok := errors.AsType[*sandbox.UnavailableError](err); !ok || missing.Fix == "" {
		t.Errorf("got %v", err)
	}
}

func TestRun_unsandboxedHasAHomeOfItsOwn(t *testing.T) {
	o := options(t)
	o.Unsandboxed = true
	t.Setenv("WINNOW_TEST_SECRET", "3979")
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	r := start(t, o)
	got := run(t, r, Node, `require("fs").writeFileSync("f", "x"); await page.goto("http://site.test/"); Object.keys(process.env).sort().join()`)
	if got.Result == nil || *got.Result != "HOME,LANG,PATH,TMPDIR" {
		t.Errorf("got %+v", got)
	}
	if homes, _ := filepath.Glob(filepath.Join(temporary, "*", "f")); len(homes) != 1 {
		t.Errorf("homes: %v", homes)
	}
	if got = runFor(t, r, Node, `require("child_process").spawn("sleep", ["`+nap(3979)+`"]); await new Promise(() => {})`, MinTimeout); !got.Killed {
		t.Errorf("got %+v", got)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 || len(sleepers(3979)) > 0 {
		t.Error("left behind:", left, sleepers(3979))
	}
}
