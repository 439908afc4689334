//go:build !unix

package browser

import (
	"os"
	"os/exec"
)

// killGroup kills the browser's first process; its others end with it.
func killGroup(pid int) {
	if pid <= 1 {
		return
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
		_ = p.Release()
	}
}

// groupAlive is not known here: the job of the driver ends its children.
func groupAlive(int) bool { return false }

// killWholeGroup leaves a command as it is: its context ends its first process.
func killWholeGroup(*exec.Cmd) {}
