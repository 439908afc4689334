package sandbox

import (
	"context"
	"os/exec"
	"syscall"
)

// Try runs a program that does nothing in bubblewrap with these arguments, and returns how that ended: nil, an *exec.ExitError where
// bubblewrap refused, ctx's error, or the system's. When ctx ends, bubblewrap and its child are killed together: see killGroup.
func Try(ctx context.Context, bwrap string, args ...string) error {
	c := exec.CommandContext(ctx, bwrap, append(args, "--", "/bin/true")...)
	c.Env = []string{}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c.Run()
}
