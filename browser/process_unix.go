//go:build unix

package browser

import (
	"os/exec"
	"slices"
	"syscall"
)

// killGroup kills the process group of the browser. The driver starts the browser as the leader of its own group.
func killGroup(pid int) {
	if pid > 1 {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// groupAlive reports whether a process of the group still runs; one that is dead and only waits to be reaped doesn't count.
func groupAlive(pid int) bool {
	if pid <= 1 || syscall.Kill(-pid, 0) == syscall.ESRCH {
		return false
	}
	all := processes()
	return len(all) == 0 || slices.ContainsFunc(all, func(p process) bool { return p.group == pid && !p.gone() })
}

// killWholeGroup makes the end of a command's context end its children too.
func killWholeGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
