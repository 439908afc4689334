package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A sandbox's part of the processor where other groups have 100: code's against one of them a tenth, a browser's half.
const (
	codeWeight    = 10
	browserWeight = 50
)

// controllers are what a control group of a sandbox must have.
var controllers = []string{"memory", "pids", "cpu"}

// groups is the tree of control groups (version 2) of the machine, or of a test.
type groups struct {
	root         string // where it is mounted
	self         string // the file that names this program's own group
	mkdir, rmdir func(path string) error
}

func systemGroups() groups {
	mkdir := func(path string) error { return os.Mkdir(path, 0o755) }
	return groups{root: "/sys/fs/cgroup", self: "/proc/self/cgroup", mkdir: mkdir, rmdir: os.Remove}
}

// group is a control group of one sandbox; the zero value is none.
type group struct {
	dir   string
	rmdir func(path string) error
}

// make makes a group with the limits and moves a process that waits for its arguments into it: all that it starts is in it from the first
// moment. Where any of that isn't possible, as where no group was delegated to this program, there is no group, and nothing is left of it.
func (t groups) make(name string, pid int, l Limits) group {
	return t.with(name, append(settings(l, codeWeight), setting{"cgroup.procs", strconv.Itoa(pid)}))
}

// with makes a group that has the settings, all of them or none.
func (t groups) with(name string, all []setting) group {
	for _, parent := range t.delegated() {
		if !t.enable(parent) {
			continue
		}
		g := group{filepath.Join(parent, name), t.rmdir}
		_ = t.rmdir(g.dir) // an empty one that a killed program has left
		if t.mkdir(g.dir) != nil {
			continue
		}
		if g.set(all) == nil {
			return g
		}
		g.remove()
	}
	return group{}
}

// delegated are the groups in which this program may make others: its own, and the one above if systemd has delegated that and made a
// group in it for the program (DelegateSubgroup).
func (t groups) delegated() []string {
	data, _ := os.ReadFile(t.self)
	for line := range strings.Lines(string(data)) {
		path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::/")
		if !ok || strings.HasPrefix(path, "..") { // outside of what is seen here
			continue
		}
		own := filepath.Join(t.root, path)
		var mark [1]byte
		if n, err := unix.Getxattr(filepath.Dir(own), "user.delegate", mark[:]); path != "" && err == nil && n == 1 && mark[0] == '1' {
			return []string{own, filepath.Dir(own)}
		}
		return []string{own}
	}
	return nil
}

// enable gives groups in the parent the controllers. The kernel refuses that to one that holds processes itself, but for the first of all.
func (t groups) enable(parent string) bool {
	file := filepath.Join(parent, "cgroup.subtree_control")
	data, err := os.ReadFile(file)
	enabled := strings.Fields(string(data))
	missing := slices.DeleteFunc(slices.Clone(controllers), func(c string) bool { return slices.Contains(enabled, c) })
	if err != nil || len(missing) == 0 {
		return err == nil
	}
	return write(file, "+"+strings.Join(missing, " +")) == nil
}

// setting is what a file of a group is to hold.
type setting struct{ file, text string }

// settings are those of the limits. The kernel counts what lies in /tmp and the home as memory, too, and bubblewrap itself.
func settings(l Limits, weight int) []setting {
	return []setting{
		{"memory.max", strconv.FormatInt(l.Memory+2*l.Disk, 10)}, {"memory.oom.group", "1"}, {"pids.max", strconv.Itoa(l.Processes + 1)},
		{"cpu.weight", strconv.Itoa(weight)},
	}
}

// set writes the settings, in their order, and forbids swap where there is any.
func (g group) set(all []setting) error {
	for _, s := range all {
		if err := write(filepath.Join(g.dir, s.file), s.text); err != nil {
			return err
		}
	}
	if err := write(filepath.Join(g.dir, "memory.swap.max"), "0"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// write writes to a file of the kernel's, which it has made.
func write(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// over returns a *LimitError when the kernel has ended what was inside because it was over the limit of memory.
func (g group) over(l Limits) error {
	if g.dir == "" {
		return nil
	}
	data, _ := os.ReadFile(filepath.Join(g.dir, "memory.events"))
	for line := range bytes.Lines(data) {
		var kills int64
		if n, _ := fmt.Sscanf(string(line), "oom_kill %d", &kills); n == 1 && kills > 0 {
			return &LimitError{What: "memory", Used: l.Memory + 2*l.Disk, Limit: l.Memory}
		}
	}
	return nil
}

// remove removes the group, once the kernel has done with the last of its processes.
func (g group) remove() {
	if g.dir == "" {
		return
	}
	for wait := time.Millisecond; g.rmdir(g.dir) != nil && wait < time.Second; wait *= 2 {
		time.Sleep(wait)
	}
}

// Group is a control group (version 2) of a sandbox with a browser, which others start. The zero value is none: all methods can be called.
type Group struct {
	of     group
	limits Limits
}

// NewGroup makes a group with the limits where one was delegated to this program, elsewhere the zero value. Of the processor it has
// half of what another group gets. The caller removes it once nothing runs in it.
func NewGroup(name string, l Limits) Group { return systemGroups().browser(name, l) }

func (t groups) browser(name string, l Limits) Group {
	l = l.withDefaults()
	return Group{t.with(name, settings(l, browserWeight)), l}
}

// Procs is the file into which a process writes its id to be in the group, with all that it starts afterwards; "" without a group.
func (g Group) Procs() string {
	if g.of.dir == "" {
		return ""
	}
	return filepath.Join(g.of.dir, "cgroup.procs")
}

// Exceeds returns a *LimitError when the kernel has ended what was in the group because it was over the limit of memory.
func (g Group) Exceeds() error { return g.of.over(g.limits) }

// Remove removes the group, within about a second.
func (g Group) Remove() { g.of.remove() }
