package process

import (
	"os"
	"slices"
	"strconv"
	"testing"
)

// The table has this program and the one that started it; of what has ended there is nothing.
func TestAll_isTheWholeTable(t *testing.T) {
	all := All()
	us := slices.IndexFunc(all, func(p Process) bool { return p.PID == os.Getpid() })
	if us < 0 || all[us].Parent != os.Getppid() || all[us].Start != StartTime(os.Getpid()) || all[us].Gone() {
		t.Fatalf("got %+v among %d, want this program", all, len(all))
	}
	if first := slices.IndexFunc(all, func(p Process) bool { return p.PID == os.Getppid() }); first < 0 {
		t.Error("the program that started this one is missing")
	}
	if got := numbered("/proc/self/task"); !slices.Contains(got, strconv.Itoa(os.Getpid())) {
		t.Errorf("got threads %v, want the first of %d among them", got, os.Getpid())
	}
	if got := numbered("/proc/self/task/none"); got != nil {
		t.Errorf("got %v of a process that has ended", got)
	}
}
