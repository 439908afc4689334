//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"errors"
	"os"
	"syscall"
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
