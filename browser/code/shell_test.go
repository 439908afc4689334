//go:build unix

package code

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The browser command's own process may be slow on a busy machine. It is not ended for that: its references to elements would be lost.
func TestRun_aSlowBrowserCommandKeepsItsReferences(t *testing.T) {
	o := options(t)
	needs(t, Bash)
	before := commands()
	r := start(t, o)
	run(t, r, Bash, `agent-browser open http://site.test/ >/dev/null; agent-browser snapshot -i >/dev/null`)
	own := slices.DeleteFunc(commands(), func(pid int) bool { return slices.Contains(before, pid) })
	if len(own) != 1 {
		t.Fatalf("the browser command has processes %v, want one", own)
	}
	if err := syscall.Kill(own[0], syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	goesOn := time.AfterFunc(4*time.Second, func() { _ = syscall.Kill(own[0], syscall.SIGCONT) })
	defer goesOn.Stop()
	if got := run(t, r, Bash, `agent-browser click @e2 >/dev/null; agent-browser get title`); got.Stdout != "clicked\n" {
		t.Errorf("got %+v", got)
	}
}

// commands lists the processes of browser commands that come from this one.
func commands() (found []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte("cli/agent-browser")) && isOurs(pid) {
			found = append(found, pid)
		}
	}
	return found
}

// isOurs reports whether a process descends from this one.
func isOurs(pid int) bool {
	for pid > 1 && pid != os.Getpid() {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return false // it has ended
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 {
			return false
		}
		pid, _ = strconv.Atoi(fields[1])
	}
	return pid > 1
}
