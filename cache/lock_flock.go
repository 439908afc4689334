//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepsLock: the lock belongs to the open file and may be taken before bbolt takes the same one, and held while the file is renamed.
const keepsLock = true

// tryLock takes the lock that bbolt will take, or ErrLocked.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// unlockClose closes a file that may still be mapped: the map would keep the lock.
func unlockClose(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

// duplicate is another descriptor of an open file, with the same lock, and one of nothing for leave.
func duplicate(f *os.File) (same, null *os.File, err error) {
	if null, err = os.Open(os.DevNull); err != nil {
		return nil, nil, err
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, nil, errors.Join(err, null.Close())
	}
	return os.NewFile(uintptr(fd), f.Name()), null, nil
}

// leave makes a descriptor one of nothing: who closes it then doesn't unlock the file, which would count for its duplicate too.
func leave(f, null *os.File) {
	if err := unix.Dup2(int(null.Fd()), int(f.Fd())); err != nil { // both are open
		panic(err)
	}
}
