//go:build unix

package process

import (
	"os/exec"
	"slices"
	"syscall"
)

// KillGroup kills a process group by its leader. The driver starts the browser as the leader of its own group.
func KillGroup(pid int) {
	if pid > 1 {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// GroupAlive reports whether a process of the group still runs; one that is dead and only waits to be reaped doesn't count.
func GroupAlive(pid int) bool {
	if pid <= 1 || syscall.Kill(-pid, 0) == syscall.ESRCH {
		return false
	}
	all := All()
	return len(all) == 0 || slices.ContainsFunc(all, func(p Process) bool { return p.Group == pid && !p.Gone() })
}

// EndChildrenToo makes the end of a command's context end its children too.
func EndChildrenToo(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
