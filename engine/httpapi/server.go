package httpapi

import (
	"net/http"
	"time"
)

// Times and sizes of [NewServer].
const (
	headTimeout   = 10 * time.Second // for a request's head to come in, and a TLS handshake
	idleTimeout   = 2 * time.Minute  // between requests of a connection
	unsentTimeout = time.Minute      // in which an HTTP/2 connection takes not one byte
	pingAfter     = 30 * time.Second // after which an HTTP/2 client is pinged
	maxHeadBytes  = 64 << 10         // bytes of a request's line and header
	maxStreams    = 100              // of an HTTP/2 connection at once
)

// NewServer returns a server for h, a handler of [New] or one around it, whose clients can't hold it up: a head that takes longer than
// 10 seconds or 64 KiB is refused, an idle connection is closed after 2 minutes. Addr and TLSConfig are the caller's to set, and
// ErrorLog, which else is the standard logger's. How many connections there may be is up to the listener.
//
// It sets neither ReadTimeout nor WriteTimeout, and neither should be set: they count from a request's first byte to its last, and a
// scrape may take 5 minutes, a stream hours. The handler of [New] bounds both where it can distinguish work from a slow client: see
// Options.BodyTimeout and Options.WriteTimeout. In a server of one's own ReadHeaderTimeout and IdleTimeout are what must be set.
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:                      h,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeadBytes,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, SendPingTimeout: pingAfter, WriteByteTimeout: unsentTimeout,
		},
	}
}
