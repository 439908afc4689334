//go:build linux

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ticks of a second in the kernel's accounts of processes, which is the same on every Linux that Go runs on.
const ticks = 100

// process is a line of the kernel's table.
type process struct {
	pid, parent int
	start       string
	used        time.Duration // its own, and that of its children that have ended
}

// treeOf lists a process and its descendants.
func treeOf(root int) []process {
	children, byPID := map[int][]int{}, map[int]process{}
	entries, _ := os.ReadDir("/proc") // a glob of the files reads the folder of each process too
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		if p, ok := readProcess("/proc/" + e.Name() + "/stat"); ok {
			children[p.parent] = append(children[p.parent], p.pid)
			byPID[p.pid] = p
		}
	}
	tree := []process{byPID[root]}
	for i := 0; i < len(tree); i++ {
		for _, pid := range children[tree[i].pid] {
			tree = append(tree, byPID[pid])
		}
	}
	return tree
}

func readProcess(file string) (p process, ok bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return p, false
	}
	line := string(data)
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')') // the name between may hold anything
	fields := strings.Fields(line[end+1:])
	if open < 0 || len(fields) < 20 {
		return p, false
	}
	number := func(s string) int {
		n, _ := strconv.Atoi(strings.TrimSpace(s))
		return n
	}
	p = process{pid: number(line[:open]), parent: number(fields[1]), start: fields[19]}
	for _, f := range fields[11:15] {
		p.used += time.Duration(number(f)) * time.Second / ticks
	}
	return p, true
}

// kill ends the process if it is still the one that was read.
func (p process) kill() {
	now, ok := readProcess(fmt.Sprintf("/proc/%d/stat", p.pid))
	if ok && now.start == p.start {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
}

// usedBy is the processor time that a process and all its descendants have used so far.
func usedBy(root int) (used time.Duration) {
	for _, p := range treeOf(root) {
		used += p.used
	}
	return used
}

// heldBy is the memory of a process and its descendants, in bytes, each with its share of what several use.
func heldBy(root int) (held int64) {
	for _, p := range treeOf(root) {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.pid)) // it may have ended
		_, rest, _ := strings.Cut(string(data), "\nPss:")
		amount, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		kilobytes, _ := strconv.ParseInt(amount, 10, 64)
		held += kilobytes << 10
	}
	return held
}

// sampleEvery is how often memory is looked at.
const sampleEvery = 500 * time.Millisecond

// watchMemory looks at the memory of a process until stop is called, which returns the most it held.
func watchMemory(root int) (stop func() int64) {
	var peak int64
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		ticker := time.NewTicker(sampleEvery)
		defer ticker.Stop()
		for {
			peak = max(peak, heldBy(root))
			select {
			case <-quit:
				return
			case <-ticker.C:
			}
		}
	})
	return func() int64 {
		close(quit)
		wg.Wait()
		return peak
	}
}
