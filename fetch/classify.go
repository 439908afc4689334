package fetch

import (
	"errors"
	"io"
	"strings"
	"syscall"
)

// The codes of ConnectError.Net, as browsers show them.
const (
	netRefused         = "ERR_CONNECTION_REFUSED"
	netReset           = "ERR_CONNECTION_RESET"
	netClosed          = "ERR_CONNECTION_CLOSED"
	netTimedOut        = "ERR_CONNECTION_TIMED_OUT"
	netUnreachable     = "ERR_ADDRESS_UNREACHABLE"
	netEmptyResponse   = "ERR_EMPTY_RESPONSE"
	netLengthMismatch  = "ERR_CONTENT_LENGTH_MISMATCH"
	netIncompleteChunk = "ERR_INCOMPLETE_CHUNKED_ENCODING"
	netInvalidResponse = "ERR_INVALID_HTTP_RESPONSE"
	netHeadersTooBig   = "ERR_RESPONSE_HEADERS_TOO_BIG"
	netHTTP2           = "ERR_HTTP2_PROTOCOL_ERROR"
	netFailed          = "ERR_FAILED"
)

// Unreached reports whether no connection was made, so that nothing was requested.
func (e *ConnectError) Unreached() bool {
	switch e.Net {
	case netRefused, netTimedOut, netUnreachable:
		return true
	}
	return false
}

// Classify converts an error of a connection to addr to the type that Do would return: a *ConnectError with the
// browser's code for it. An error that already is or wraps one of this package's errors is returned unchanged.
func Classify(addr string, err error) error {
	if typed(err) {
		return err
	}
	return &ConnectError{Addr: addr, Net: netCode(err), Err: err}
}

// typed reports whether an error is, or wraps, one of the package's.
func typed(err error) bool {
	var (
		blocked  *BlockedError
		dns      *DNSError
		connect  *ConnectError
		tlsErr   *TLSError
		size     *SizeError
		redirect *RedirectError
		proxy    *ProxyError
		decode   *DecodeError
		timeout  *TimeoutError
	)
	for _, target := range []any{&blocked, &dns, &connect, &tlsErr, &size, &redirect, &proxy, &decode, &timeout} {
		if errors.As(err, target) {
			return true
		}
	}
	return errors.Is(err, ErrClosed)
}

// netCode returns the browser's code for a network error.
func netCode(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		if code, known := errnoCodes[errno]; known {
			return code
		}
	}
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return netClosed
	case errors.Is(err, io.EOF):
		return netEmptyResponse
	case errors.As(err, &timeout) && timeout.Timeout():
		return netTimedOut
	}
	return netCodeByText(err.Error())
}

// netCodeByText knows the errors of net/http that have no type.
func netCodeByText(s string) string {
	switch {
	case strings.Contains(s, "server response headers exceeded"), strings.Contains(s, "response header list larger"):
		return netHeadersTooBig
	case strings.Contains(s, "malformed"), strings.Contains(s, "bad Content-Length"),
		strings.Contains(s, "unsupported transfer encoding"), strings.Contains(s, "too many transfer encodings"),
		strings.Contains(s, "invalid header"), strings.Contains(s, "chunked"):
		return netInvalidResponse
	case strings.Contains(s, "server closed idle connection"), strings.Contains(s, "client connection lost"):
		return netEmptyResponse
	case strings.Contains(s, "http2:"), strings.Contains(s, "stream error:"):
		return netHTTP2
	}
	return netFailed
}
