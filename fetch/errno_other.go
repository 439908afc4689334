//go:build !windows

package fetch

import "syscall"

// errnoCodes translates what the operating system says of a connection. It is read only.
var errnoCodes = map[syscall.Errno]string{
	syscall.ECONNREFUSED: netRefused,
	syscall.ECONNRESET:   netReset,
	syscall.EPIPE:        netReset,
	syscall.ECONNABORTED: netReset,
	syscall.ETIMEDOUT:    netTimedOut,
	syscall.EHOSTUNREACH: netUnreachable,
	syscall.ENETUNREACH:  netUnreachable,
}
