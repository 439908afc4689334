package links

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// maxURLs of a message: a frontier claims so many in one transaction.
const maxURLs = 1000

// SenderOptions are all required, but for Logger.
type SenderOptions struct {
	// Log returns the inbox of a shard.
	Log func(shard int) Log
	// MaxBytes of a message.
	MaxBytes int
	// NewID returns an id that no other message has.
	NewID func() string
	// Pause waits before a message is tried once more, or returns the error of ctx.
	Pause func(ctx context.Context, d time.Duration) error
	// Logger gets what an operator wants to know. Nil is silent.
	Logger *slog.Logger
}

// Sender sends batches. It is safe for concurrent use, and has no goroutine.
type Sender struct {
	o SenderOptions

	mu    sync.Mutex
	lanes map[lane]*queue
}

// lane is what shares messages.
type lane struct {
	shard int
	job   string
}

// queue are the calls of a lane.
type queue struct {
	writing sync.Mutex // one message at a time
	waiting []*call    // guarded by Sender.mu
	users   int        // guarded by Sender.mu
}

// call is one Send. done and err are guarded by queue.writing.
type call struct {
	found []crawl.Found
	done  bool
	err   error
}

// NewSender returns a Sender.
func NewSender(o SenderOptions) *Sender {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Sender{o: o, lanes: map[lane]*queue{}}
}

// Send returns when URLs are in the inbox of their shard. It tries until ctx ends, whose error it returns then: they may be there all the
// same. Calls at the same time share messages.
func (s *Sender) Send(ctx context.Context, shard int, job string, found []crawl.Found) error {
	if len(found) == 0 {
		return nil
	}
	at, c := lane{shard, job}, &call{found: found}
	q := s.enter(at, c)
	defer s.leave(at, q)
	q.writing.Lock()
	defer q.writing.Unlock()
	for !c.done {
		s.sendAll(ctx, at, s.take(q))
	}
	if c.err != nil && ctx.Err() == nil { // it was in the message of a caller that gave up
		return s.send(ctx, at, found)
	}
	return c.err
}

func (s *Sender) enter(at lane, c *call) *queue {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.lanes[at]
	if q == nil {
		q = &queue{}
		s.lanes[at] = q
	}
	q.users++
	q.waiting = append(q.waiting, c)
	return q
}

func (s *Sender) leave(at lane, q *queue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(s.lanes, at)
	}
}

func (s *Sender) take(q *queue) []*call {
	s.mu.Lock()
	defer s.mu.Unlock()
	group := q.waiting
	q.waiting = nil
	return group
}

func (s *Sender) sendAll(ctx context.Context, at lane, group []*call) {
	var found []crawl.Found
	for _, c := range group {
		found = append(found, c.found...)
	}
	err := errors.New("links: the sending ended in the middle") // by a panic or Goexit
	defer func() {
		for _, c := range group {
			c.done, c.err = true, err
		}
	}()
	err = s.send(ctx, at, found)
}

// send sends URLs in as many messages as they need.
func (s *Sender) send(ctx context.Context, at lane, found []crawl.Found) error {
	for len(found) > 0 {
		n, size := 0, 0
		for n < min(len(found), maxURLs) && (n == 0 || size+sizeOf(found[n]) <= s.o.MaxBytes) {
			size += sizeOf(found[n])
			n++
		}
		if err := s.append(ctx, at, found[:n]); err != nil {
			return err
		}
		found = found[n:]
	}
	return nil
}

const maxPause = 2 * time.Second

// append adds a message, with the same id at each try.
func (s *Sender) append(ctx context.Context, at lane, found []crawl.Found) error {
	data, err := Batch{at.job, found}.Encode()
	if err != nil {
		return err
	}
	id, log := s.o.NewID(), s.o.Log(at.shard)
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, maxPause) {
		err := log.Append(ctx, id, data)
		if err == nil {
			return nil
		}
		if pause >= maxPause/2 && pause < maxPause { // once, when it has lasted for a while
			s.o.Logger.Warn("cluster: links wait", "shard", at.shard, "job", at.job, "err", err)
		}
		if err := s.o.Pause(ctx, pause); err != nil {
			return err
		}
	}
}
