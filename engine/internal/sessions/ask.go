package sessions

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/drivepage"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/llm"
)

// loadTime is how long a page that the model goes to may take.
const loadTime = 30 * time.Second

// Task is what a model is to do on the page.
type Task struct {
	Prompt   string
	MaxSteps int
	MaxTime  time.Duration
	OnStep   func(toolloop.Step) error // is called after each step
}

// Answer is what came of a [Task].
type Answer struct {
	drive.Outcome
	Failed error // why the task isn't done; nil: it is
}

// Ask lets a model operate the page until the task is done. A task that isn't done is no error. The answer is valid beside an error:
// it has what was used until then.
func (s *Session) Ask(ctx context.Context, m llm.Model, t Task) (got Answer, err error) {
	err = s.use(ctx, func(ctx context.Context, tab *browser.Page) error {
		s.setPrompted()
		tab.Alone(true)
		defer tab.Alone(false)
		got.Outcome, got.Failed = drive.Run(ctx, m, operated{drivepage.New(tab, 0), tab, s}, t.Prompt, drive.Options{
			MaxSteps: t.MaxSteps, MaxTime: t.MaxTime, Allow: s.allow, Now: s.set.o.Now, OnStep: t.OnStep,
		})
		if ctx.Err() != nil || !drive.Unfinished(got.Failed) {
			return got.Failed
		}
		return nil
	})
	return got, err
}

// allow lets a model go anywhere in the web; the guard says where that is.
func (s *Session) allow(address string) error {
	_, err := s.set.o.Target(address)
	return err
}

// setPrompted makes the session's minutes cost what they cost with a model.
func (s *Session) setPrompted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record.Prompted = true
}

// operated is the page of a session as a model operates it.
type operated struct {
	drive.Page
	tab     *browser.Page
	session *Session
}

// Goto loads an address as Session.Goto does. What doesn't load is no end of the page.
func (p operated) Goto(ctx context.Context, address string) error {
	href, err := p.session.set.o.Target(address)
	if err != nil {
		return drive.ForModel(err)
	}
	loading, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	if err := p.session.visit(loading, p.tab, href); err != nil {
		if p.session.browser.Err() != nil || loading.Err() != nil {
			return err // the page is gone
		}
		return drive.ForModel(err)
	}
	return nil
}
