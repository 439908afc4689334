//go:build linux

// Command bench compares winnow with other programs that render pages, in one run on one machine:
//
//	go run ./examples/bench                       # all peers, 4 rounds of 60 pages, 4 pages at once
//	go run ./examples/bench -peers crawlee,scrape -rounds 6
//
// Every peer gets the same pages of a site on this machine, whose content a script makes, on the same headless browser, and has to
// return the whole content of each. The peers take turns within each round, so that whatever else the machine does hits all alike.
// The first round, in which browsers start, isn't counted. The table has the pages of a second, the processor time of a page in all
// processes of the peer (its program, driver and browser), and the most memory that they held, proportional shares of what they share.
// Each is also given as a ratio to the first peer's. Processor time is the figure to trust on a busy machine.
//
// The peers are winnow's single scrapes (scrape), batch and crawl; Crawlee's PlaywrightCrawler with its defaults (crawlee) and with a
// context for each page (incognito), which npm installs; and rod with a context for each page (rod), which go builds. They are installed
// and built in a temporary folder, or in the one that -keep names, where they stay. Linux only. A bare loop over playwright-go is compared
// by go test -bench Pages ./browser.
//
// To add a peer: a program that reads one round as a line of JSON from stdin (see round), requests its pages with so many at once, and
// answers with a line of JSON (see outcome); and a row in the table of peers.go.
//
// main.go has the flags and the order of steps, peers.go the table of peers, install.go how those of others are installed, process.go
// how a peer is run and asked, usage.go what it uses, reap.go how its processes are kept together, site.go the pages, winnow.go the peers
// that are winnow, table.go the result. The folder peers has the programs of the others.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/winnow-go/winnow/browser"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	peers                   []string
	rounds, pages, parallel int
	keep                    string
	as                      string   // the peer that this process is; "": it compares
	command                 []string // what this process runs and reaps; nil: nothing
}

func parse(args []string, usage io.Writer) (settings, error) {
	s := settings{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(usage)
	names := flags.String("peers", "crawlee,incognito,rod,scrape,batch,crawl", "comma-separated peers; ratios are to the first")
	flags.IntVar(&s.rounds, "rounds", 4, "rounds that count")
	flags.IntVar(&s.pages, "pages", 60, "pages in a round")
	flags.IntVar(&s.parallel, "parallel", 4, "pages at once")
	flags.StringVar(&s.keep, "keep", "", "folder in which peers are installed, and stay (default a temporary folder)")
	flags.StringVar(&s.as, "as", "", "be one peer, for the use of this command itself")
	reap := flags.Bool("reap", false, "run the command that follows, for the use of this command itself")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if *reap {
		s.command = flags.Args()
	}
	s.peers = strings.Split(*names, ",")
	if s.rounds < 1 || s.pages < 1 || s.parallel < 1 {
		return s, errors.New("-rounds, -pages and -parallel must be at least 1")
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if s.command != nil {
		return runAndReap(s.command)
	}
	if s.as != "" {
		return be(ctx, s.as, stdin, stdout)
	}
	chosen, err := choose(s.peers)
	if err != nil {
		return err
	}
	shell, err := browser.Install(ctx, browser.InstallOptions{})
	if err != nil {
		return err
	}
	folder, remove, err := workFolder(s.keep)
	if err != nil {
		return err
	}
	defer remove()
	results, err := compare(ctx, s, chosen, shell, folder, stderr)
	if err != nil {
		return err
	}
	return printTable(stdout, shell.Version, s, results)
}

// workFolder is where peers are installed.
func workFolder(keep string) (folder string, remove func(), err error) {
	if keep != "" {
		return keep, func() {}, os.MkdirAll(keep, 0o755)
	}
	folder, err = os.MkdirTemp("", "winnow-bench-")
	return folder, func() { _ = os.RemoveAll(folder) }, err
}

// compare starts the peers and has them take turns.
func compare(
	ctx context.Context, s settings, peers []peer, shell *browser.Installation, folder string, progress io.Writer,
) (results []*result, err error) {
	site, stop, err := serveSite()
	if err != nil {
		return nil, err
	}
	defer stop()
	for _, p := range peers {
		fmt.Fprintln(progress, "starting", p.name)
		running, err := start(ctx, p, shell, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		defer running.end()
		results = append(results, &result{peer: p, running: running})
	}
	for n := range s.rounds + 1 { // the first doesn't count
		for _, r := range results {
			if err := r.lap(site.round(n, r.peer.name, s)); err != nil {
				return nil, fmt.Errorf("%s: %w", r.peer.name, err)
			}
			fmt.Fprintf(progress, "round %d: %s\n", n, r)
			if n == 0 {
				*r = result{peer: r.peer, running: r.running}
			}
		}
	}
	return results, nil
}
