package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// wayPrefix begins the names of the folders that hold the sockets of sessions; the id of the process follows.
const wayPrefix = "winnow-way-"

// newWay makes the private folder of a session's socket, and removes those that killed programs have left.
func newWay() (string, error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), wayPrefix+"*"))
	for _, folder := range left {
		if processEnded(filepath.Base(folder)) {
			_ = os.RemoveAll(folder)
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-*", wayPrefix, os.Getpid()))
}

// processEnded tells whether the process that a folder's name tells of is gone.
func processEnded(name string) bool {
	id, _, _ := strings.Cut(strings.TrimPrefix(name, wayPrefix), "-")
	pid, err := strconv.Atoi(id)
	if err != nil {
		return false
	}
	p, err := os.FindProcess(pid)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
