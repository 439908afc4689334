//go:build linux

package main

import (
	"os"
	"os/exec"

	"golang.org/x/sys/unix"
)

// runAndReap runs a command and becomes the parent of all that it leaves behind: the time of a browser that outlives the process that
// started it would be lost otherwise. It ends with the command.
func runAndReap(command []string) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return err
	}
	p, err := os.StartProcess(path, command, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return err
	}
	for {
		pid, err := unix.Wait4(-1, nil, 0, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil || pid == p.Pid {
			return err
		}
	}
}
