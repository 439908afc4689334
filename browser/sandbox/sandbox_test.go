package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// insideVariable makes this test program one of programs, for a sandbox.
const insideVariable = "WINNOW_INSIDE"

var programs = map[string]func(){}

func TestMain(m *testing.M) {
	if name := os.Getenv(insideVariable); name != "" {
		programs[name]()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// needed skips a test where there is no sandbox; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func needed(t *testing.T) {
	t.Helper()
	var missing *UnavailableError
	if err := Available(t.Context()); errors.As(err, &missing) && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("needs bubblewrap and user namespaces: ", missing)
	} else if err != nil {
		t.Fatal(err)
	}
}

// outcome is what came of a program.
type outcome struct {
	out, err string
	code     int
	end      error
}

// do runs a spec to its end, with a bound on its time.
func do(t *testing.T, s Spec) outcome {
	t.Helper()
	needed(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	s.Stdout, s.Stderr = &out, &errs
	p, err := Start(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	code, err := p.Wait()
	return outcome{out.String(), errs.String(), code, err}
}

func shell(script string) Spec { return Spec{Args: []string{"/bin/sh", "-c", script}} }

func TestStart_programSeesItsOwnPlaceOnly(t *testing.T) {
	t.Setenv("WINNOW_SECRET", "topsecret")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("topsecret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ script, want string }{
		"home and user":       {`cd; pwd; id -u; hostname 2>/dev/null || cat /proc/sys/kernel/hostname`, "/home/user\n1000\nsandbox\n"},
		"home and temp":       {`echo a >~/f; echo b >/tmp/f; echo c >/dev/shm/f; cat ~/f /tmp/f /dev/shm/f`, "a\nb\nc\n"},
		"system is read-only": {`for d in / /usr /usr/bin /etc /dev /proc/sys/kernel; do touch $d/x 2>/dev/null && echo $d; done; echo none`, "none\n"},
		"no host file":        {`cat ` + secret + ` /etc/passwd /etc/shadow /etc/hostname /root/.bashrc 2>/dev/null; ls -A /etc/ssl/private /root /home/user /tmp 2>/dev/null; echo none`, "/home/user:\n\n/tmp:\nnone\n"},
		"no host variable":    {`cat /proc/*/environ 2>/dev/null | tr '\0' '\n' | grep -c SECRET`, "0\n"},
		"no host path":        {`cat /proc/1/cmdline | tr '\0' ' ' | grep -c -e '[-]-ro-bind'`, "0\n"},
		"environment":         {`env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= | sort`, "HOME=/home/user\nLANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\n"},
		"no host process":     {`ls -d /proc/[0-9]* | wc -l | { read n; [ "$n" -lt 12 ] && echo few; }`, "few\n"},
		"loopback only":       {`tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '`, "lo\n"},
		"no rights":           {`grep -h ^Cap[EPB] /proc/self/status | sort -u | cut -f2 | sort -u`, "0000000000000000\n"},
		"no open file":        {`for n in 3 4 5 6 7 8 9; do { true <&$n; } 2>/dev/null && echo $n; done; echo none`, "none\n"},
		"processes are kept":  {`echo 0 2>&1 >/proc/self/autogroup || echo no`, "/bin/sh: 1: cannot create /proc/self/autogroup: Read-only file system\nno\n"},
		"no terminal":         {`(echo x >/dev/tty) 2>/dev/null && echo tty; echo none`, "none\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := do(t, shell(c.script)); got.end != nil || got.out != c.want {
				t.Errorf("got %q, want %q (stderr %q, end %v)", got.out, c.want, got.err, got.end)
			}
		})
	}
}

func TestStart_limitsHold(t *testing.T) {
	for name, c := range map[string]struct {
		limits Limits
		script string
		want   func(outcome) bool
	}{
		"file size": {Limits{FileSize: 1 << 20}, `head -c 2000000 /dev/zero >/tmp/f; wc -c </tmp/f`, func(o outcome) bool { return o.out == "1048576\n" }},
		"disk":      {Limits{Disk: 1 << 20}, `head -c 2000000 /dev/zero >~/f; wc -c <~/f`, func(o outcome) bool { return o.out == "1048576\n" }},
		"processor": {Limits{CPU: time.Second}, `while :; do :; done`, func(o outcome) bool { return o.code > 128 && o.end == nil }},
		"memory of one": {Limits{Memory: 64 << 20}, `x=$(head -c 200000000 /dev/zero | tr '\0' a); echo held ${#x}`, func(o outcome) bool {
			return o.out == "" && o.code != 0
		}},
		"processes": {Limits{Processes: 40}, `while :; do sleep 20 & done 2>/dev/null`, func(o outcome) bool {
			var limit *LimitError
			return o.code > 0 || errors.As(o.end, &limit) && limit.What == "processes"
		}},
		"open files": {Limits{OpenFiles: 20}, `ulimit -n; ulimit -n 100 2>/dev/null || echo no`, func(o outcome) bool { return o.out == "20\nno\n" }},
	} {
		t.Run(name, func(t *testing.T) {
			s := shell(c.script)
			s.Limits = c.limits
			if got := do(t, s); !c.want(got) {
				t.Errorf("got %.200q, code %d, end %v (stderr %.200q)", got.out, got.code, got.end, got.err)
			}
		})
	}
}

func TestProcess_memoryOfAllTogetherEndsIt(t *testing.T) {
	// Each holds 40 MB that no file has, and waits for a reader.
	s := shell(`mkfifo /tmp/p; exec 3<>/tmp/p; for i in 1 2 3 4; do dd if=/dev/zero of=/tmp/p bs=40M count=1 2>/dev/null & done; wait`)
	s.Limits = Limits{Memory: 100 << 20}
	var limit *LimitError
	if got := do(t, s); got.code != -1 || !errors.As(got.end, &limit) || limit.What != "memory" || limit.Used <= 100<<20 {
		t.Errorf("got code %d, end %v (stderr %.200q)", got.code, got.end, got.err)
	}
}

// Killed at any moment, also while bubblewrap is still making the sandbox, nothing is left of it.
func TestStart_killedAtAnyMomentLeavesNothing(t *testing.T) {
	needed(t)
	var begun []int
	for n := 0; n < 30 || len(begun) == 0; n++ { // on a busy machine, until one could start
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n+1)*time.Millisecond)
		p, err := Start(ctx, shell("sleep 20 & setsid sleep 20"))
		if err == nil {
			begun = append(begun, p.Pid())
			_, err = p.Wait()
		}
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d ms: %v", n, err)
		}
	}
	if left := living(t, begun); len(left) > 0 || len(begun) == 0 {
		t.Errorf("left of %d: %v", len(begun), left)
	}
}

// living lists the processes that are left of the sessions of processes.
func living(t *testing.T, sessions []int) (found []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, _ := os.ReadFile(file)
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest) // state, parent, group, session
		if len(fields) < 4 || fields[0] == "Z" || fields[0] == "X" {
			continue
		}
		if session, _ := strconv.Atoi(fields[3]); slices.Contains(sessions, session) {
			found = append(found, string(data))
		}
	}
	return found
}
