package fetch

import (
	"bufio"
	"net"
	"net/http"
)

// answering is a ResponseWriter that knows whether the response has begun.
type answering struct {
	http.ResponseWriter
	begun bool
}

// Unwrap is for http.ResponseController.
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answering) WriteHeader(status int) {
	a.begun = a.begun || status >= 200 || status == http.StatusSwitchingProtocols
	a.ResponseWriter.WriteHeader(status)
}

func (a *answering) Write(p []byte) (int, error) {
	a.begun = true
	return a.ResponseWriter.Write(p)
}

// Flush is for handlers that use an http.Flusher.
func (a *answering) Flush() {
	a.begun = true
	_ = http.NewResponseController(a.ResponseWriter).Flush()
}

// Hijack is for handlers that use an http.Hijacker, websockets above all. Over HTTP/2 it is an error.
func (a *answering) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(a.ResponseWriter).Hijack()
	a.begun = a.begun || err == nil
	return c, rw, err
}
