//go:build unix

package cache

import (
	"errors"
	"syscall"
)

// passing are the errors of a write that may end by themselves or by an operator: no room, no quota, beyond RLIMIT_FSIZE (whose signal
// the runtime ignores), a file system that was made read-only.
var passing = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS}

// isReadOnlySystem: a file system that is mounted read-only isn't a matter of permission for package fs.
func isReadOnlySystem(err error) bool { return errors.Is(err, syscall.EROFS) }
