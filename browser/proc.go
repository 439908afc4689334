package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// process is a line of the system's process table. Where there is no /proc the table is empty.
type process struct {
	pid, parent, group int
	state              string
	start              string // the kernel's start time, which with the pid names a process for ever
}

// gone reports that a process has ended and only waits to be reaped.
func (p process) gone() bool { return p.state == "Z" || p.state == "X" }

// stopped reports that a signal has stopped a process.
func (p process) stopped() bool { return p.state == "T" }

// ended reports whether the process has ended since it was read.
func (p process) ended() bool {
	now, ok := readProcess(p.pid)
	return !ok || now.start != p.start || now.gone()
}

// processID names a process for ever.
type processID struct {
	pid   int
	start string
}

func (p process) id() processID { return processID{p.pid, p.start} }

// processes reads the process table.
func processes() []process {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var all []process
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if p, ok := parseStat(string(data)); ok {
			all = append(all, p)
		}
	}
	return all
}

// parseStat reads a stat line; the name in brackets may hold anything.
func parseStat(line string) (p process, ok bool) {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return p, false
	}
	fields := strings.Fields(line[end+1:])
	if len(fields) < 20 {
		return p, false
	}
	number := func(s string) int {
		n, _ := strconv.Atoi(s)
		return n
	}
	return process{
		pid: number(strings.TrimSpace(line[:open])), state: fields[0], parent: number(fields[1]), group: number(fields[2]), start: fields[19],
	}, true
}

// tree lists the living processes of the table that are roots or descend from one.
func tree(all []process, roots ...int) []int {
	children := map[int][]int{}
	living := map[int]bool{}
	for _, p := range all {
		children[p.parent] = append(children[p.parent], p.pid)
		living[p.pid] = !p.gone()
	}
	var found []int
	seen := map[int]bool{}
	for queue := roots; len(queue) > 0; queue = queue[1:] {
		pid := queue[0]
		if pid <= 1 || seen[pid] {
			continue
		}
		seen[pid] = true
		if living[pid] {
			found = append(found, pid)
		}
		queue = append(queue, children[pid]...)
	}
	return found
}

// readProcess reads one line of the process table.
func readProcess(pid int) (process, bool) {
	data, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return process{}, false
	}
	return parseStat(string(data))
}

// startTime is the kernel's start time of a process; "" where there is no such process, or no /proc.
func startTime(pid int) string {
	p, _ := readProcess(pid)
	return p.start
}

// variable is the value of a variable in the environment that a process was started with, "" where that can't be read.
func variable(pid int, name string) string {
	data, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return ""
	}
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if value, found := bytes.CutPrefix(entry, []byte(name+"=")); found {
			return string(value)
		}
	}
	return ""
}

func procFile(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

// killIf kills a process if it is still the one that is meant. The handle is taken before the look, so that a pid used again isn't hit.
func killIf(pid int, meant func() bool) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return meant() && p.Kill() == nil
}
