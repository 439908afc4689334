package sessions

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// tick is how often the ends of sessions are looked for.
const tick = time.Second

// watch waits for the session's end, by any cause, and clears up.
func (s *Session) watch() {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for s.ctx.Err() == nil {
		select {
		case <-s.ctx.Done():
		case <-s.browser.Done():
			s.endWithBrowser()
		case <-clock.C:
			if why := s.over(s.set.o.Now()); why != nil {
				s.cancel(why)
			} else if err := s.keepProgress(); err != nil {
				s.set.o.Log.Warn("a session can't be recorded", "session", s.id, "error", err)
			}
		}
	}
	s.finish()
}

// endWithBrowser ends the session where its browser has ended.
func (s *Session) endWithBrowser() {
	if err := s.ending(); err != nil {
		s.cancel(err)
	}
}

// over is why the session has to end by now; nil: it need not.
func (s *Session) over(now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case now.Sub(s.record.Created) >= s.record.TTL:
		return ErrTTL
	case s.busy == 0 && now.Sub(s.record.Used) >= s.record.Idle:
		return ErrIdle
	}
	return nil
}

// finish ends what is under way, keeps the profile, and frees everything.
func (s *Session) finish() {
	<-s.turn // calls have ended with the session's ctx
	s.set.o.View.hide(s.id, context.Cause(s.ctx).Error())
	err := s.saveProfile()
	s.account(errors.Join(err, s.release()))
	s.set.remove(s.id)
	close(s.gone)
}

// stateTime is how long a browser may take to give its state. A machine at the end of its strength needs more than ten seconds.
const stateTime = 30 * time.Second

// saveProfile keeps the browser's state, where that was asked for.
func (s *Session) saveProfile() error {
	p := s.request.Page.Profile
	if s.hold == nil || !p.Save || s.browser == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stateTime)
	defer cancel()
	state, err := s.browser.State(ctx)
	if err != nil {
		return fmt.Errorf("the profile %q is kept as it was: %w", p.Name, err)
	}
	return s.hold.Save(state)
}

// account keeps how the session ended, and charges for it.
func (s *Session) account(err error) {
	s.mu.Lock()
	s.err = err
	s.record.Ended, s.record.Reason = s.set.o.Now(), context.Cause(s.ctx).Error()
	if !s.void {
		s.record.Credits = s.record.price(s.record.Ended)
		s.set.o.Book(s.record.Owner, s.record.Ended, s.record.Credits)
	}
	s.mu.Unlock()
	if err != nil {
		s.set.o.Log.Warn("a session ended with an error", "session", s.id, "error", err)
	}
	if err := s.keep(); err != nil {
		s.set.o.Log.Warn("the end of a session can't be recorded", "session", s.id, "error", err)
	}
}
