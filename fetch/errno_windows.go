package fetch

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// errnoCodes translates what the operating system says of a connection. It is read only.
var errnoCodes = map[syscall.Errno]string{
	windows.WSAECONNREFUSED: netRefused,
	windows.WSAECONNRESET:   netReset,
	windows.WSAECONNABORTED: netReset,
	windows.WSAETIMEDOUT:    netTimedOut,
	windows.WSAEHOSTUNREACH: netUnreachable,
	windows.WSAENETUNREACH:  netUnreachable,
}
