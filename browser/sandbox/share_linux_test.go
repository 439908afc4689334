//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// grouped skips a test where the kernel doesn't share the processor by sessions of processes, nor by control groups of the sandboxes'.
func grouped(t *testing.T) {
	t.Helper()
	if mayGroup("cpu") {
		return
	}
	enabled, _ := os.ReadFile("/proc/sys/kernel/sched_autogroup_enabled")
	groups, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		words := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(words) == 3 && (words[1] == "" || strings.Contains(","+words[1]+",", ",cpu,")) && words[2] != "/" {
			t.Skip("this system: the processor is shared by control groups here: ", line)
		}
	}
	if strings.TrimSpace(string(enabled)) != "1" {
		t.Skip("this system: kernel.sched_autogroup_enabled is not 1")
	}
}

// Sixty processes that each try for a session of their own, and one that works outside, compete for one processor.
func TestStart_aForkBombCostsOtherWorkAtMostAFifth(t *testing.T) {
	needed(t)
	grouped(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := shell(`taskset -c -p 0 $$ >/dev/null; (echo 0 >/proc/self/autogroup) 2>/dev/null
		for i in $(seq 60); do setsid nice -n -5 sh -c 'while :; do :; done' 2>/dev/null & done; echo up; wait`)
	s.OwnSandbox = true // it may try to get back its share, too
	s.Stdout = w
	p, err := Start(t.Context(), s)
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { p.Kill(); _, _ = p.Wait() }()
	if line, err := bufio.NewReader(r).ReadString('\n'); line != "up\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	work := outside(t)
	bombed, worked := used(p.inside.first()), ran(work)
	for ran(work) < worked+time.Second {
		time.Sleep(100 * time.Millisecond)
	}
	bombed, worked = used(p.inside.first())-bombed, ran(work)-worked
	cost := float64(bombed) / float64(bombed+worked)
	t.Logf("the bomb got %s, the work %s: it cost %.1f %%", bombed, worked, 100*cost)
	if bombed <= 0 || cost > 0.2 {
		t.Errorf("it cost %.1f %%, want at most a fifth", 100*cost)
	}
}

// outside starts the work, in a session of processes of its own, and returns its folder in the process table. It has one thread: those
// of a Go program that wait for another processor would take a part of its share there.
func outside(t *testing.T) string {
	t.Helper()
	c := exec.Command("/bin/sh", "-c", `taskset -c -p 0 $$ >/dev/null; echo up; while :; do :; done`)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	return fmt.Sprint("/proc/", c.Process.Pid)
}

// used is how long all that runs inside has had a processor.
func used(first int) (sum time.Duration) {
	all, _ := look(first, 1<<20)
	for _, m := range all {
		sum += ran(m.path)
	}
	return sum
}

// ran is how long a process of one thread has had a processor: to the nanosecond, where its stat rounds down to 10 ms.
func ran(process string) time.Duration {
	data, _ := os.ReadFile(filepath.Join(process, "schedstat"))
	words := append(strings.Fields(string(data)), "0")
	n, _ := strconv.ParseInt(words[0], 10, 64)
	return time.Duration(n)
}

func TestAutogroup_read(t *testing.T) {
	file := filepath.Join(t.TempDir(), "autogroup")
	for text, want := range map[string]string{"/autogroup-12 nice 10\n": "/autogroup-12 10", "": " 0", "/autogroup-12 nice x\n": " 0", "a b\n": " 0"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		group, nice := autogroup(file)
		if got := fmt.Sprint(group, " ", nice); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
