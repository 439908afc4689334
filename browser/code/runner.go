package code

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Runner runs code against one session's browser, one call at a time. It is safe for concurrent use. The caller of Start
// closes it, before the session's browser.
type Runner struct {
	o      Options
	ctx    context.Context
	cancel context.CancelCauseFunc
	turn   chan struct{} // holds one token while a call runs
	close  sync.Once

	workers map[string]*worker // by language, of the holder of the turn
	cli     string             // the shell's browser command, once it is there
}

// Start checks the options and that code can be isolated from the machine. It starts no process that stays: each language's worker is
// started by its first call. Without a working sandbox it fails with the sandbox's error unless Options.Unsandboxed is set.
func Start(ctx context.Context, o Options) (*Runner, error) {
	o, err := o.fill()
	if err != nil {
		return nil, err
	}
	if err := available(ctx, o); err != nil {
		return nil, fmt.Errorf("start the code runner: %w", err)
	}
	r := &Runner{o: o, turn: make(chan struct{}, 1), workers: map[string]*worker{}}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	return r, nil
}

// Run runs code and waits for its end. Calls take turns; the time of waiting isn't counted as Request.Timeout. Code that fails is no
// error but a Result; errors are a *RequestError, a *MissingError, ErrBrowserGone, ErrClosed, or ctx's. When ctx ends while the code
// runs, its worker is killed.
func (r *Runner) Run(ctx context.Context, q Request) (Result, error) {
	q, err := q.fill()
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.ctx, func() { cancel(ErrClosed) })()
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return Result{}, context.Cause(ctx)
	}
	defer func() { <-r.turn }()
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	result, err := r.run(ctx, q)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return result, err
}

// run makes one call, with the turn in hand.
func (r *Runner) run(ctx context.Context, q Request) (Result, error) {
	w, err := r.worker(ctx, q.Language)
	if err != nil {
		return Result{}, err
	}
	result, keep, err := w.call(ctx, q)
	if !keep {
		delete(r.workers, q.Language)
		w.stop()
	}
	if err != nil {
		return result, fmt.Errorf("run %s code: %w", q.Language, err)
	}
	return result, nil
}

// worker returns the language's worker, started if there is none or the last one has ended.
func (r *Runner) worker(ctx context.Context, language string) (*worker, error) {
	if w := r.workers[language]; w != nil {
		if !isClosed(w.ended) {
			return w, nil
		}
		delete(r.workers, language)
		w.stop()
	}
	p, err := r.program(ctx, language)
	if err != nil {
		return nil, err
	}
	w, err := startWorker(ctx, r.ctx, r.o, p)
	if err != nil {
		return nil, fmt.Errorf("start the worker for %s: %w", language, err)
	}
	r.workers[language] = w
	return w, nil
}

// Close ends the running call, kills all workers and waits until nothing of them is left. It is safe to call twice.
func (r *Runner) Close() error {
	r.cancel(ErrClosed)
	var errs []error
	r.close.Do(func() {
		r.turn <- struct{}{}
		defer func() { <-r.turn }()
		for _, w := range r.workers {
			errs = append(errs, w.stop())
		}
		clear(r.workers)
	})
	return errors.Join(errs...)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
