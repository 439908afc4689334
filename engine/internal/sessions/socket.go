package sessions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// FolderPrefix begins the names of the folders that hold the sockets of sessions; the id of the process follows.
const FolderPrefix = "winnow-way-"

// newSocketFolder makes the private folder of a session's socket, and removes those that killed programs have left.
func newSocketFolder() (string, error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), FolderPrefix+"*"))
	for _, folder := range left {
		if processEnded(filepath.Base(folder)) {
			_ = os.RemoveAll(folder)
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-*", FolderPrefix, os.Getpid()))
}

// processEnded reports whether the process in a folder's name is gone.
func processEnded(name string) bool {
	id, _, _ := strings.Cut(strings.TrimPrefix(name, FolderPrefix), "-")
	pid, err := strconv.Atoi(id)
	if err != nil {
		return false
	}
	p, err := os.FindProcess(pid)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
