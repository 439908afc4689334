package httpapi

import (
	"io"
	"net/http"
	"time"
)

// setReadDeadline bounds how long the rest of a request's body may take. The server lifts it once the body has come in, and before the
// next request. A writer that can't, as in tests, has no slow client.
func setReadDeadline(w http.ResponseWriter, limit time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(limit))
}

// maxWrite is what one deadline is for.
const maxWrite = 1 << 20

// statusWriter remembers the status, and gives each part of an answer a deadline.
type statusWriter struct {
	http.ResponseWriter
	slowest time.Duration // 0: no deadline
	status  int
	bytes   int64 // of the body
}

func (w *statusWriter) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols { // before these the answer is still to come
		w.status = status
	}
	w.hasten()
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (n int, err error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	for {
		part := b[n:min(len(b), n+maxWrite)]
		w.hasten()
		wrote, err := w.ResponseWriter.Write(part)
		n += wrote
		w.bytes += int64(wrote)
		if err != nil || n == len(b) {
			return n, err
		}
	}
}

// hasten begins the deadline of what is written next; the last one is for what the server still holds when the handler is done.
func (w *statusWriter) hasten() {
	if w.slowest > 0 {
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.slowest))
	}
}

// Unwrap lets http.ResponseController find the server's own writer.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// What is read of a body that is too large: clients read the answer when they have sent all, and find a broken connection if
// the server has not read it.
const (
	maxDrained   = 64 << 20
	drainTimeout = 5 * time.Second
)

// drain reads the rest of a body that was refused, unless there is far too much of it. A client that waits for the permission to send it
// does not get it.
func drain(w http.ResponseWriter, r *http.Request, body io.Reader) {
	if body == nil || r.ContentLength > maxDrained || r.Header.Get("Expect") != "" {
		return
	}
	setReadDeadline(w, drainTimeout)
	_, _ = io.CopyN(io.Discard, body, maxDrained) // what comes of it, the answer doesn't depend on
}
