package main

import (
	"fmt"
	"io"

	"github.com/winnow-go/winnow/browser"
)

// reporter prints a line for each new step and each tenth of a download.
type reporter struct {
	to   io.Writer
	last string
}

func newReporter(to io.Writer) *reporter { return &reporter{to: to} }

func (r *reporter) report(p browser.Progress) {
	line := p.Step
	if p.Detail != "" {
		line += ": " + p.Detail
	}
	if p.Total > 0 {
		line += fmt.Sprintf(" (%d %% of %.1f MB)", p.Done*10/p.Total*10, float64(p.Total)/1e6)
	}
	if line != r.last {
		r.last = line
		fmt.Fprintln(r.to, line)
	}
}
