package sandbox

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// tree is a folder that looks like control groups, and what was made in it.
type tree struct {
	groups
	made   map[string]string // files of the group when it was removed
	events string
}

// newTree makes a tree with this program in /unit/own. A group that is made gets the files of the kernel's but one.
func newTree(t *testing.T, enabled, without string) *tree {
	t.Helper()
	root := t.TempDir()
	x := &tree{groups: groups{root: root, self: filepath.Join(root, "self")}}
	put(t, x.self, "1:name=systemd:/\n0::/unit/own\n")
	for _, dir := range []string{"unit", "unit/own"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(root, dir, "cgroup.subtree_control"), enabled)
	}
	x.mkdir = func(path string) error {
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		for _, name := range []string{"memory.max", "memory.oom.group", "memory.swap.max", "pids.max", "cpu.weight", "cgroup.procs"} {
			if name != without {
				put(t, filepath.Join(path, name), "")
			}
		}
		put(t, filepath.Join(path, "memory.events"), x.events)
		return nil
	}
	x.rmdir = func(path string) error {
		x.made = read(t, path)
		return os.RemoveAll(path)
	}
	return x
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(data)
	}
	return all
}

// ended runs a program in a group of the tree.
func ended(t *testing.T, x *tree) (code, pid int, err error) {
	t.Helper()
	needed(t)
	s := shell("exit 7")
	s.Limits = Limits{Memory: 1 << 30, Disk: 1 << 20, Processes: 40}
	p, err := startIn(t.Context(), x.groups, s)
	if err != nil {
		t.Fatal(err)
	}
	code, err = p.Wait()
	return code, p.Pid(), err
}

func TestGroup_holdsTheLimitsAndTheFirstProcessAndIsRemoved(t *testing.T) {
	x := newTree(t, "cpuset cpu memory pids\n", "")
	code, pid, err := ended(t, x)
	want := map[string]string{
		"memory.max": strconv.Itoa(1<<30 + 2<<20), "memory.oom.group": "1", "memory.swap.max": "0", "pids.max": "41", "cpu.weight": "10",
		"cgroup.procs": strconv.Itoa(pid), "memory.events": "",
	}
	if code != 7 || err != nil || !maps.Equal(x.made, want) {
		t.Errorf("got %d, %v, %v; want %v", code, err, x.made, want)
	}
	if left, _ := filepath.Glob(filepath.Join(x.root, "unit", "own", "winnow-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Where anything of it doesn't work the sandbox does without.
func TestGroup_isUsedOnlyWhereAllOfItWorks(t *testing.T) {
	for _, without := range []string{"memory.max", "memory.oom.group", "pids.max", "cpu.weight", "cgroup.procs"} {
		x := newTree(t, "cpu memory pids", without)
		code, _, err := ended(t, x)
		if _, tried := x.made["memory.events"]; code != 7 || err != nil || !tried {
			t.Errorf("without %s: got %d, %v, tried %t", without, code, err, tried)
		}
		if left, _ := filepath.Glob(filepath.Join(x.root, "unit", "own", "winnow-*")); len(left) > 0 {
			t.Errorf("without %s: left %v", without, left)
		}
	}
	x := newTree(t, "cpu memory pids", "memory.swap.max") // a kernel without swap
	if g := x.make("winnow-1", 1, Limits{}.withDefaults()); g.dir == "" {
		t.Error("no group without swap")
	}
	for name, self := range map[string]string{"version 1 only": "4:memory:/a\n", "outside": "0::/../other\n", "no tree": "0::/nothing\n"} {
		put(t, x.self, self)
		if g := x.make("winnow-2", 1, Limits{}.withDefaults()); g.dir != "" {
			t.Errorf("%s: got %v", name, g.dir)
		}
	}
}

// Of the group above, systemd has delegated what it marks.
func TestGroup_isMadeBesideThisProgramWhereThatIsDelegated(t *testing.T) {
	x := newTree(t, "", "")
	unit := filepath.Join(x.root, "unit")
	if err := os.Remove(filepath.Join(unit, "own", "cgroup.subtree_control")); err != nil { // the kernel refuses controllers
		t.Fatal(err)
	}
	if g := x.make("winnow-1", 1, Limits{}.withDefaults()); g.dir != "" {
		t.Errorf("not delegated: got %v", g.dir)
	}
	if err := unix.Setxattr(unit, "user.delegate", []byte("1"), 0); err != nil {
		t.Skip("this system: no extended attributes in ", unit, ": ", err)
	}
	g := x.make("winnow-1", 1, Limits{}.withDefaults())
	if want := filepath.Join(unit, "winnow-1"); g.dir != want {
		t.Errorf("got %q, want %q", g.dir, want)
	}
	data, err := os.ReadFile(filepath.Join(unit, "cgroup.subtree_control"))
	if got := string(data); err != nil || got != "+memory +pids +cpu" {
		t.Errorf("got %q", got)
	}
}

func TestGroup_theKernelsEndByMemoryIsALimitError(t *testing.T) {
	x := newTree(t, "cpu memory pids", "")
	x.events = "low 0\noom 1\noom_kill 2\noom_group_kill 1\n"
	var limit *LimitError
	if code, _, err := ended(t, x); code != -1 || !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("got %d, %v", code, err)
	}
}

// The group of a browser's sandbox is there before the sandbox, whose first process goes into it by itself.
func TestGroup_ofABrowserHasTheLimitsAndWaitsForItsFirstProcess(t *testing.T) {
	x := newTree(t, "cpu memory pids", "")
	x.events = "oom_kill 1\n"
	g := x.browser("winnow-run", Limits{Memory: 1 << 30, Disk: 1 << 20, Processes: 40})
	if want := filepath.Join(x.root, "unit", "own", "winnow-run", "cgroup.procs"); g.Procs() != want {
		t.Errorf("got %q, want %q", g.Procs(), want)
	}
	var limit *LimitError
	if err := g.Exceeds(); !errors.As(err, &limit) || limit.What != "memory" || limit.Limit != 1<<30 {
		t.Errorf("got %v", err)
	}
	g.Remove()
	want := map[string]string{
		"memory.max": strconv.Itoa(1<<30 + 2<<20), "memory.oom.group": "1", "memory.swap.max": "0", "pids.max": "41", "cpu.weight": "50",
		"cgroup.procs": "", "memory.events": x.events,
	}
	if !maps.Equal(x.made, want) {
		t.Errorf("got %v, want %v", x.made, want)
	}
	var none Group
	if none.Remove(); none.Procs() != "" || none.Exceeds() != nil {
		t.Errorf("the zero value: %q, %v", none.Procs(), none.Exceeds())
	}
}
