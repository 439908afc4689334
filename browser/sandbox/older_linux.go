package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// olderShares are a sandbox's part of the processor in a control group of version 1, where other groups have 1,024: a tenth.
const olderShares = 102

// older moves a process that waits for its arguments into control groups of version 1, one for each of the controllers that this program
// may make groups of, as root may where they are mounted. A program of root's is held there by nothing else: the kernel doesn't count
// root's processes, and a bomb of thousands leaves the watch no time to look. What is over the limit is still ended by the watch,
// so there is room for more: twice as many.
func (t groups) older(name string, pid int, l Limits) (made []group) {
	for _, want := range []struct{ controller, file, text string }{
		{"pids", "pids.max", strconv.Itoa(2*l.Processes + 1)}, {"cpu", "cpu.shares", strconv.Itoa(olderShares)},
	} {
		g := group{filepath.Join(t.olderOwn(want.controller), name), t.rmdir}
		if !filepath.IsAbs(g.dir) {
			continue
		}
		_ = t.rmdir(g.dir) // an empty one that a killed program has left
		if t.mkdir(g.dir) != nil {
			continue
		}
		if write(filepath.Join(g.dir, want.file), want.text) != nil || write(filepath.Join(g.dir, "cgroup.procs"), strconv.Itoa(pid)) != nil {
			g.remove()
			continue
		}
		made = append(made, g)
	}
	return made
}

// overProcesses returns a *LimitError when the kernel has refused a process to one of the groups: there were twice as many as allowed, if
// only between two looks. Older kernels don't count that.
func overProcesses(older []group, l Limits) error {
	for _, g := range older {
		data, _ := os.ReadFile(filepath.Join(g.dir, "pids.events"))
		if n, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "max "); ok && n != "0" {
			return &LimitError{What: "processes", Used: int64(2*l.Processes + 1), Limit: int64(l.Processes)}
		}
	}
	return nil
}

// olderOwn is this program's own group of a controller; "" where it has none.
func (t groups) olderOwn(controller string) string {
	data, _ := os.ReadFile(t.self)
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && slices.Contains(strings.Split(parts[1], ","), controller) && !strings.HasPrefix(parts[2], "/..") {
			return filepath.Join(t.root, parts[1], parts[2])
		}
	}
	return ""
}
