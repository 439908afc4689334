package liveview

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// How long a screen may take to say its state, and how soon one that couldn't be watched is tried again.
const (
	stateTime  = 3 * time.Second
	retryPause = time.Second
)

// Phases of a screen, in the words that viewers are sent.
const (
	connecting = "connecting"
	live       = "live"
)

var errCrowded = errors.New("too many people watch already")

// stage is one screen and those who watch it. There is one screencast, from the first viewer to the last.
type stage struct {
	id            string
	screen        Screen
	opts          Options
	log           *slog.Logger
	view, control string
	ctx           context.Context // of all calls of the screen
	cancel        context.CancelFunc
	work          sync.WaitGroup // all who ask it
	serial        sync.Mutex     // held while it takes an input: several may operate it

	mu       sync.Mutex
	viewers  map[*viewer]bool
	frame    Frame
	frames   int // counts them; 0: none yet
	state    State
	phase    string
	over     bool
	reason   string
	stopCast context.CancelFunc
	castDone chan struct{} // closed when the last screencast is over
}

func newStage(ctx context.Context, id string, screen Screen, o Options) *stage {
	s := &stage{
		id: id, screen: screen, opts: o, log: o.Logger, view: newToken(), control: newToken(),
		viewers: map[*viewer]bool{}, phase: connecting, castDone: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	close(s.castDone)
	return s
}

func (s *stage) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

func (s *stage) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.viewers)
}

// join adds a viewer, until leave; the first one begins the screencast. What it does to the screen is done until ctx ends.
func (s *stage) join(ctx context.Context, v *viewer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over:
		return errors.New(s.reason)
	case len(s.viewers) >= s.opts.MaxViewers:
		return errCrowded
	}
	s.viewers[v] = true
	if len(s.viewers) == 1 {
		s.begin()
	}
	if v.control {
		s.work.Go(func() { v.act(ctx) })
	}
	return nil
}

// leave takes a viewer out; the last one ends the screencast. What it showed is forgotten: the next one begins with a picture.
func (s *stage) leave(v *viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.viewers[v] {
		return
	}
	delete(s.viewers, v)
	if len(s.viewers) == 0 {
		s.stopCast()
		s.frame, s.frames, s.phase = Frame{}, 0, connecting
	}
}

// begin starts the screencast, when the one before is over. It is called under mu.
func (s *stage) begin() {
	ctx, cancel := context.WithCancel(s.ctx)
	before, done := s.castDone, make(chan struct{})
	s.stopCast, s.castDone = cancel, done
	s.work.Go(func() {
		defer close(done)
		<-before
		s.cast(ctx)
	})
}

// cast watches the screen and its state until ctx ends.
func (s *stage) cast(ctx context.Context) {
	var polling sync.WaitGroup
	polling.Go(func() { s.poll(ctx) })
	defer polling.Wait()
	for ctx.Err() == nil {
		err := s.screen.Watch(ctx, func(f Frame) { s.show(ctx, f) })
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrEnded):
			s.end(strings.TrimPrefix(err.Error(), ErrEnded.Error()+": "))
			return
		}
		s.log.Debug("live view: watching a screen is tried again", "id", s.id, "error", err)
		s.setPhase(connecting)
		pause(ctx, retryPause)
	}
}

// show keeps a frame for all viewers, and holds the next one back for a moment.
func (s *stage) show(ctx context.Context, f Frame) {
	s.mu.Lock()
	if ctx.Err() == nil {
		s.frame, s.phase = f, live
		s.frames++
		s.wake()
	}
	s.mu.Unlock()
	pause(ctx, s.opts.FrameEvery)
}

// wake wakes all viewers. It is called under mu.
func (s *stage) wake() {
	for v := range s.viewers {
		v.wake()
	}
}

func (s *stage) setPhase(phase string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = phase
	s.wake()
}

// poll asks for the state again and again.
func (s *stage) poll(ctx context.Context) {
	for ctx.Err() == nil {
		stateCtx, cancel := context.WithTimeout(ctx, stateTime)
		state, err := s.screen.State(stateCtx)
		cancel()
		if err == nil {
			s.setState(state)
		}
		pause(ctx, s.opts.StateEvery)
	}
}

func (s *stage) setState(state State) {
	state = State{URL: cut(state.URL, maxURL), Title: cut(state.Title, maxTitle)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != state {
		s.state = state
		s.wake()
	}
}

// end sends the viewers that the screen is over, and calls it no more.
func (s *stage) end(reason string) {
	s.mu.Lock()
	if !s.over {
		s.over, s.reason = true, reason
		s.wake()
	}
	s.mu.Unlock()
	s.cancel()
}

// news is what a viewer should be sent.
type news struct {
	frame  Frame
	frames int // the frame's number
	status status
	over   bool
	reason string
}

func (s *stage) news() news {
	s.mu.Lock()
	defer s.mu.Unlock()
	return news{frame: s.frame, frames: s.frames, over: s.over, reason: s.reason,
		status: status{Type: "state", Phase: s.phase, URL: s.state.URL, Title: s.state.Title}}
}

// pause waits for d or ctx's end.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
