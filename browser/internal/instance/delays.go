package instance

import (
	"time"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// delays are how long each process of a browser had waited for a processor by a moment. A browser that does not answer is a different
// matter from one that the machine had no time for: the threads of the first sleep.
type delays struct {
	at   time.Time
	each map[process.ID]time.Duration
}

// delays looks at all processes of driver and browser.
func (i *Instance) delays() delays {
	d := delays{time.Now(), map[process.ID]time.Duration{}}
	for _, p := range i.Family() {
		d.each[p.ID()] = process.Delay(p.PID)
	}
	return d
}

// heldUpPart is the part of a time that a process waits for a processor where the machine has no time for it: one in so many.
const heldUpPart = 10

// heldUp reports whether, since then, one process waited for a processor for much of the time. Of renderers, which answer for their own
// pages alone, those count that are new since then.
func (i *Instance) heldUp(since delays) bool {
	now := i.delays()
	for id, delay := range now.each {
		before, known := since.each[id]
		if known && KindOf(id.PID) == RendererKind {
			continue
		}
		if heldUpPart*(delay-before) >= now.at.Sub(since.at) {
			return true
		}
	}
	return false
}

// Await waits until c is closed, at most d, and reports whether it is. While the machine has no time for the browser, it waits for up to so
// many times d. Looking at the processes costs more than most waits: it does so where half of d has passed.
func (i *Instance) Await(c <-chan struct{}, d time.Duration, times int) bool {
	for range times {
		if WaitClosed(c, d/2) {
			return true
		}
		since := i.delays()
		if WaitClosed(c, d/2) {
			return true
		}
		if !i.heldUp(since) {
			return false
		}
	}
	return false
}
