package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// niceness makes what runs inside leave the processor to the host program, which has to watch it.
const niceness = 5

// pipeWait is how long pipes may stay open when everything that could hold them has been killed.
const pipeWait = 2 * time.Second

// Start runs a program in a sandbox. When ctx ends, everything in it is killed. The sandbox dies with this program too, however that
// ends. Errors: an *UnavailableError where bubblewrap isn't installed, that of an invalid Spec, and the system's. Where bubblewrap
// is installed but doesn't work, the program ends with code 1 and bubblewrap's message on Stderr: call Available first.
func Start(ctx context.Context, s Spec) (*Process, error) { return startIn(ctx, systemGroups(), s) }

func startIn(ctx context.Context, t groups, s Spec) (*Process, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	for _, b := range append(slices.Clone(s.ReadOnly), s.Writable...) {
		if _, err := os.Stat(b.From); err != nil {
			return nil, fmt.Errorf("sandbox: bind: %w", err)
		}
	}
	bwrap, err := Program()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p := &Process{command: exec.Command(bwrap, disable(ctx, bwrap, s)...), inside: NewInside(), done: make(chan struct{})}
	started := make(chan error, 1)
	go p.run(ctx, t, s, started)
	if err := <-started; err != nil {
		<-p.done
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return p, nil
}

// run runs the sandbox to its end. It stays on its thread: the kernel's death signal goes by the thread that started a process, not by
// its program.
func (p *Process) run(ctx context.Context, t groups, s Spec, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	defer func() { p.guard.dismiss() }()
	if err := p.start(t, s); err != nil {
		started <- err
		return
	}
	started <- nil
	end := make(chan struct{})
	p.work.Go(func() { p.watch(ctx, s.Limits.withDefaults(), end) })
	err := p.command.Wait()
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	close(end)
	p.work.Wait()
	p.inside.Kill()
	p.inside.Wait()
	if over := cmp.Or(p.group.over(s.Limits.withDefaults()), overProcesses(p.older, s.Limits.withDefaults())); over != nil {
		p.kill(over) // which is only noted
	}
	p.group.remove()
	for _, g := range p.older {
		g.remove()
	}
	p.conclude(ctx, err)
}

// start starts bubblewrap, passes it the arguments through a pipe, so that no host path can be read in the process table inside, and
// learns the first process inside.
func (p *Process) start(t groups, s Spec) error {
	args, words, err := os.Pipe()
	if err != nil {
		return err
	}
	defer words.Close()
	info, say, err := os.Pipe()
	if err != nil {
		args.Close()
		return err
	}
	defer info.Close()
	filter, err := filled(s.Filter())
	if err != nil {
		args.Close()
		say.Close()
		return err
	}
	err = p.begin(s, args, say, filter)
	for _, theirs := range []*os.File{args, say, filter} {
		theirs.Close()
	}
	if err != nil {
		return err
	}
	if p.guard, err = guardOf(p.Pid()); err != nil {
		_ = p.command.Process.Kill() // it waits for its arguments, and has no child yet
		_ = p.command.Wait()
		return err
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, p.Pid(), niceness) // it waits for its arguments, all others inherit it, and its group
	name := "winnow-" + strconv.Itoa(p.Pid())
	if p.group = t.make(name, p.Pid(), s.Limits.withDefaults()); p.group.dir == "" {
		p.older = t.older(name, p.Pid(), s.Limits.withDefaults())
	}
	_, _ = io.WriteString(words, strings.Join(s.Words(), "\x00")+"\x00") // bubblewrap's own exit reports a failure
	words.Close()
	if p.inside.Meet(info) {
		holdShare(p.inside.first())
	}
	return nil
}

// begin starts bubblewrap, which reads its arguments and the filter, and says what it has started.
func (p *Process) begin(s Spec, args, say, filter *os.File) error {
	c := p.command
	c.Stdin, c.Stdout, c.Stderr = s.Stdin, s.Stdout, s.Stderr
	c.ExtraFiles = append(slices.Clone(s.ExtraFiles), args, say, filter)
	fd := 3 + len(s.ExtraFiles)
	c.Args = append(c.Args, "--args", strconv.Itoa(fd), "--info-fd", strconv.Itoa(fd+1))
	if len(s.Filter()) > 0 {
		c.Args = append(c.Args, "--seccomp", strconv.Itoa(fd+2))
	}
	c.Args = append(append(c.Args, "--"), s.Program()...)
	c.Env = []string{}
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	c.WaitDelay = pipeWait
	return c.Start()
}

// filled returns the end of a pipe from which the data is read. It must fit into one: 64 KiB.
func filled(data []byte) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if _, err := w.Write(data); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// killGroup kills bubblewrap and its child together, when the child isn't known. Bubblewrap alone, killed just after it made the
// child, would leave it waiting for ever: the child requests its death signal a moment later.
func (p *Process) killGroup() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over && p.inside.first() == 0 {
		_ = syscall.Kill(-p.Pid(), syscall.SIGKILL)
	}
}
