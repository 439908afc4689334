//go:build linux

package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// result is what a peer has done so far.
type result struct {
	peer    peer
	running *running

	pages int
	took  time.Duration
	used  time.Duration // processor time
	peak  int64         // bytes
}

// lap has the peer do one round.
func (r *result) lap(what round) error {
	root := r.running.cmd.Process.Pid
	used, began := usedBy(root), time.Now()
	peak := watchMemory(root)
	o, err := r.running.ask(what)
	r.took += time.Since(began)
	r.peak = max(r.peak, peak())
	r.used += usedBy(root) - used
	r.pages += o.Pages
	if err == nil && o.Pages < what.Pages {
		err = fmt.Errorf("%d pages of %d", o.Pages, what.Pages)
	}
	return err
}

func (r *result) speed() float64  { return float64(r.pages) / r.took.Seconds() }
func (r *result) cpu() float64    { return r.used.Seconds() * 1000 / float64(r.pages) }
func (r *result) memory() float64 { return float64(r.peak) / (1 << 20) }
func (r *result) String() string {
	return fmt.Sprintf("%s: %.2f pages/s, %.2f ms of CPU a page, %.0f MB", r.peer.name, r.speed(), r.cpu(), r.memory())
}

// printTable prints all results, and each as a ratio to the first.
func printTable(w io.Writer, title string, results []*result) error {
	fmt.Fprintf(w, "%s\n\n", title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "peer\tpages/s\tratio\tCPU ms/page\tratio\tpeak MB\tratio\t")
	first := results[0]
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%.2f\t\n", r.peer.what,
			r.speed(), r.speed()/first.speed(), r.cpu(), r.cpu()/first.cpu(), r.memory(), r.memory()/first.memory())
	}
	return t.Flush()
}
