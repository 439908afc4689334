// Command monitor watches a small built-in shop that changes while one looks on, and prints what it finds: prices that move, a product that
// comes and one that goes, and what it passes over (a counter of views, an outage of the site).
//
//	go run ./examples/monitor                 # a shop that changes with every look
//	go run ./examples/monitor -days 20        # more of it
//	go run ./examples/monitor -feed feed.xml  # the changes as an Atom feed too
//
// A day passes with each check, so that there is nothing to wait for: a monitor in a program would be left to its schedule.
//
//   - main.go — the monitor, its checks, and what is printed
//   - shop.go — the shop and what happens in it
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/monitor"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "monitor:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("monitor", flag.ContinueOnError)
	days := flags.Int("days", 8, "how many days to watch")
	feed := flags.String("feed", "", "a file for the changes as an Atom feed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	shop := &shop{}
	e, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: map[string]http.Handler{shopHost: shop}})
	if err != nil {
		return err
	}
	w := watcher{engine: e, out: out}
	return errors.Join(w.watch(ctx, shop, *days, *feed), e.Close())
}

// watcher runs a monitor and prints what it finds.
type watcher struct {
	engine *engine.Engine
	out    io.Writer
}

func (w watcher) watch(ctx context.Context, shop *shop, days int, feed string) error {
	m, err := w.engine.CreateMonitor(ctx, engine.MonitorOptions{
		Name: "The lamp shop", Schedule: monitor.Schedule{Text: "daily at 6:00", Timezone: "Europe/Berlin"},
		Targets: []engine.MonitorTarget{{Target: monitor.Target{URL: "https://" + shopHost + "/"}}},
	})
	if err != nil {
		return err
	}
	for day := range days {
		shop.setDay(day)
		check, err := w.check(ctx, m.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(w.out, "day %d, %s\n", day+1, check.Digest)
	}
	if feed == "" {
		return nil
	}
	return w.write(ctx, m, feed)
}

// check runs a check at once and waits for its end.
func (w watcher) check(ctx context.Context, id string) (*monitor.Detail, error) {
	check, err := w.engine.RunMonitor(ctx, id)
	if err != nil {
		return nil, err
	}
	job, err := w.engine.Job(ctx, check.ID) // a check is a job
	if err != nil {
		return nil, err
	}
	if _, err := job.Wait(ctx); err != nil {
		return nil, err
	}
	return w.engine.MonitorCheck(ctx, id, check.ID, monitor.Query{})
}

// write writes the changes as a feed, the newest first.
func (w watcher) write(ctx context.Context, m *engine.Monitor, name string) error {
	var changes []monitor.Change
	for c, err := range w.engine.MonitorChanges(ctx, m.ID, 0) {
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	slices.Reverse(changes)
	f := monitor.Feed{ID: m.ID, Name: m.Name, Updated: m.CreatedAt}
	if len(changes) > 0 {
		f.Updated = changes[0].At
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(monitor.WriteAtom(file, f, changes), file.Close())
}
