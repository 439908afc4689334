//go:build unix

package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endsWithUs becomes a program, whose process group is killed once nobody holds the other end of file 3 any more: also where the tests end
// without a word, as after a timeout.
const endsWithUs = `(read -r _ <&3; kill -9 0) >/dev/null 2>&1 & exec "$@" 3<&-`

// elsewhere starts a program of its own and returns the address that it says after a prefix. It ends with the test.
func elsewhere(t *testing.T, prefix, name string, args ...string) (address string, process *os.Process) {
	t.Helper()
	temporary, err := os.MkdirTemp("", "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temporary) }) // what its browser may still be leaving is no fault
	command := exec.Command("sh", append([]string{"-c", endsWithUs, "sh", name}, args...)...)
	command.Env = append(os.Environ(), "TMPDIR="+temporary)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	life, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Close() })
	defer life.Close()
	command.ExtraFiles = []*os.File{life}
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stdout, command.Stderr = in, in
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	read := make(chan struct{})
	t.Cleanup(func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
		<-read
	})
	found := make(chan string, 1)
	go func() {
		defer close(read)
		defer close(found)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if _, rest, ok := strings.Cut(lines.Text(), prefix); ok {
				found <- prefix + strings.TrimSpace(rest)
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
		_ = out.Close()
	}()
	select {
	case address, ok := <-found:
		if !ok {
			t.Fatal(name, "ended")
		}
		return address, command.Process
	case <-testContext(t).Done():
		t.Fatal("no address from ", name)
	}
	return "", nil
}

// elsewhereHeld makes the test binary hold a program until it is killed.
const elsewhereHeld = "WINNOW_TEST_HOLD_ELSEWHERE"

func TestElsewhere_endsWithATestThatIsKilled(t *testing.T) {
	if os.Getenv(elsewhereHeld) != "" {
		pid, _ := elsewhere(t, "pid ", "sh", "-c", "echo pid $$; exec sleep 600")
		fmt.Println("holds:", pid)
		select {}
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestElsewhere_endsWithATestThatIsKilled$", "-test.v", "-test.short")
	command.Env = append(os.Environ(), elsewhereHeld+"=1", "TMPDIR="+t.TempDir())
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		_, _ = fmt.Sscanf(lines.Text(), "holds: pid %d", &pid)
	}
	_ = command.Process.Kill()
	_ = command.Wait() // it was killed
	if pid == 0 {
		t.Fatal("nothing was held")
	}
	eventually(t, "the program has ended, too", func() bool { return isOver(pid) })
}

// isOver reports a process that has ended, whoever has yet to ask for its status.
func isOver(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == syscall.ESRCH
	}
	_, state, _ := strings.Cut(string(status), ") ")
	return strings.HasPrefix(state, "Z")
}

func devTools(t *testing.T) (address string, process *os.Process) {
	t.Helper()
	inst := shared.Installation()
	if inst == nil {
		if err := shared.Prepare(testContext(t)); err != nil {
			t.Fatal(err)
		}
		inst = shared.Installation()
	}
	args := []string{"--headless", "--remote-debugging-port=0", "--user-data-dir=" + t.TempDir(), "--disable-dev-shm-usage"}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	return elsewhere(t, "ws://", inst.Executable, args...)
}

func playwrightServer(t *testing.T) (address string, process *os.Process) {
	t.Helper()
	if err := shared.Prepare(testContext(t)); err != nil {
		t.Fatal(err)
	}
	inst := shared.Installation()
	config := map[string]any{"executablePath": inst.Executable, "host": "127.0.0.1", "chromiumSandbox": os.Geteuid() != 0}
	data, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cli := filepath.Join(inst.DriverDir, "package", "cli.js")
	return elsewhere(t, "ws://", inst.Node, cli, "launch-server", "--browser", "chromium", "--config", file)
}

// One browser of each kind outlives the pools that use it, is frozen, goes on, and is killed.
func TestPool_aBrowserThatRunsElsewhere(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, fileRoutes)
	ways := map[string]func(*testing.T) (string, *os.Process){"DevTools": devTools}
	if !raced() { // a pool does the same with it
		ways["Playwright server"] = playwrightServer
	}
	for name, start := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits
			address, process := start(t)
			last := ownPool(t, Options{ConnectURL: address, MaxPages: 3})
			t.Run("is used", func(t *testing.T) { isUsed(t, address, last, s) })
			t.Run("is frozen", func(t *testing.T) { frozenElsewhereHangsNoCaller(t, last, process) })
			t.Run("ends", func(t *testing.T) { endElsewhereIsSurvived(t, address, process, s) })
		})
	}
}

