package cache

import "syscall"

// passing are the errors of a write that may end by themselves or by an operator: ERROR_WRITE_PROTECT, ERROR_HANDLE_DISK_FULL,
// ERROR_DISK_FULL, ERROR_DISK_QUOTA_EXCEEDED.
var passing = []error{syscall.Errno(19), syscall.Errno(39), syscall.Errno(112), syscall.Errno(1295)}

func isReadOnlySystem(error) bool { return false }
