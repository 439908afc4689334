package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A child that bubblewrap has just made doesn't end with it: it hasn't requested its death signal yet.
func TestTry_anEndedContextLeavesNoChild(t *testing.T) {
	noted := filepath.Join(t.TempDir(), "child")
	bwrap, _ := imitation(t, "sleep 600 & echo $! >"+noted+".new; mv "+noted+".new "+noted+"; wait")
	for name, try := range map[string]func(context.Context){
		"Try":     func(ctx context.Context) { _ = Try(ctx, bwrap) },
		"disable": func(ctx context.Context) { disable(ctx, bwrap, Spec{}) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		child := make(chan int, 1)
		go func() {
			defer cancel()
			child <- readWhenThere(t.Context(), noted)
		}()
		try(ctx)
		if pid := <-child; !gone(pid) {
			t.Errorf("%s: process %d goes on", name, pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = os.Remove(noted)
	}
}

// readWhenThere waits for a file with the id of a process.
func readWhenThere(ctx context.Context, path string) int {
	for ctx.Err() == nil {
		if data, err := os.ReadFile(path); err == nil {
			pid, _ := strconv.Atoi(strings.TrimSpace(string(data)))
			return pid
		}
		time.Sleep(time.Millisecond)
	}
	return 0
}

// gone waits until a process has ended: it was killed, and the system may be slow. 0 is none.
func gone(pid int) bool {
	for end := time.Now().Add(time.Minute); pid > 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if state := fields(filepath.Join("/proc", strconv.Itoa(pid), "stat")); len(state) == 0 || state[0] == "Z" {
			return true
		}
	}
	return false
}
