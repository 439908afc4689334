package httpapi

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/winnow-go/winnow/engine"
)

// Bounds of a stream.
const (
	defaultStreams  = 20               // of a team at once
	streamPingAfter = 30 * time.Second // after which its client is pinged
	chunk           = 64 << 10         // bytes that a client takes within Options.WriteTimeout, or is too slow
)

// socketRequest reports whether a WebSocket is requested.
func socketRequest(r *http.Request) bool {
	return hasToken(r.Header, "Connection", "upgrade") && hasToken(r.Header, "Upgrade", "websocket")
}

func hasToken(h http.Header, name, token string) bool {
	for _, line := range h.Values(name) {
		for one := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(one), token) {
				return true
			}
		}
	}
	return false
}

// subprotocols are those that the client offers. Clients in browsers can't set a header: they give their key as one.
func subprotocols(r *http.Request) (list []string) {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for one := range strings.SplitSeq(line, ",") {
			if one = strings.TrimSpace(one); one != "" {
				list = append(list, one)
			}
		}
	}
	return list
}

// socketKey is the secret of a request for a WebSocket that has no Authorization; "": there is none.
func socketKey(r *http.Request) string {
	if list := subprotocols(r); len(list) > 0 && socketRequest(r) {
		return list[0]
	}
	return ""
}

// checkSocket refuses what is no handshake of RFC 6455 before the library would, by our own body of errors.
func checkSocket(r *http.Request) error {
	nonce, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key"))
	if err != nil || len(nonce) != 16 || r.Header.Get("Sec-WebSocket-Version") != "13" || r.ProtoMajor != 1 {
		return refusal(engine.CodeBadRequest, "not a WebSocket handshake of version 13")
	}
	return nil
}

// watch sends a crawl or batch as it goes on. Messages are JSON objects with a type: "catchup" is the status record with the
// documents so far in its data, "document" has one more, "done" follows the last, "error" has code and error. Of a job that has
// ended with more documents than one page has, they come first. The status record comes once more at the end, with the job's last
// state and no documents: clients learn from it whether the job was cancelled or failed.
//
// Documents are read from the store when the client takes them: a slow one delays no other, and when it takes none
// for Options.WriteTimeout it is cut off. The stream ends with the job, its client, the engine or the request's context.
func watch(c *call, job documentJob) error {
	if err := checkSocket(c.r); err != nil {
		return err
	}
	done, err := c.roomForStream()
	if err != nil {
		return err
	}
	defer done()
	c.w.Header().Del("Content-Type")
	// Whose page asks was looked at where there is no key; where there is one, only its owner knows it.
	conn, err := websocket.Accept(c.w, c.r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: subprotocols(c.r)})
	if err != nil {
		return nil // it was answered
	}
	s := &socket{conn: conn, slowest: c.api.options.WriteTimeout}
	s.run(c.r.Context(), &stream{call: c, job: job, out: s})
	return nil
}

// roomForStream counts a stream that is about to be opened, where the key's team may have another.
func (c *call) roomForStream() (done func(), err error) {
	done, ok := c.api.teams.Stream(c.team, cmp.Or(c.limits.Streams, defaultStreams))
	if !ok {
		return nil, refusal(codeRateLimit, "the team has reached its limit of open streams")
	}
	return done, nil
}

// outlet is where the messages of a stream go.
type outlet interface {
	// message sends what write writes, as one message. sent is how many documents have been sent with it.
	message(ctx context.Context, sent uint64, write func(io.Writer) error) error
	// whole reports whether the record of catchup has the documents so far, which clients of WebSockets expect.
	whole() bool
}

// stream is one client that follows one job.
type stream struct {
	*call
	job   documentJob
	out   outlet
	sent  uint64 // documents
	ended bool   // the last state of the job was sent
	last  string // a message that the reason for closing carries
}

// socket is the outlet of a WebSocket.
type socket struct {
	conn    *websocket.Conn
	slowest time.Duration
	busy    atomic.Bool // a message is being written
}

func (*socket) whole() bool { return true }

// run ends when nothing more is to be sent, and leaves nothing behind.
func (s *socket) run(ctx context.Context, of *stream) {
	ctx, cancel := context.WithCancel(s.conn.CloseRead(ctx))
	var pinger sync.WaitGroup
	pinger.Go(func() { s.ping(ctx, cancel) })
	err := of.follow(ctx)
	if of.failed(ctx, err) {
		_ = s.conn.Close(websocket.StatusInternalError, "cannot read the job")
	}
	if err == nil {
		_ = s.conn.Close(websocket.StatusNormalClosure, of.last)
	}
	cancel()
	_ = s.conn.CloseNow()
	pinger.Wait()
}