// isUsed uses a browser twice, also by the address of its site where it has one.
func isUsed(t *testing.T, address string, last *Pool, s *site) {
	t.Helper()
	if host, _, found := strings.Cut(strings.TrimPrefix(address, "ws"), "/devtools"); found {
		address = "http" + host
	}
	pool := NewPool(Options{ConnectURL: address, MaxPages: 3})
	useRemote(t, pool, s)
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	useRemote(t, last, s) // the browser outlives each pool
}

func useRemote(t *testing.T, pool *Pool, s *site) {
	t.Helper()
	p := openFrom(t, pool, PageOptions{Proxy: s.proxy})
	nav := visit(t, p, s.URL+"/late")
	if _, err := p.WaitReady(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if html := contentOf(t, p); nav.Status != 200 || !strings.Contains(html, "came late") {
		t.Errorf("got %d %s", nav.Status, html)
	}
	if pool.Version() == "" || pool.Sandbox() != "remote" || len(pool.Pids()) != 0 {
		t.Errorf("got version %q, sandbox %q, pids %v", pool.Version(), pool.Sandbox(), pool.Pids())
	}
	saver := openFrom(t, pool, PageOptions{Proxy: s.proxy, MaxDownload: 1 << 20})
	visit(t, saver, s.URL+"/files")
	checkFiles(t, follow(t, saver))
	bare := openFrom(t, pool, PageOptions{}) // a page without a proxy must not get out
	var failed *NavigationError
	if _, err := bare.Goto(testContext(t), s.URL+"/"); !errors.As(err, &failed) {
		t.Errorf("without a proxy: got %v, want a NavigationError", err)
	}
}

func frozenElsewhereHangsNoCaller(t *testing.T, pool *Pool, process *os.Process) {
	t.Helper()
	p := openFrom(t, pool, PageOptions{})
	visit(t, p, "data:text/html,<p>x")
	_ = syscall.Kill(-process.Pid, syscall.SIGSTOP)
	if _, err := p.Content(deadline(t, 100*time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want a deadline", err)
	}
	if err := errors.Join(p.Close(), pool.Close()); err != nil {
		t.Error(err)
	}
	_ = syscall.Kill(-process.Pid, syscall.SIGCONT)
}

func endElsewhereIsSurvived(t *testing.T, address string, process *os.Process, s *site) {
	t.Helper()
	pool := ownPool(t, Options{ConnectURL: address})
	p, done := busy(t, pool, s)
	_ = syscall.Kill(-process.Pid, syscall.SIGKILL)
	if err := <-done; !errors.Is(err, ErrCrashed) {
		t.Errorf("got %v, want ErrCrashed", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := pool.Open(testContext(t), PageOptions{}); err == nil {
		t.Error("want an error: nobody is there")
	}
}

func TestPool_secretsOfTheConnectURLAreNotInErrors(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	leftToUnraced(t)
	for _, address := range []string{"ws://127.0.0.1:9/x?token=secret", "http://user:secret@127.0.0.1:9/"} {
		pool := ownPool(t, Options{ConnectURL: address})
		if err := pool.Prepare(testContext(t)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v", err)
		}
	}
}

func TestPool_fullBuildWhereItIsAskedFor(t *testing.T) {
	needsBrowser(t)
	leftToUnraced(t)
	t.Parallel()
	pool := ownPool(t, Options{Headless: "new", Install: InstallOptions{System: true}})
	err := pool.Prepare(testContext(t))
	if _, ok := errors.AsType[*InstallError](err); ok && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("a full build of a Chromium is unavailable here: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	p := openFrom(t, pool, PageOptions{})
	visit(t, p, "data:text/html,<p>x")
	if inst := pool.Installation(); inst.Headless != "new" || strings.Contains(filepath.Base(inst.Executable), "headless") {
		t.Errorf("got %s (%s)", inst.Executable, inst.Headless)
	}
}

func TestInstall_headlessShellIsNoFullBuild(t *testing.T) {
	needsNode(t)
	pool := NewPool(Options{Headless: "new", Install: InstallOptions{Executable: filepath.Join(t.TempDir(), "headless_shell"), Mode: InstallNever}})
	defer pool.Close()
	err := pool.Prepare(testContext(t))
	var failed *InstallError
	if !errors.As(err, &failed) {
		t.Errorf("got %v, want an InstallError", err)
	}
}
