//go:build linux

// Command bench compares winnow with other programs that render or crawl pages, in one run on one machine:
//
//	go run ./examples/bench                       # all peers, 4 rounds of 60 pages, 4 pages at once
//	go run ./examples/bench -peers crawlee,scrape -rounds 6
//	go run ./examples/bench -static -plot static.svg    # crawls without a browser, 3 rounds of 1,000 pages, 16 at once
//
// Every peer gets the same pages of a site on this machine, and has to return the whole content of each. The peers take turns within each
// round, so that whatever else the machine does hits all alike. The first round, in which browsers start, isn't counted. The table has
// the pages of a second, the processor time of a page in all processes of the peer (its program, driver and browser), and the most
// memory that they held, proportional shares of what they share. Each is also given as a ratio to the first peer's; -plot draws them.
// Processor time is the figure to trust on a busy machine.
//
// Without -static a script makes the content of the pages. The peers are Crawlee's PlaywrightCrawler with its defaults (crawlee) and with
// a context for each page (incognito), which npm installs; rod with a context for each page (rod), which go builds; and winnow's single
// scrapes (scrape), batch and crawl, all on the same headless browser. A bare loop over playwright-go is compared by go test -bench Pages
// ./browser.
//
// With -static the pages have 2 to 200 kB and no scripts, and are crawled without a browser: by a bare pool of net/http and goquery that
// takes title and links (reference), the same with html-to-markdown (reference-md), colly, and winnow for links, for Markdown of
// the main content (markdown), and the same with a folder (folder).
//
// The others' programs are installed and built in a temporary folder, or in the one that -keep names, where they stay. Linux only.
//
// To add a peer: a program that reads one round as a line of JSON from stdin (see round), requests its pages with so many at once, and
// answers with a line of JSON (see outcome); and a row in the table of peers.go.
//
// main.go has the flags and the order of steps, peers.go the table of peers, install.go how those of others are installed, process.go
// how a peer is run and asked, usage.go what it uses, reap.go how its processes are kept together, site.go and static.go the pages,
// winnow.go the peers that are winnow, table.go and plot.go the result. The folder peers has the programs of the others.
package main

import (
	"cmp"
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
	static                  bool
	rounds, pages, parallel int
	keep, plot              string
	as                      string   // the peer that this process is; "": it compares
	command                 []string // what this process runs and reaps; nil: nothing
}

func parse(args []string, usage io.Writer) (settings, error) {
	s := settings{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.BoolVar(&s.static, "static", false, "compare crawls of pages without scripts, by programs without browsers")
	names := flags.String("peers", "", "comma-separated `names`; ratios are to the first (default all)")
	flags.IntVar(&s.rounds, "rounds", 0, "rounds that count (default 4; -static: 3)")
	flags.IntVar(&s.pages, "pages", 0, "pages in a round (default 60; -static: 1000)")
	flags.IntVar(&s.parallel, "parallel", 0, "pages at once (default 4; -static: 16)")
	flags.StringVar(&s.plot, "plot", "", "`file` for a picture of the results, SVG")
	flags.StringVar(&s.keep, "keep", "", "folder in which peers are installed, and stay (default a temporary folder)")
	flags.StringVar(&s.as, "as", "", "be one peer, for the use of this command itself")
	reap := flags.Bool("reap", false, "run the command that follows, for the use of this command itself")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if *reap {
		s.command = flags.Args()
	}
	if s.rounds < 0 || s.pages < 0 || s.parallel < 0 {
		return s, errors.New("-rounds, -pages and -parallel must be at least 1, or 0 for their defaults")
	}
	return s.withDefaults(*names), nil
}

func (s settings) withDefaults(names string) settings {
	defaults := settings{rounds: 4, pages: 60, parallel: 4}
	if s.static {
		defaults = settings{rounds: 3, pages: 1000, parallel: 16}
	}
	s.rounds, s.pages, s.parallel = cmp.Or(s.rounds, defaults.rounds), cmp.Or(s.pages, defaults.pages), cmp.Or(s.parallel, defaults.parallel)
	if names != "" {
		s.peers = strings.Split(names, ",")
		return s
	}
	for _, p := range peers {
		if p.static == s.static {
			s.peers = append(s.peers, p.name)
		}
	}
	return s
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
	chosen, err := choose(s.peers, s.static)
	if err != nil {
		return err
	}
	shell := &browser.Installation{}
	if !s.static {
		if shell, err = browser.Install(ctx, browser.InstallOptions{}); err != nil {
			return err
		}
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
	title := fmt.Sprintf("%d rounds of %d pages, %d at once", s.rounds, s.pages, s.parallel)
	if !s.static {
		title += ", headless Chromium " + shell.Version
	}
	if err := printTable(stdout, title, results); err != nil || s.plot == "" {
		return err
	}
	return os.WriteFile(s.plot, plot(title, results), 0o644)
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