// ping checks that a client which gets nothing is still connected.
func (s *socket) ping(ctx context.Context, cancel func()) {
	tick := time.NewTicker(streamPingAfter)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if s.busy.Load() { // it answers when it has read what is under way, and that has a bound of its own
			continue
		}
		pinged, stop := context.WithTimeout(ctx, s.slowest)
		err := s.conn.Ping(pinged)
		stop()
		if err != nil {
			cancel()
			return
		}
	}
}

// failed reports whether err is more than a client's leaving, and then sends it.
func (s *stream) failed(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil || errors.Is(err, errGone) {
		return false
	}
	p := s.api.problemOf(err)
	_ = s.send(ctx, errorMessage{"error", p.code, p.text})
	return true
}

// follow sends all that comes of the job.
func (s *stream) follow(ctx context.Context) error {
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	for ev, err := range s.job.Events(ctx, 0) {
		if err == nil && ev.Result > s.sent {
			err = s.documents(ctx)
		}
		if err != nil {
			return err
		}
	}
	if err := s.documents(ctx); err != nil {
		return err
	}
	return s.end(ctx)
}

// catchUp sends how the job stands. The clients take the last state for the end, so with it all documents must have been sent.
func (s *stream) catchUp(ctx context.Context) error {
	status, err := s.job.Status(ctx)
	if err != nil {
		return err
	}
	if !s.out.whole() {
		if status.State.Final() {
			return nil // it comes after the documents
		}
		return s.send(ctx, lastMessage{"catchup", lastHead{headOf(status), []struct{}{}}})
	}
	if status.State.Final() {
		next, err := s.job.EachOfPage(ctx, 0, 0, func(json.RawMessage) error { return nil })
		if err != nil || next >= 0 {
			return err
		}
	}
	s.ended = status.State.Final()
	return s.out.message(ctx, s.sent, func(w io.Writer) error {
		out := &pageWriter{w: w, head: headOf(status), before: `{"type":"catchup","data":`}
		if _, err := s.job.EachOfPage(ctx, 0, 0, func(doc json.RawMessage) error { s.sent++; return out.document(doc) }); err != nil {
			return err
		}
		return out.end("", "}")
	})
}

// documents sends those that are there.
func (s *stream) documents(ctx context.Context) error {
	for doc, err := range s.job.Stored(ctx, s.sent) {
		if err == nil {
			s.sent++
			err = s.out.message(ctx, s.sent, func(w io.Writer) error {
				return writeAll(w, []byte(`{"type":"document","data":`), doc, []byte("}"))
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// errorMessage says why a job, or its stream, has failed.
type errorMessage struct {
	Type  string      `json:"type"`
	Code  engine.Code `json:"code,omitempty"`
	Error string      `json:"error"`
}

// lastMessage is the job's status record once more; its data is empty.
type lastMessage struct {
	Type string   `json:"type"`
	Data lastHead `json:"data"`
}

type lastHead struct {
	jobHead
	Documents []struct{} `json:"data"`
}

// end sends the last state of the job.
func (s *stream) end(ctx context.Context) error {
	status, err := s.job.Status(ctx)
	if err != nil {
		return err
	}
	head := headOf(status)
	if _, old := s.job.(jobV1); old && s.out.whole() {
		return s.endV1(ctx, head)
	}
	if status.State == engine.JobFailed {
		if err := s.send(ctx, errorMessage{"error", head.Code, head.Error}); err != nil {
			return err
		}
	}
	if !s.ended {
		if err := s.send(ctx, lastMessage{"catchup", lastHead{head, []struct{}{}}}); err != nil {
			return err
		}
	}
	if status.State == engine.JobFailed {
		return nil
	}
	return s.send(ctx, map[string]string{"type": "done"})
}

func (s *stream) send(ctx context.Context, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.out.message(ctx, s.sent, func(w io.Writer) error { return writeAll(w, data) })
}

// errGone is the error of a client that has left or is too slow. It is not logged.
var errGone = errors.New("the client is gone")

func (s *socket) message(ctx context.Context, _ uint64, write func(io.Writer) error) error {
	s.busy.Store(true)
	defer s.busy.Store(false)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := s.conn.Writer(ctx, websocket.MessageText)
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	slow := time.AfterFunc(s.slowest, cancel)
	defer slow.Stop()
	if err := write(&chunks{w, func() { slow.Reset(s.slowest) }}); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	return nil
}

// chunks passes on in pieces, and calls begin before each.
type chunks struct {
	w     io.Writer
	begin func()
}

// Write implements io.Writer.
func (c *chunks) Write(b []byte) (n int, err error) {
	for err == nil && n < len(b) {
		var wrote int
		c.begin()
		wrote, err = c.w.Write(b[n:min(len(b), n+chunk)])
		n += wrote
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errGone, err)
	}
	return n, err
}

func writeAll(w io.Writer, parts ...[]byte) error {
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
