package sandbox

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// watchEvery is how often processes and memory are looked at.
const watchEvery = 100 * time.Millisecond

// comeFirst gives this goroutine a thread that comes before all others, until it goes back; it does nothing where this program may not.
func comeFirst() (goBack func()) {
	runtime.LockOSThread()
	before, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // 20 less the niceness
	if err != nil || unix.Setpriority(unix.PRIO_PROCESS, 0, -20) != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		if unix.Setpriority(unix.PRIO_PROCESS, 0, 20-before) == nil {
			runtime.UnlockOSThread() // else the thread ends with the goroutine
		}
	}
}

// watch kills the sandbox when it takes too much or ctx ends, until end is closed. What is watched may have thousands of processes.
func (p *Process) watch(ctx context.Context, l Limits, end <-chan struct{}) {
	defer comeFirst()()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-end:
			return
		case <-ctx.Done():
			p.kill(context.Cause(ctx))
			<-end
			return
		case <-tick.C:
		}
		if err := cmp.Or(p.inside.Exceeds(l), overProcesses(p.older, l)); err != nil {
			p.kill(err)
			<-end
			return
		}
	}
}

// Exceeds returns a *LimitError when there are more processes and threads inside than Limits.Processes, or they hold more than
// Limits.Memory, else nil. It also holds them to their share of the processor.
func (i *Inside) Exceeds(l Limits) error {
	l = l.withDefaults()
	pid := i.first()
	if pid == 0 {
		return nil
	}
	holdShare(pid)
	all, count := look(pid, l.Processes)
	if count > l.Processes {
		return &LimitError{What: "processes", Used: int64(count), Limit: int64(l.Processes)}
	}
	if held := memory(pid, all, l.Memory); held > l.Memory {
		return &LimitError{What: "memory", Used: held, Limit: l.Memory}
	}
	return nil
}
