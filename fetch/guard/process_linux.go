package guard

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// maxAncestors bounds a walk from a process to its forebears.
const maxAncestors = 64

// processes returns the ids of all processes: those that descend from one of roots, or are one, and the others.
func processes(roots []int) (family, others []int, err error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		switch {
		case err != nil:
		case descends(pid, roots):
			family = append(family, pid)
		default:
			others = append(others, pid)
		}
	}
	return family, others, nil
}

// descends reports whether a process is one of roots or a descendant.
func descends(pid int, roots []int) bool {
	for range maxAncestors {
		if pid <= 1 || slices.Contains(roots, pid) {
			break
		}
		pid = parentOf(pid)
	}
	return slices.Contains(roots, pid)
}

// parentOf returns the parent of a process, or 0.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// pid (name) state parent …; the name may hold anything, parentheses too.
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(f) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(f[1])
	return parent
}

// holdsSocket reports whether a process has a socket open.
func holdsSocket(pid int, inode uint64) (bool, error) {
	path := fmt.Sprintf("/proc/%d/fd", pid)
	dir, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return false, err
	}
	want := fmt.Sprintf("socket:[%d]", inode)
	for _, name := range names {
		link, err := os.Readlink(path + "/" + name)
		if link == want {
			return true, nil
		}
		if errors.Is(err, os.ErrPermission) {
			return false, err
		}
	}
	return false, nil
}
