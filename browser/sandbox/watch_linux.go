package sandbox

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// watchEvery is how often processes and memory are looked at.
const watchEvery = 100 * time.Millisecond

// watch kills the sandbox when it takes too much or ctx ends, until end is closed. It has a thread of its own, which ends with it and
// comes before all others where this program may have that: what is watched may have thousands.
func (p *Process) watch(ctx context.Context, l Limits, end <-chan struct{}) {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, -20)
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
		if err := p.inside.Exceeds(l); err != nil {
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
