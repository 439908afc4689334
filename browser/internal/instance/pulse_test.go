package instance

import (
	"os"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
)

// Processes that no system has, so that they are of no kind.
func family(states ...string) (all []process.Process) {
	for i, state := range states {
		all = append(all, process.Process{PID: 1<<30 + i, State: state, Start: "1"})
	}
	return all
}

func TestPulse_slowIsNotSilent(t *testing.T) {
	for name, c := range map[string]struct {
		family    []process.Process
		isolation launch.Isolation
		silent    time.Duration // 0: never
	}{
		"all sleep":          {family("S", "S"), launch.Own, beatPatience},
		"one waits to run":   {family("S", "R"), launch.Own, 0},
		"one waits for disk": {family("D", "S"), launch.Own, 0},
		"no process table":   {nil, launch.Own, blindPatience},
		"runs elsewhere":     {family("S"), launch.Remote, blindPatience},
	} {
		w := pulse{gen: &Instance{Isolation: c.isolation, driver: &os.Process{}, Folder: &launch.Folder{}}, every: beatEvery, answer: make(chan struct{})}
		w.gen.launched.Store(true)
		var owed time.Duration
		for owed = beatEvery; owed < time.Hour && !w.silent(c.family); owed += beatEvery {
		}
		if owed != c.silent && (c.silent != 0 || owed < time.Hour) {
			t.Errorf("%s: silent after %s, want %s", name, owed, c.silent)
		}
	}
}

// A browser that had to wait for a processor between two beats owes nothing for that time, even if all of it sleeps at the beats. This
// process stands for it.
func TestPulse_heldUpBetweenBeatsIsNotSilent(t *testing.T) {
	if process.Delay(os.Getpid()) == 0 {
		t.Skip("this system: it does not say how long a process has waited")
	}
	w := pulse{gen: &Instance{driver: &os.Process{Pid: os.Getpid()}, Folder: &launch.Folder{}}, every: beatPatience, answer: make(chan struct{})}
	w.gen.launched.Store(true)
	w.since = delays{at: time.Now(), each: map[process.ID]time.Duration{}}
	if w.silent(family("S")) {
		t.Error("it counts as silent")
	}
	w.since = delays{at: time.Now().Add(-time.Hour), each: w.since.each}
	if !w.silent(family("S")) {
		t.Error("it doesn't count as silent after an hour in which it hardly waited")
	}
}

func TestPulse_stoppedAtTwoBeatsInSuccession(t *testing.T) {
	w := pulse{gen: &Instance{}}
	for i, c := range []struct {
		family []process.Process
		halted bool
	}{
		{family("S", "T"), false}, {family("S", "S"), false}, {family("T", "S"), false}, {family("S", "T"), false}, {family("S", "T"), true},
	} {
		if halted := w.halted(c.family); (halted != "") != c.halted {
			t.Errorf("beat %d: got %q, want halted: %t", i, halted, c.halted)
		}
	}
}
