package process

import (
	"os"
	"runtime"
	"testing"
)

func TestTree_holdsDescendantsOnly(t *testing.T) {
	all := []Process{
		{PID: 2, Parent: 1}, {PID: 3, Parent: 2}, {PID: 4, Parent: 3}, {PID: 5, Parent: 1}, {PID: 6, Parent: 2, State: "Z"}, {PID: 7, Parent: 6},
		{PID: 8, Parent: 9}, {PID: 9, Parent: 8},
	}
	if got := Tree(all, 2, 3); len(got) != 4 {
		t.Errorf("got %v, want 2, 3, 4, 7", got)
	}
	if got := Tree(all, 8); len(got) != 2 {
		t.Errorf("got %v, want a circle to end", got)
	}
	if got := Tree(all, 0, 1); len(got) != 0 {
		t.Errorf("got %v, want nothing for no pid", got)
	}
}

func TestParseStat_namesMayHoldAnything(t *testing.T) {
	line := "42 (a) R b(1) S) S 7 40 40 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 3 0 123456 1000 50"
	p, ok := parseStat(line)
	if !ok || p != (Process{PID: 42, Parent: 7, Group: 40, State: "S", Start: "123456"}) {
		t.Errorf("got %+v, %v", p, ok)
	}
	for _, bad := range []string{"", "1", "1 (x", "1 )x( 2", "1 (x) S"} {
		if _, ok := parseStat(bad); ok {
			t.Errorf("%q was taken", bad)
		}
	}
	if runtime.GOOS == "linux" && StartTime(os.Getpid()) == "" {
		t.Error("no start time of our own")
	}
}
