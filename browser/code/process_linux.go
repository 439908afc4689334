package code

import (
	"errors"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// dieWithHost makes the kernel kill a process when the thread that started it ends.
func dieWithHost(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// untilEnd waits for the end of a process and leaves it in the process table, so that its id still means it.
func untilEnd(pid int) {
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// limit sets the limits of a process that has just started, which its children inherit. One that has ended already needs none.
func limit(pid int, l sandbox.Limits) error {
	for resource, value := range map[int]int64{
		unix.RLIMIT_CPU: int64(l.CPU / time.Second), unix.RLIMIT_NPROC: int64(l.Processes), unix.RLIMIT_FSIZE: l.FileSize,
		unix.RLIMIT_NOFILE: int64(l.OpenFiles), unix.RLIMIT_CORE: 0,
	} {
		if value == 0 && resource != unix.RLIMIT_CORE {
			continue
		}
		err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: uint64(value), Max: uint64(value)}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) {
			return err
		}
	}
	return nil
}
