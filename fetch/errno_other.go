//go:build !windows

package fetch

import "syscall"

// errnoCodes maps the operating system's errors of a connection to codes. It is read only.
var errnoCodes = map[syscall.Errno]string{
	syscall.ECONNREFUSED: netRefused,
	syscall.ECONNRESET:   netReset,
	syscall.EPIPE:        netReset,
	syscall.ECONNABORTED: netReset,
	syscall.ETIMEDOUT:    netTimedOut,
	syscall.EHOSTUNREACH: netUnreachable,
	syscall.ENETUNREACH:  netUnreachable,
}
