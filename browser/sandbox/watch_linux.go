package sandbox

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// watchEvery is how often processes and memory are looked at.
const watchEvery = 100 * time.Millisecond

// watch kills the sandbox when it takes too much or ctx ends, until end is closed.
func (p *Process) watch(ctx context.Context, l Limits, end <-chan struct{}) {
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

// Exceeds returns a *LimitError when there are more processes inside than Limits.Processes, or they hold more than Limits.Memory, else nil.
func (i *Inside) Exceeds(l Limits) error {
	l = l.withDefaults()
	pid := i.first()
	if pid == 0 {
		return nil
	}
	// The process table inside: one look counts all, quickly enough when thousands compete for the processor.
	table := "/proc/" + strconv.Itoa(pid) + "/root/proc"
	folder, err := os.Open(table)
	if err != nil {
		return nil // it has ended
	}
	names, _ := folder.Readdirnames(-1)
	folder.Close()
	names = slices.DeleteFunc(names, func(name string) bool { return name[0] < '0' || name[0] > '9' })
	if len(names) > l.Processes {
		return &LimitError{What: "processes", Used: int64(len(names)), Limit: int64(l.Processes)}
	}
	if held := memory(table, names, l.Memory); held > l.Memory {
		return &LimitError{What: "memory", Used: held, Limit: l.Memory}
	}
	return nil
}

// memory is how many bytes the processes hold. Counting shared pages by share makes the kernel walk all pages, so an upper bound
// comes first, and is the answer when it is within the limit.
func memory(table string, pids []string, limit int64) (held int64) {
	for _, pid := range pids {
		held += resident(filepath.Join(table, pid, "statm"))
	}
	if held <= limit {
		return held
	}
	held = 0
	for _, pid := range pids {
		held += share(filepath.Join(table, pid, "smaps_rollup"))
	}
	return held
}

func resident(statm string) int64 {
	data, err := os.ReadFile(statm)
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func share(rollup string) int64 {
	data, err := os.ReadFile(rollup)
	if err != nil {
		return 0
	}
	_, after, _ := bytes.Cut(data, []byte("\nPss:"))
	fields := strings.Fields(string(after[:min(len(after), 100)]))
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(fields[0], 10, 64)
	return kilobytes << 10
}
