package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
)

// ErrKilled is the error of Wait after Kill.
var ErrKilled = errors.New("killed")

// LimitError means that everything inside was killed because it exceeded a limit.
type LimitError struct {
	What        string // "memory" (bytes) or "processes"
	Used, Limit int64
}

// Error names the limit and the usage.
func (e *LimitError) Error() string {
	return fmt.Sprintf("over the limit of %s: %d, at most %d", e.What, e.Used, e.Limit)
}

// Process is a sandbox and what runs in it. It is safe for concurrent use.
type Process struct {
	command *exec.Cmd
	inside  *Inside
	guard   *guard
	group   group         // the zero value where none could be made
	older   []group       // of version 1
	done    chan struct{} // closed when nothing is left
	work    sync.WaitGroup

	mu    sync.Mutex
	cause error // why it was killed
	over  bool  // bubblewrap has ended, its id may belong to another process
	code  int
	err   error
}

// Pid is the host's id of the sandbox's first process; all others descend from it.
func (p *Process) Pid() int { return p.command.Process.Pid }

// Kill ends the program and every process that came from it, detached ones too. It doesn't wait; Wait does. It is safe to call again and
// after the end.
func (p *Process) Kill() { p.kill(ErrKilled) }

// Done is closed when no process is left inside.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits until no process is left inside: the end of the program is the end of all that it started. It returns the program's exit
// code, 128 plus the signal's number when a signal ended it, and -1 with an error when it was killed: ErrKilled, a *LimitError, or the
// cause of Start's ctx. It is safe to call more than once, and by several goroutines.
func (p *Process) Wait() (code int, err error) {
	<-p.done
	return p.code, p.err
}

// kill notes the first cause.
func (p *Process) kill(cause error) {
	p.mu.Lock()
	if p.cause == nil {
		p.cause = cause
	}
	p.mu.Unlock()
	p.killGroup()
	p.inside.Kill()
}

// conclude sets how it ended, from the exit state of bubblewrap.
func (p *Process) conclude(ctx context.Context, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var exit *exec.ExitError
	switch {
	case p.cause != nil:
		p.code, p.err = -1, p.cause
	case ctx.Err() != nil && err != nil:
		p.code, p.err = -1, context.Cause(ctx)
	case errors.As(err, &exit):
		if p.code = exit.ExitCode(); p.code < 0 {
			p.err = ErrKilled // by another process
		}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		p.code, p.err = -1, err
	}
}
