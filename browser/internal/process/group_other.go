//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// KillGroup kills the browser's first process; its others end with it.
func KillGroup(pid int) {
	if pid <= 1 {
		return
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
		_ = p.Release()
	}
}

// GroupAlive is not known here: the job of the driver ends its children.
func GroupAlive(int) bool { return false }

// EndChildrenToo leaves a command as it is: its context ends its first process.
func EndChildrenToo(*exec.Cmd) {}
