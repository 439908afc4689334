//go:build unix

package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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
	members, known := groupMembers(pid)
	return !known || len(members) > 0
}

// groupMembers lists the living processes of a group by walking /proc; known is false where there is no /proc.
func groupMembers(group int) (pids []int, known bool) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		known = true
		pid, state, pgrp := parseStat(string(data))
		if pgrp == group && state != "Z" && state != "X" {
			pids = append(pids, pid)
		}
	}
	return pids, known
}

// parseStat reads pid, state and process group from a /proc stat line; the name in brackets may hold anything.
func parseStat(line string) (pid int, state string, pgrp int) {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return 0, "", 0
	}
	pid, _ = strconv.Atoi(strings.TrimSpace(line[:open]))
	fields := strings.Fields(line[end+1:])
	if len(fields) < 3 {
		return pid, "", 0
	}
	pgrp, _ = strconv.Atoi(fields[2])
	return pid, fields[0], pgrp
}

// killWholeGroup makes the end of a command's context end its children too.
func killWholeGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
