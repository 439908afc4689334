//go:build unix

package code

import "syscall"

// leader makes a process the leader of a group of its own.
func leader() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	dieWithHost(attributes)
	return attributes
}

// killGroup kills a process and those of its group.
func killGroup(pid int) {
	if pid > 1 {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}
