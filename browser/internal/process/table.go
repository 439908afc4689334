package process

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Process is a line of the system's process table, as it was when it was read.
type Process struct {
	PID, Parent, Group int
	State              string // the kernel's letter
	Start              string // the kernel's start time, which with the pid names a process for ever
}

// Gone reports that the process has ended and only waits to be reaped.
func (p Process) Gone() bool { return p.State == "Z" || p.State == "X" }

// Stopped reports that a signal has stopped the process.
func (p Process) Stopped() bool { return p.State == "T" }

// Waiting reports that the process waits for a processor or the disk.
func (p Process) Waiting() bool { return p.State == "R" || p.State == "D" }

// Delay is how long the threads that a process has now were ready to run without a processor; 0 where that can't be seen.
// It is the second number of schedstat (kernel's Documentation/scheduler/sched-stats), in nanoseconds.
func Delay(pid int) time.Duration {
	var sum time.Duration
	tasks := procFile(pid, "task")
	for _, id := range numbered(tasks) {
		data, _ := readShort(filepath.Join(tasks, id, "schedstat"))
		if fields := strings.Fields(string(data)); len(fields) > 1 {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			sum += time.Duration(n)
		}
	}
	return sum
}

// Ended reports whether the process has ended since it was read.
func (p Process) Ended() bool {
	now, ok := read(p.PID)
	return !ok || now.Start != p.Start || now.Gone()
}

// Kill kills the process if it is still the one that was read.
func (p Process) Kill() bool {
	return KillIf(p.PID, func() bool { return StartTime(p.PID) == p.Start })
}

// ID names a process for ever.
type ID struct {
	PID   int
	Start string
}

// ID returns what names the process.
func (p Process) ID() ID { return ID{p.PID, p.Start} }

// All reads the process table. It is empty where there is no /proc.
func All() []Process {
	var all []Process
	for _, id := range numbered("/proc") {
		data, err := readShort("/proc/" + id + "/stat")
		if err != nil {
			continue
		}
		if p, ok := parseStat(string(data)); ok {
			all = append(all, p)
		}
	}
	return all
}

// numbered lists the entries of a folder that begin with a digit. A glob of their files reads each of their folders too, which
// cost a heartbeat four fifths of its time.
func numbered(folder string) []string {
	dir, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	return slices.DeleteFunc(names, func(name string) bool { return name[0] < '0' || name[0] > '9' })
}

// maxShort is more than a line about a process or thread takes.
const maxShort = 1 << 10

// readShort reads a file of the kernel that is one short line, which it gives at once.
func readShort(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, maxShort)
	n, err := f.Read(data)
	return data[:n], err
}

// parseStat reads a stat line; the name in brackets may hold anything.
func parseStat(line string) (p Process, ok bool) {
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
	return Process{
		PID: number(strings.TrimSpace(line[:open])), State: fields[0], Parent: number(fields[1]), Group: number(fields[2]), Start: fields[19],
	}, true
}

// Tree lists the living processes of the table that are roots or descend from one.
func Tree(all []Process, roots ...int) []int {
	children := map[int][]int{}
	living := map[int]bool{}
	for _, p := range all {
		children[p.Parent] = append(children[p.Parent], p.PID)
		living[p.PID] = !p.Gone()
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

// read reads one line of the process table.
func read(pid int) (Process, bool) {
	data, err := readShort(procFile(pid, "stat"))
	if err != nil {
		return Process{}, false
	}
	return parseStat(string(data))
}

// StartTime is the kernel's start time of a process; "" where there is no such process, or no /proc.
func StartTime(pid int) string {
	p, _ := read(pid)
	return p.Start
}

// Variable is the value of a variable in the environment that a process was started with, "" where that can't be read.
func Variable(pid int, name string) string {
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

// CommandLine is the command line of a process, its words separated by zero bytes.
func CommandLine(pid int) ([]byte, error) { return os.ReadFile(procFile(pid, "cmdline")) }

func procFile(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

// KillIf kills a process if it is still the one that is meant. The handle is taken before the look, so that a pid used again isn't hit.
func KillIf(pid int, meant func() bool) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return meant() && p.Kill() == nil
}
