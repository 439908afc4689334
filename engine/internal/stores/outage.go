package stores

import (
	"context"
	"errors"
	"log/slog"

	"github.com/winnow-go/winnow/cache"
)

// UnwritableError is that of a call which has something to store while the disk can't be written. Its text leaves out the file: clients
// read it.
type UnwritableError struct{ cause error }

// Unwritable returns such an error; ok is false for an err that is another one.
func Unwritable(err error) (_ *UnwritableError, ok bool) {
	return &UnwritableError{err}, errors.Is(err, cache.ErrUnwritable)
}

func (e *UnwritableError) Error() string {
	return "nothing can be stored: " + cache.ErrUnwritable.Error()
}

// Unwrap gives the cause, which names the file.
func (e *UnwritableError) Unwrap() error { return e.cause }

// Quiet returns a logger for which whatever fails because the disk can't be written is of level debug: each page and record would repeat
// what the line says with which the outage began.
func Quiet(log *slog.Logger) *slog.Logger { return slog.New(quiet{log.Handler()}) }

type quiet struct{ slog.Handler }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	outage := false
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		outage = ok && errors.Is(err, cache.ErrUnwritable)
		return !outage
	})
	if outage {
		if r.Level = slog.LevelDebug; !q.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return q.Handler.Handle(ctx, r)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
