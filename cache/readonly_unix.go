//go:build unix

package cache

import (
	"errors"
	"syscall"
)

// isReadOnlySystem: a file system that is mounted read-only isn't a matter of permission for package fs.
func isReadOnlySystem(err error) bool { return errors.Is(err, syscall.EROFS) }
