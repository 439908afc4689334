package sandbox

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() {
	programs["starter"] = func() { _, _ = Start(context.Background(), Spec{Args: []string{"/bin/true"}, OwnSandbox: true}) }
}

// Bubblewrap's child has no death signal yet when this program is killed.
func TestStart_aProgramKilledInTheMiddleOfItLeavesNoChild(t *testing.T) {
	noted := filepath.Join(t.TempDir(), "child")
	bwrap, _ := imitation(t, "cat <&3 >&2; sleep 600 & echo $! >"+noted+".new; mv "+noted+".new "+noted+"; wait") // it reads its arguments first
	starter := exec.Command(os.Args[0])
	starter.Env = append(os.Environ(), insideVariable+"=starter", "PATH="+filepath.Dir(bwrap)+":"+os.Getenv("PATH"))
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	pid := readWhenThere(t.Context(), noted)
	_ = starter.Process.Kill()
	_ = starter.Wait()
	if !gone(pid) {
		t.Errorf("process %d goes on", pid)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// A guard that is dismissed does nothing to a group that has its number.
func TestGuard_dismissedEndsNothing(t *testing.T) {
	var out strings.Builder
	c := exec.Command("/bin/sh", "-c", "read -r line; echo $line")
	c.SysProcAttr, c.Stdout = &syscall.SysProcAttr{Setsid: true}, &out
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	g, err := guardOf(c.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	g.dismiss()
	_, _ = in.Write([]byte("here\n"))
	if err := c.Wait(); err != nil || out.String() != "here\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
