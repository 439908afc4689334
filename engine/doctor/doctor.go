// Package doctor examines whether a machine has what an engine needs. It may change without notice.
//
// And it proves that an engine which works on recordings contacts nothing.
//
// Start from [Examine] and [Silence]; Examine installs nothing.
//
//	doctor.go    Examine: findings in order
//	browser.go   driver, Node.js, browser, libraries, fonts, rendering
//	machine.go   sandbox, text recognition, folders, memory
//	silence.go   Silence: a scrape, a crawl and a session of a recording, and how often they tried to leave
//	site.go      the site that is recorded
//	alone_*.go   a network namespace, and what tries to leave it
//	deadend_*.go its only way out, which leads to the doctor
//	disk_*.go    free space
package doctor

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// State is what came of a check.
type State string

// The states of a finding.
const (
	OK      State = "ok"
	Without State = "without" // it is missing; the engine does without, what needs it is refused
	Missing State = "missing" // and it is needed
	Broken  State = "broken"  // it is there, and needed, and doesn't work
)

// Finding is what came of one check.
type Finding struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Text  string `json:"text"`          // what there is, or what is wrong
	Fix   string `json:"fix,omitempty"` // what helps; "" where nothing is known
	// Err is the error of a check that failed; nil for OK.
	Err error `json:"-"`
}

// Needed reports a finding without which pages don't work.
func (f Finding) Needed() bool { return f.State == Missing || f.State == Broken }

// Options of an examination. The zero value examines what engine.Options{} uses.
type Options struct {
	// Browser says where driver and browser are. Install is taken for browser.InstallNever.
	Browser engine.BrowserOptions
	// Found is called with each finding, in order, as soon as it is there. If nil, no callback is made.
	Found func(Finding)
}

// checkTime bounds each check.
const checkTime = 2 * time.Minute

// Examine returns what came of all checks, in a fixed order, and ctx's error where that ends before. It starts a browser and renders a page
// of its own with it; nothing is contacted.
func Examine(ctx context.Context, o Options) ([]Finding, error) {
	o.Browser.Install = browser.InstallNever
	var all []Finding
	for _, check := range []func(context.Context, Options) []Finding{
		installed, renders, consent, hasSandbox, hasOCR, cacheFolder, temporaryFolder, memory,
	} {
		limited, cancel := context.WithTimeout(ctx, checkTime)
		found := check(limited, o)
		cancel()
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		for _, f := range found {
			if o.Found != nil {
				o.Found(f)
			}
		}
		all = append(all, found...)
	}
	return all, nil
}
