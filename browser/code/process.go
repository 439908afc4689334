package code

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// process is a worker's process and all that it has started.
type process interface {
	kill()         // ends all of it; may be called at any time, by any goroutine
	wait() outcome // returns when nothing is left of it; may be called again
	clean() error  // after wait: removes its files
}

// outcome is how a process ended.
type outcome struct {
	code int
	why  string // why this package killed it, "" if it didn't
}

// streams are the worker's ends of its pipes.
type streams struct{ stdout, stderr, requests, answers *os.File }

// available reports whether code can be isolated from the machine, where that is required.
func available(ctx context.Context, o Options) error {
	if o.Unsandboxed {
		return nil
	}
	return sandbox.Available(ctx)
}

// startProcess starts a program that ends with ctx.
func startProcess(ctx context.Context, o Options, p program, s streams) (process, error) {
	if o.Unsandboxed {
		return startBare(o, p, s)
	}
	started, err := sandbox.Start(ctx, sandbox.Spec{
		Args: p.args, Env: p.env, ReadOnly: p.binds, Limits: o.Limits,
		Stdin: strings.NewReader(p.source), Stdout: s.stdout, Stderr: s.stderr, ExtraFiles: []*os.File{s.requests, s.answers},
	})
	if err != nil {
		return nil, err
	}
	return boxed{started}, nil
}

// boxed is a process in a sandbox.
type boxed struct{ *sandbox.Process }

func (b boxed) kill()        { b.Kill() }
func (b boxed) clean() error { return nil }

func (b boxed) wait() outcome {
	code, err := b.Wait()
	if over, ok := errors.AsType[*sandbox.LimitError](err); ok {
		return outcome{killedCode, over.Error()}
	}
	if err != nil || code < 0 {
		return outcome{code: killedCode}
	}
	return outcome{code: code}
}

// bare is a process without a sandbox, the leader of a process group, with a home of its own.
type bare struct {
	cmd   *exec.Cmd
	home  string
	ended chan struct{}
	end   outcome // once ended is closed

	mu     sync.Mutex
	reaped bool // its id may mean another group
}

func startBare(o Options, p program, s streams) (process, error) {
	home, err := os.MkdirTemp("", "winnow-code-")
	if err != nil {
		return nil, err
	}
	b := &bare{cmd: exec.Command(p.args[0], p.args[1:]...), home: home, ended: make(chan struct{})}
	b.cmd.Dir, b.cmd.Env = home, append([]string{"HOME=" + home, "TMPDIR=" + home, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}, p.env...)
	b.cmd.Stdin, b.cmd.Stdout, b.cmd.Stderr = strings.NewReader(p.source), s.stdout, s.stderr
	b.cmd.ExtraFiles = []*os.File{s.requests, s.answers}
	b.cmd.SysProcAttr = leader()
	started := make(chan error)
	go b.run(started)
	if err := <-started; err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	if err := limit(b.cmd.Process.Pid, o.Limits); err != nil {
		b.kill()
		b.wait()
		return nil, errors.Join(fmt.Errorf("limit the process: %w", err), os.RemoveAll(home))
	}
	return b, nil
}

// run starts the process from a thread that lives as long as it does: the kernel's death signal goes by the thread that started a process,
// not by its program.
func (b *bare) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := b.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	untilEnd(b.cmd.Process.Pid)
	b.mu.Lock()
	killGroup(b.cmd.Process.Pid) // what it left in its group
	b.reaped = true
	b.mu.Unlock()
	_ = b.cmd.Wait() // how it ended is in ProcessState
	b.end = outcome{code: b.cmd.ProcessState.ExitCode()}
	if b.end.code < 0 {
		b.end.code = killedCode
	}
	close(b.ended)
}

func (b *bare) kill() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.reaped {
		killGroup(b.cmd.Process.Pid)
	}
}

func (b *bare) wait() outcome {
	<-b.ended
	return b.end
}

func (b *bare) clean() error { return os.RemoveAll(b.home) }
