package fetch

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// errnoCodes maps the operating system's errors of a connection to codes. It is read only.
var errnoCodes = map[syscall.Errno]string{
	windows.WSAECONNREFUSED: netRefused,
	windows.WSAECONNRESET:   netReset,
	windows.WSAECONNABORTED: netReset,
	windows.WSAETIMEDOUT:    netTimedOut,
	windows.WSAEHOSTUNREACH: netUnreachable,
	windows.WSAENETUNREACH:  netUnreachable,
}
