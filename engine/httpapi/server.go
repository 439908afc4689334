package httpapi

import (
	"context"
	"net"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/engine/httpapi/internal/framing"
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
// ErrorLog, which else is the standard logger's. How many connections there may be is up to the listener. After a load it has
// the process give memory back to the system, once (debug.FreeOSMemory).
//
// It sets neither ReadTimeout nor WriteTimeout, and neither should be set: they count from a request's first byte to its last, and a
// scrape may take 5 minutes, a stream hours. The handler of [New] bounds both where it can distinguish work from a slow client: see
// Options.BodyTimeout and Options.WriteTimeout. In a server of one's own ReadHeaderTimeout and IdleTimeout are what must be set.
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:                      relieved(h),
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeadBytes,
		ConnContext:                  markWatched,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, SendPingTimeout: pingAfter, WriteByteTimeout: unsentTimeout,
		},
	}
}

// NewListener returns a listener for l whose HTTP/1 connections refuse requests with both Content-Length and Transfer-Encoding, with
// Transfer-Encoding in HTTP/1.0, or with a header continued on the next line: 400, and the connection is closed. Another server in front
// might read the length of these differently, and take the rest of one client's request for the beginning of another's. net/http
// processes them, and shows no handler that there were two lengths.
//
//	server.Serve(httpapi.NewListener(l))
//
// Over any other listener, TLS included, the handler of [New] can't refuse them; it closes the connection after each request in chunks,
// so that nothing can follow on it. For [http.Server.ServeTLS] l is given as it is.
func NewListener(l net.Listener) net.Listener { return framing.Listener{Listener: l} }

// watchedKey is in the context of requests whose connection refuses two lengths.
type watchedKey struct{}

func markWatched(ctx context.Context, c net.Conn) context.Context {
	if _, ok := c.(*framing.Conn); ok {
		return context.WithValue(ctx, watchedKey{}, true)
	}
	return ctx
}

// endChunked closes the connection after a request in chunks that may have had a Content-Length too.
func endChunked(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 && r.Context().Value(watchedKey{}) == nil {
		w.Header().Set("Connection", "close")
	}
}

const (
	// reliefLoad is how many requests are a load, and how many within reliefPause are none any more.
	reliefLoad = 200
	// reliefPause is the time between two looks whether a load has ended.
	reliefPause = 20 * time.Second
)

// relief gives memory back to the system after a load. By itself Go keeps it for minutes: with few allocations the next collection is
// two minutes away.
type relief struct {
	http.Handler
	free func() // gives memory back

	recent  atomic.Int64 // requests since the last look
	looking atomic.Bool
}

func relieved(h http.Handler) *relief { return &relief{Handler: h, free: debug.FreeOSMemory} }

func (r *relief) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if r.recent.Add(1) >= reliefLoad && r.looking.CompareAndSwap(false, true) {
		time.AfterFunc(reliefPause, r.look)
	}
	r.Handler.ServeHTTP(w, q)
}

// look frees memory if the load has ended, else looks again later.
func (r *relief) look() {
	if r.recent.Swap(0) >= reliefLoad {
		time.AfterFunc(reliefPause, r.look)
		return
	}
	r.looking.Store(false)
	r.free()
}
