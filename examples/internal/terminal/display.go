// Package terminal shows people how far a program is. It may change without notice.
package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// How often progress is shown.
const (
	barEvery  = 200 * time.Millisecond
	lineEvery = 5 * time.Second
)

// Display shows how far a job is: by a bar where there is a terminal, else by lines. Safe for concurrent use.
type Display struct {
	every time.Duration
	step  string // of an install

	mu   sync.Mutex
	to   io.Writer
	bar  *progressbar.ProgressBar // nil: lines
	last string
}

// New returns a display that writes to a file, by convention stderr; with quiet it shows nothing.
func New(to io.Writer, quiet bool) *Display {
	if quiet {
		return &Display{to: io.Discard, every: lineEvery}
	}
	if f, ok := to.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &Display{to: to, every: barEvery, bar: newBar(to)}
	}
	return &Display{to: to, every: lineEvery}
}

func newBar(to io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions(1,
		progressbar.OptionSetWriter(to),
		progressbar.OptionSetWidth(24),
		progressbar.OptionSetPredictTime(false), // the engine knows better
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
	)
}

// Follow shows a job's progress, as its Status gives it, until stop is called, which waits for the last line.
func (d *Display) Follow(ctx context.Context, status func(context.Context) (engine.JobStatus, error)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	following.Go(func() {
		tick := time.NewTicker(d.every)
		defer tick.Stop()
		for ctx.Err() == nil {
			d.look(ctx, status)
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	})
	return func() {
		cancel()
		following.Wait()
		d.look(context.WithoutCancel(ctx), status)
		d.End()
	}
}

func (d *Display) look(ctx context.Context, status func(context.Context) (engine.JobStatus, error)) {
	if s, err := status(ctx); err == nil { // the reader of the documents meets the error too
		d.Progress(s.Progress, s.State.Final())
	}
}

// Progress shows where the job stands. Pages that turned out to be others' are worked
// off, too, though neither done nor failed.
func (d *Display) Progress(p engine.Progress, final bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	worked, line := p.Known-p.Queued-p.Active, describe(p, final)
	switch {
	case d.bar == nil && line != d.last:
		fmt.Fprintln(d.to, line)
	case d.bar != nil:
		goal := p.Known
		if !final {
			goal = max(p.Known, worked+1) // a full bar would never move again
		}
		d.bar.ChangeMax(max(goal, 1))
		d.bar.Describe(line)
		_ = d.bar.Set(worked) // it writes to a terminal that may be gone: no reason to stop
	}
	d.last = line
}

// describe puts it in words; rate and time left are only shown while it runs.
func describe(p engine.Progress, final bool) string {
	line := fmt.Sprintf("%d of %d pages", p.Known-p.Queued-p.Active, p.Known)
	if p.Failed > 0 {
		line += fmt.Sprintf(", %d failed", p.Failed)
	}
	if final {
		return line
	}
	if p.Rate > 0 {
		line += fmt.Sprintf(", %.1f pages/s", p.Rate)
	}
	if p.Left > 0 {
		line += fmt.Sprintf(", %s left", p.Left.Round(time.Second))
	}
	return line
}

// Pages shows how many pages of a file were read: by the bar, or not at all.
func (d *Display) Pages(file string, done, all int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bar == nil {
		return
	}
	d.bar.ChangeMax(max(all, done+1)) // a full bar would never move again
	d.bar.Describe(fmt.Sprintf("%s: %d of %d pages", OneLine(file), done, all))
	_ = d.bar.Set(done) // it writes to a terminal that may be gone: no reason to stop
}

// Say puts a line above the bar.
func (d *Display) Say(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bar != nil {
		_ = d.bar.Clear()
	}
	fmt.Fprintln(d.to, line)
}

// End leaves the bar's line; what is shown after it are lines.
func (d *Display) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bar != nil {
		_ = d.bar.Exit()
		fmt.Fprintln(d.to)
		d.bar = nil
	}
}

// Install shows the steps of installing a browser, which a page may need. Calls don't overlap.
func (d *Display) Install(b browser.Progress) {
	if line := OneLine("install: " + b.Step + " " + b.Detail); line != d.step {
		d.step = line
		d.Say(line)
	}
}

// OneLine keeps an error's many causes in one line, as a shell's user expects.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
