package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/internal/flight"
)

// defaultSessions is how many sessions there may be at once: each has a browser and a driver, some 300 MB.
const defaultSessions = 4

// tick is how often the ends of sessions are looked for.
const tick = time.Second

// sessions are those of an engine that are active.
type sessions struct {
	engine *Engine
	most   int

	mu       sync.Mutex
	active   map[string]*Session
	reserved int // being started
	watching sync.WaitGroup

	beginning flight.Group[*Session] // by the scrape that one goes on with
}

func newSessions(e *Engine) *sessions {
	return &sessions{engine: e, most: orDefault(e.options.MaxSessions, defaultSessions), active: map[string]*Session{}}
}

// reserve takes a place, which add or free gives up.
func (l *sessions) reserve() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.active) + l.reserved; n >= l.most {
		return &Error{Code: CodeSessionLimit, Err: fmt.Errorf("%d sessions are active: end one first, or raise Options.MaxSessions", n)}
	}
	l.reserved++
	return nil
}

func (l *sessions) free() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved--
}

// add makes a started session one of the active ones, and then watches over its end: all of it can be undone from there on.
func (l *sessions) add(s *Session) error {
	l.mu.Lock()
	l.reserved--
	l.active[s.id] = s
	look, control, err := l.engine.live.show(s)
	l.mu.Unlock()
	s.mu.Lock()
	s.look, s.control = look, control
	s.mu.Unlock()
	err = errors.Join(err, s.keep())
	l.watching.Go(s.watch)
	return err
}

func (l *sessions) get(id string) *Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.active[id]
}

func (l *sessions) remove(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.active, id)
}

// close ends all and waits for them.
func (l *sessions) close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	all := make([]*Session, 0, len(l.active))
	for _, s := range l.active {
		all = append(all, s)
	}
	l.mu.Unlock()
	var errs []error
	for _, s := range all {
		s.end(errEngineEnded)
	}
	for _, s := range all {
		<-s.gone
		errs = append(errs, s.err)
	}
	l.watching.Wait()
	return errors.Join(errs...)
}

// watch waits for the session's end, whatever brings it about, and clears up.
func (s *Session) watch() {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for s.life.Err() == nil {
		select {
		case <-s.life.Done():
		case <-s.browser.Done():
			s.ofBrowser()
		case <-clock.C:
			if why := s.over(s.engine.now()); why != nil {
				s.end(why)
			} else if err := s.keepProgress(); err != nil {
				s.engine.log.Warn("a session can't be recorded", "session", s.id, "error", err)
			}
		}
	}
	s.finish()
}

// ofBrowser ends the session where its browser has ended.
func (s *Session) ofBrowser() {
	if err := s.browser.Err(); err != nil {
		s.end(fmt.Errorf("its browser ended: %w", err))
	}
}

// over tells why the session has to end by now; nil: it hasn't to.
func (s *Session) over(now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case now.Sub(s.record.Created) >= s.record.TTL:
		return errSessionTTL
	case s.busy == 0 && now.Sub(s.record.Used) >= s.record.Idle:
		return errSessionIdle
	}
	return nil
}

// finish ends what is under way, keeps the profile, and frees everything.
func (s *Session) finish() {
	<-s.turn // calls have ended with the session's life
	s.engine.live.hide(s.id, context.Cause(s.life).Error())
	err := s.saveProfile()
	s.account(errors.Join(err, s.release()))
	s.engine.sessions.remove(s.id)
	close(s.gone)
}

// account keeps how the session ended, and charges for it.
func (s *Session) account(err error) {
	s.mu.Lock()
	s.err = err
	s.record.Ended, s.record.Reason = s.engine.now(), context.Cause(s.life).Error()
	if !s.void {
		s.record.Credits = s.record.price(s.record.Ended)
		s.engine.stores.ledger.add(s.record.Owner, s.record.Ended, s.record.Credits)
	}
	s.mu.Unlock()
	if err != nil {
		s.engine.log.Warn("a session ended with an error", "session", s.id, "error", err)
	}
	if err := s.keep(); err != nil {
		s.engine.log.Warn("the end of a session can't be recorded", "session", s.id, "error", err)
	}
}

// Sessions lists the sessions of the last 24 hours in the reverse order of their creation, those of a status alone, "active" or
// "destroyed", or all with "". The owner isn't checked.
func (e *Engine) Sessions(ctx context.Context, status string) ([]SessionInfo, error) {
	if !slices.Contains([]string{"", SessionActive, SessionDestroyed}, status) {
		return nil, failure(ctx, "sessions", "", &OptionError{Field: "status", Value: status, Want: `"active", "destroyed" or empty`})
	}
	var list []SessionInfo
	err := e.manage(ctx, "sessions", "", func(context.Context) (err error) {
		list, err = e.sessions.list(status)
		return err
	})
	return list, err
}

// Session gives an active session by its id. One that has ended is a [CodeSessionDestroyed] error, an id that isn't known a
// [CodeNotFound] error. The owner isn't checked: a caller who serves several does that.
func (e *Engine) Session(ctx context.Context, id string) (*Session, error) {
	var s *Session
	err := e.manage(ctx, "session", "", func(context.Context) error {
		if s = e.sessions.get(id); s != nil {
			return nil
		}
		r, err := e.sessions.find(id)
		if err != nil {
			return err
		}
		return destroyed(r.Reason)
	})
	return s, err
}

// SessionInfo tells how a session stands, also one that has ended in the last 24 hours.
func (e *Engine) SessionInfo(ctx context.Context, id string) (SessionInfo, error) {
	var info SessionInfo
	err := e.manage(ctx, "session", "", func(context.Context) error {
		if s := e.sessions.get(id); s != nil {
			info = s.Info()
			return nil
		}
		r, err := e.sessions.find(id)
		if err != nil {
			return err
		}
		info = r.info(e.now())
		return nil
	})
	return info, err
}
