package instance

import (
	"os"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
)

// This process stands for a browser: it has waited for a processor at some time of its life, and does so again only shortly.
func TestInstance_heldUpByTheMachine(t *testing.T) {
	me := &Instance{driver: &os.Process{Pid: os.Getpid()}, Folder: &launch.Folder{}}
	now := me.delays()
	if len(now.each) == 0 || process.Delay(os.Getpid()) == 0 {
		t.Skip("this system: it does not say how long a process has waited")
	}
	if !me.heldUp(delays{at: now.at.Add(-time.Nanosecond)}) {
		t.Error("a process that has waited most of its time isn't held up")
	}
	if now.at = now.at.Add(-time.Hour); me.heldUp(now) {
		t.Error("a process that has waited for a moment of an hour is held up")
	}
}

func TestAwait_endsWhereNothingIsHeldUp(t *testing.T) {
	nobody := &Instance{driver: &os.Process{}, Folder: &launch.Folder{}}
	if nobody.Await(make(chan struct{}), time.Millisecond, 1<<30) {
		t.Error("it has seen what didn't happen")
	}
	done := make(chan struct{})
	close(done)
	if !nobody.Await(done, time.Hour, 1) {
		t.Error("it hasn't seen what happened")
	}
}
