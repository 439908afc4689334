package serving

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// program is the program as a process of its own.
type program struct {
	running
	cmd *exec.Cmd
}

func startProgram(t *testing.T, args ...string) *program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("this system: Windows has no signals for other processes")
	}
	p := &program{running: running{t: t, client: &http.Client{Transport: &http.Transport{}}, log: &safeBuffer{}}}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	p.cmd = exec.CommandContext(ctx, os.Args[0], append([]string{"-addr", "127.0.0.1:0", "-system"}, args...)...)
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	p.cmd.Stderr = p.log
	in, out := io.Pipe()
	p.cmd.Stdout = out
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = p.cmd.Wait() // its state says how it ended
		out.CloseWithError(io.EOF)
		close(ended)
	}()
	t.Cleanup(func() { cancel(); <-ended; p.client.CloseIdleConnections() })
	p.printed, p.url = greeting(t, in, p.log)
	p.stop = func() { <-ended }
	return p
}

// signal sends one and, where last, waits for the end and gives the exit status.
func (p *program) signal(last bool) int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	if !last {
		return 0
	}
	p.stop()
	return p.cmd.ProcessState.ExitCode()
}

// insist sends signals until the program has ended, as the first ones after another are that one's echo, and gives the exit status.
func (p *program) insist() int {
	p.t.Helper()
	ended := make(chan struct{})
	go func() { p.stop(); close(ended) }()
	for {
		select {
		case <-ended:
			return p.cmd.ProcessState.ExitCode()
		case <-time.After(50 * time.Millisecond):
			if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
				p.t.Fatal(err)
			}
		}
	}
}

// started are the processes below the program, each with what it was started as.
func (p *program) started() map[string]string {
	parents := map[string]string{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, name := range stats {
		if data, err := os.ReadFile(name); err == nil { // else it has ended meanwhile
			fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
			parents[filepath.Base(filepath.Dir(name))] = fields[1]
		}
	}
	found, own := map[string]string{}, strconv.Itoa(p.cmd.Process.Pid)
	for pid := range parents {
		for at := parents[pid]; at != ""; at = parents[at] {
			if at == own {
				found[pid] = startedAs(pid)
			}
		}
	}
	return found
}

// startedAs is a process's command line; empty once it has ended.
func startedAs(pid string) string {
	line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
	return string(line)
}

// A scrape in the browser and a session that people watch, and then nothing is left of either.
func TestMain_aSignalEndsItCleanly(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test runs real browsers")
	}
	p := startProgram(t, "-demo")
	a := p.want(200, "POST", "/v2/scrape", `{"url":"https://app.example/","timeout":300000}`)
	if text := a.field(t, "data.markdown").(string); !strings.Contains(text, "Sweep the loft") {
		t.Error(text)
	}
	p.watchSession()
	below := p.started()
	if runtime.GOOS == "linux" && len(below) < 3 {
		t.Errorf("the browser can't be seen: %q", below)
	}
	if code := p.signal(true); code != 0 {
		t.Errorf("status %d: %s", code, p.log)
	}
	for pid, line := range below {
		for end := time.Now().Add(soon); line != "" && startedAs(pid) == line; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("left: %q", line)
			}
		}
	}
}

// watchSession starts a session, where sessions can be run, and opens its live view through the server.
func (p *program) watchSession() {
	p.t.Helper()
	a, err := p.ask("POST", "/v2/browser", `{}`)
	if err != nil {
		p.t.Fatal(err)
	}
	if strings.Contains(a.body, "BROWSER_NOT_CONFIGURED") && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		p.t.Log("no session, as they can't be run here: ", a.body)
		return
	}
	view, _ := a.field(p.t, "liveViewUrl").(string)
	path, ok := strings.CutPrefix(view, p.url)
	if a.status != 200 || !ok || !strings.HasPrefix(path, "/live/") {
		p.t.Fatalf("%d %s", a.status, a.body)
	}
	p.want(200, "GET", path, "")
	p.want(404, "GET", path+"x", "")
	if strings.Contains(p.log.String(), path) {
		p.t.Error("the log has the address to watch")
	}
}

func TestObey_theSameSignalTwiceIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals, did := make(chan os.Signal), ""
		go obey(signals, func() { did += "stop " }, func() { did += "end " })
		for _, step := range []struct {
			after time.Duration
			want  string
		}{{0, "stop "}, {0, "stop "}, {echo / 2, "stop "}, {echo, "stop end "}} {
			time.Sleep(step.after)
			synctest.Wait()
			signals <- syscall.SIGTERM
			if synctest.Wait(); did != step.want {
				t.Errorf("after %v: %q, want %q", step.after, did, step.want)
			}
		}
	})
}

func TestMain_aSecondSignalEndsItAtOnce(t *testing.T) {
	site := newSlowSite(t)
	p := startProgram(t, "-allow-private", "-render", "never", "-grace", "5m")
	scraped := scrapeSlowly(&p.running, site)
	p.signal(false)
	p.until("/readyz", func(a answer) bool { return a.status == 503 })
	if code := p.insist(); code != 1 || !strings.HasSuffix(p.log.String(), "server: ended at once, by a second signal\n") {
		t.Errorf("status %d: %s", code, p.log)
	}
	if a := <-scraped; a.status == 200 {
		t.Error(a.body)
	}
}

func TestMain_whatCantBeHonouredEndsItWithOneLine(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-addr", "0.0.0.0:0")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	said, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(string(said), "server: -addr 0.0.0.0:0 ") || strings.Count(string(said), "\n") != 1 {
		t.Errorf("%v: %s", err, said)
	}
}
