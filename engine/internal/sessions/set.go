package sessions

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/flight"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/fetch/guard"
)

// Defaults of [Options].
const (
	defaultMax      = 4 // each has a browser and a driver, some 300 MB
	defaultPatience = 10 * time.Second
	defaultCallTime = time.Minute
)

// Options are what sessions need from outside.
type Options struct {
	// Max is how many may be active at once. Zero is 4.
	Max int
	// Patience is how long a browser may take to answer before it is taken for frozen. Zero is 10 s.
	Patience time.Duration
	// CallTime is how long a call may take whose ctx has no deadline, its turn not counted. Zero is a minute.
	CallTime time.Duration

	// Pages is how pages are read; its client knows the virtual hosts.
	Pages *page.Getter
	// Browser says where browsers come from, and how they are started.
	Browser browser.Options
	// AllowUnsandboxed lets sessions run where there is no sandbox.
	AllowUnsandboxed bool
	// Guard is the way out of sessions in a sandbox, OpenGuard of those without.
	Guard, OpenGuard *guard.Guard
	// Target reads an address; its error says what is wrong with it.
	Target func(raw string) (href string, err error)
	// View shows sessions to people; nil shows none.
	View *View

	// State has the records of sessions, for KeepFor after their end.
	State   cache.DB
	KeepFor time.Duration
	// Book is given what a session has cost.
	Book func(owner string, at time.Time, credits int)
	Now  func() time.Time
	Ages func() time.Time // the clock by which those that have ended expire
	Log  *slog.Logger
}

// Set has the active sessions. Safe for concurrent use.
type Set struct {
	o Options

	mu       sync.Mutex
	active   map[string]*Session
	starting int
	watching sync.WaitGroup

	beginning flight.Group[*Session] // by the scrape that one goes on with
}

// New makes an empty set.
func New(o Options) *Set {
	o.Max, o.Patience, o.CallTime = cmp.Or(o.Max, defaultMax), cmp.Or(o.Patience, defaultPatience), cmp.Or(o.CallTime, defaultCallTime)
	return &Set{o: o, active: map[string]*Session{}}
}

// Start takes a place among the sessions, starts the browser and loads the request's URL. Errors: [ErrLimit], [ErrNotConfigured],
// [FailedError], those of profiles, and those of Goto. The session outlives ctx.
func (l *Set) Start(ctx context.Context, r Request) (*Session, error) {
	if err := l.reserve(); err != nil {
		return nil, err
	}
	s := newSession(l, r)
	if err := s.start(ctx); err != nil {
		l.free()
		return nil, err
	}
	s.record.Created = l.o.Now() // an install takes its time
	s.record.Used = s.record.Created
	err := l.add(s)
	if err == nil && r.URL != "" {
		err = s.Goto(ctx, r.URL)
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// reserve takes a place, which add or free gives up.
func (l *Set) reserve() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.active) + l.starting; n >= l.o.Max {
		return &limitError{active: n}
	}
	l.starting++
	return nil
}

func (l *Set) free() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.starting--
}

// add makes a started session one of the active ones, and then watches over its end: all of it can be undone from there on.
func (l *Set) add(s *Session) error {
	l.mu.Lock()
	l.starting--
	l.active[s.id] = s
	urls, err := l.o.View.show(s)
	l.mu.Unlock()
	s.mu.Lock()
	s.urls = urls
	s.mu.Unlock()
	err = errors.Join(err, s.keep())
	l.watching.Go(s.watch)
	return err
}

func (l *Set) get(id string) *Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.active[id]
}

func (l *Set) remove(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.active, id)
}

// Count is how many sessions are active.
func (l *Set) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.active)
}

// Session is the active session of an id. Errors: [EndedError], [ErrNotFound].
func (l *Set) Session(id string) (*Session, error) {
	if s := l.get(id); s != nil {
		return s, nil
	}
	r, err := l.find(id)
	if err != nil {
		return nil, err
	}
	return nil, &EndedError{Reason: r.Reason}
}

// Info says how a session stands, also one that has ended. Error: [ErrNotFound].
func (l *Set) Info(id string) (Info, error) {
	if s := l.get(id); s != nil {
		return s.Info(), nil
	}
	r, err := l.find(id)
	if err != nil {
		return Info{}, err
	}
	return r.info(l.o.Now()), nil
}

// Close ends all and waits for them. A nil set has none.
func (l *Set) Close() error {
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
		s.cancel(ErrEngineEnded)
	}
	for _, s := range all {
		<-s.gone
		errs = append(errs, s.err)
	}
	l.watching.Wait()
	return errors.Join(errs...)
}
