package process

import (
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// A host program that ends without closing its pool takes its browser along where the system supports that, but leaves the run folder, and
// elsewhere the processes too. The next pool removes them. It leaves alone everything that may belong to a living
// program: processes are known by the marker in their environment, folders by a lock that the kernel frees at the host's end.

// RunPrefix begins the name of each run folder.
const RunPrefix = "winnow-browser-"

// LockFile is the file of a run folder that its host holds locked as long as it lives.
const LockFile = "lock"

// MarkerVariable is in the environment of every driver and browser.
const MarkerVariable = "WINNOW_RUN"

// HostMarker names this program for ever: its pid, its start, and the namespace in which the pid counts, since processes of another one may
// be visible here.
func HostMarker() string {
	return strconv.Itoa(os.Getpid()) + ":" + StartTime(os.Getpid()) + ":" + pidNamespace()
}

// pidNamespace is the number of the namespace of this program's pids, "" where there is none.
func pidNamespace() string {
	link, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Trim(strings.TrimPrefix(link, "pid:"), "[]")
}

// orphaned reports whether a marker names a host program that has surely ended.
func orphaned(marker string) bool {
	parts := strings.SplitN(marker, ":", 4)
	if len(parts) < 4 || parts[2] == "" || parts[2] != pidNamespace() {
		return false
	}
	pid, err := strconv.Atoi(parts[0])
	return err == nil && parts[1] != "" && StartTime(pid) != parts[1]
}

// Sweep kills the processes and removes the run folders, in the given parent folders, of programs that have ended.
func Sweep(log *slog.Logger, parents ...string) {
	for _, p := range All() {
		if p.Gone() {
			continue
		}
		if KillIf(p.PID, func() bool { return orphaned(Variable(p.PID, MarkerVariable)) }) {
			log.Info("killed an orphaned browser process", "pid", p.PID)
		}
	}
	for _, parent := range parents {
		folders, _ := filepath.Glob(filepath.Join(parent, RunPrefix+"*"))
		for _, dir := range folders {
			if removeOrphan(dir) {
				log.Info("removed an orphaned browser folder", "folder", dir)
			}
		}
	}
}

// removeOrphan removes a run folder whose host no longer holds its lock. One that has no lock yet is just being made.
func removeOrphan(dir string) bool {
	file := filepath.Join(dir, LockFile)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return false
	}
	lock := flock.New(file)
	defer lock.Close()
	if free, err := lock.TryLock(); err != nil || !free {
		return false
	}
	return os.RemoveAll(dir) == nil
}
