package instance

import (
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
		w := pulse{gen: &Instance{Isolation: c.isolation}, every: beatEvery, answer: make(chan struct{})}
		w.gen.launched.Store(true)
		var owed time.Duration
		for owed = beatEvery; owed < time.Hour && !w.silent(c.family); owed += beatEvery {
		}
		if owed != c.silent && (c.silent != 0 || owed < time.Hour) {
			t.Errorf("%s: silent after %s, want %s", name, owed, c.silent)
		}
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
