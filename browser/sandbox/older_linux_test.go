package sandbox

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// mayGroup reports whether this program may make control groups of version 1 for a controller.
func mayGroup(controller string) bool {
	own := systemGroups().olderOwn(controller)
	return own != "" && unix.Access(own, unix.W_OK) == nil
}

// A bomb of root's was held by nothing: thousands of its processes left the watch no time to look.
func TestStart_aForkBombIsEndedByTheLimitOfProcesses(t *testing.T) {
	needed(t)
	if !mayGroup("pids") {
		t.Skip("this system: no control groups of version 1 that this user may make")
	}
	begin, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	s := shell(`read go; bomb() { bomb | bomb & }; bomb; sleep 600`)
	s.Stdin, s.Limits.Processes = begin, 100
	p, err := Start(t.Context(), s)
	begin.Close()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { p.Kill(); _, _ = p.Wait() }()
	if len(p.older) == 0 || !strings.Contains(p.older[0].dir, "/pids") {
		t.Fatalf("it isn't held: %+v", p.older)
	}
	if bound, err := os.ReadFile(filepath.Join(p.older[0].dir, "pids.max")); err != nil || strings.TrimSpace(string(bound)) != "201" {
		t.Errorf("the kernel lets it have %q processes, %v; want 201", bound, err)
	}
	if _, err := io.WriteString(hold, "go\n"); err != nil {
		t.Fatal(err)
	}
	_, err = p.Wait()
	if over, ok := errors.AsType[*LimitError](err); !ok || over.What != "processes" {
		t.Errorf("got %v, want the limit of processes", err)
	}
	if _, err := os.Stat(p.older[0].dir); err == nil {
		t.Error("its group is left")
	}
}

// A bomb whose processes end as soon as one more is refused is over before the watch has looked.
func TestStart_aBombThatIsOverAtOnceIsEndedToo(t *testing.T) {
	needed(t)
	if !mayGroup("pids") {
		t.Skip("this system: no control groups of version 1 that this user may make")
	}
	for _, then := range []string{"exec sleep 600", "exit 0"} { // it goes on, or is over itself
		begin, hold, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer hold.Close()
		s := shell(`read go; (i=0; while [ $i -lt 300 ]; do sleep 0.02 & i=$((i+1)); done); ` + then)
		s.Stdin, s.Limits.Processes = begin, 3
		p, err := Start(t.Context(), s)
		begin.Close()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(p.older[0].dir, "pids.events")); err != nil {
			p.Kill()
			_, _ = p.Wait()
			t.Skip("this system: its kernel does not count the processes that it refuses")
		}
		if _, err := io.WriteString(hold, "go\n"); err != nil {
			t.Fatal(err)
		}
		_, err = p.Wait()
		if over, ok := errors.AsType[*LimitError](err); !ok || over.What != "processes" {
			t.Errorf("%s: got %v, want the limit of processes", then, err)
		}
	}
}

func TestComeFirst_leavesNothing(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	goBack := comeFirst()
	if now, _ := unix.Getpriority(unix.PRIO_PROCESS, 0); now < before {
		t.Errorf("the priority is %d, was %d", now, before)
	}
	goBack()
	if now, _ := unix.Getpriority(unix.PRIO_PROCESS, 0); now != before {
		t.Errorf("afterwards it is %d, was %d", now, before)
	}
}

func TestGroups_olderOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "self")
	for text, want := range map[string]string{
		"8:pids:/a\n4:cpu,cpuacct:/b\n0::/c\n": "/r/pids/a /r/cpu,cpuacct/b", "8:pids:/\n": "/r/pids ", "0::/c\n": " ",
		"8:pids:/../x\n1:cpuset:/\n": " ", "x": " ",
	} {
		put(t, file, text)
		g := groups{root: "/r", self: file}
		if got := g.olderOwn("pids") + " " + g.olderOwn("cpu"); got != want {
			t.Errorf("%s: got %q, want %q", strconv.Quote(text), got, want)
		}
	}
}
