package code

import (
	"os"
	"syscall"
)

// leader: Windows has no groups of processes.
func leader() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// killGroup kills a process.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
