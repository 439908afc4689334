//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cache

import (
	"errors"
	"os"
)

// keepsLock: here a lock can't be taken twice, so bbolt's own is the only one, and it is let go of while a compacted file is put in place.
const keepsLock = false

func tryLock(*os.File) error { return nil }

func unlockClose(f *os.File) error { return f.Close() }

func duplicate(*os.File) (same, null *os.File, err error) { return nil, nil, errors.ErrUnsupported }

func leave(_, _ *os.File) {}
