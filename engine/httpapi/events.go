package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The forms in which a job is streamed over plain HTTP: one message a line, or server-sent events.
const (
	linesType  = "application/x-ndjson"
	eventsType = "text/event-stream"
)

// streamType is the form of a stream that the request accepts; "": it wants none.
func streamType(r *http.Request) string {
	for _, line := range r.Header.Values("Accept") {
		for one := range strings.SplitSeq(line, ",") {
			if kind, _, err := mime.ParseMediaType(one); err == nil && (kind == linesType || kind == eventsType) {
				return kind
			}
		}
	}
	return ""
}

// lines is the outlet of a stream over plain HTTP. The messages are those of a WebSocket, but the records of catchup have no documents:
// each comes as a message of its own. Server-sent events have the number of documents so far as their id. A client that comes back with it
// goes on there, and after the end, whose id is lastEvent, it gets 204, which keeps it from coming back.
type lines struct {
	w    http.ResponseWriter
	kind string

	mu    sync.Mutex // of w and begun
	begun bool
}

const (
	lastEvent     = "end"
	lastEventName = "Last-Event-ID"
)

func (*lines) whole() bool { return false }

// streamJob follows a job in the form that the request accepts. first is a message before all others; nil for none. The stream ends
// with the job, its client, the engine or the request's context; the job goes on without it.
func streamJob(c *call, job documentJob, first any) error {
	out := &lines{w: c.w, kind: streamType(c.r)}
	s := &stream{call: c, job: job, out: out}
	if given := c.r.Header.Get(lastEventName); out.kind == eventsType && given == lastEvent {
		c.w.Header().Del("Content-Type")
		c.w.WriteHeader(http.StatusNoContent)
		return nil
	} else if n, err := strconv.ParseUint(given, 10, 63); err == nil && out.kind == eventsType {
		s.sent = n
	}
	ctx, cancel := context.WithCancel(c.r.Context())
	var beat sync.WaitGroup
	beat.Go(func() { out.beat(ctx) })
	defer beat.Wait()
	defer cancel()
	return s.stream(ctx, first)
}

// stream sends all messages. What fails before any was sent is an answer like others.
func (s *stream) stream(ctx context.Context, first any) (err error) {
	if first != nil {
		err = s.send(ctx, first)
	}
	if err == nil {
		err = s.follow(ctx)
	}
	if err == nil {
		return s.out.(*lines).end()
	}
	if !s.out.(*lines).hasBegun() {
		return err
	}
	s.failed(ctx, err)
	return nil
}

func (l *lines) message(ctx context.Context, sent uint64, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	var b bytes.Buffer
	if l.kind == eventsType {
		fmt.Fprintf(&b, "id: %d\ndata: ", sent)
	}
	if err := write(&b); err != nil {
		return err
	}
	b.WriteString(map[string]string{eventsType: "\n\n", linesType: "\n"}[l.kind])
	return l.send(b.Bytes())
}

// send writes without delay. Between messages there is no deadline: a job may take hours for the next page.
func (l *lines) send(data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.begun {
		l.begun = true
		l.w.Header().Set("Content-Type", l.kind)
		l.w.Header().Set("X-Accel-Buffering", "no") // for proxies that keep answers back
	}
	_, err := l.w.Write(data)
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	control := http.NewResponseController(l.w)
	_ = control.Flush() // a writer that can't, as in tests, keeps nothing back
	_ = control.SetWriteDeadline(time.Time{})
	return nil
}

func (l *lines) hasBegun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun
}

// end marks the end of events by their last id.
func (l *lines) end() error {
	if l.kind == eventsType {
		_ = l.send([]byte("id: " + lastEvent + "\n\n")) // a client that is gone needs no mark
	}
	return nil
}

// beat sends comments to a client that gets nothing, so that what is between keeps the connection. Lines have no comments.
func (l *lines) beat(ctx context.Context) {
	if l.kind != eventsType {
		return
	}
	tick := time.NewTicker(streamPingAfter)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = l.send([]byte(":\n\n")) // the next message finds that the client is gone
		}
	}
}

// startedMessage is the first message of a stream whose request has started the job.
type startedMessage struct {
	Type string  `json:"type"`
	Data started `json:"data"`
}

// replyStarted answers to the start of a job, or follows it, as the request accepts.
func replyStarted(c *call, job documentJob, body started) error {
	if streamType(c.r) == "" {
		return c.reply(body)
	}
	return streamJob(c, job, startedMessage{"started", body})
}

// roomToStart is roomForStream for a request that starts a job and may want to follow it.
func (c *call) roomToStart() (done func(), err error) {
	if streamType(c.r) == "" {
		return func() {}, nil
	}
	return c.roomForStream()
}
