// Command crawl turns a site into a folder of markdown: one file a page, and an
// index. A progress bar shows how far it is; Ctrl-C stops it, and -resume continues
// where it stopped, also after a crash.
//
//	go run ./examples/crawl                        # a small built-in site
//	go run ./examples/crawl https://example.com/   # your site
//	go run ./examples/crawl -resume -out FOLDER    # continue a stopped crawl
//	go run ./examples/crawl -since -out FOLDER     # come again: fetch what has changed, and list it in changes.md
//
// It obeys robots.txt and paces itself, as every crawl of the engine does.
//
// The files, in the order of a run:
//
//   - main.go — the order of things, and the exit status
//   - settings.go — the command line, and the part of it that is stored for -resume
//   - folder.go — the folder of the crawl, its files, and who owns it
//   - collect.go — starts or resumes the job, and writes its pages as they come
//   - changes.go — what has changed since the folder's last crawl
//   - index.go, escape.go — the index: pages, failures, denied URLs
//   - site.go — the built-in site
//
// The bar, or a line every few seconds where there is no terminal, is that of package terminal; the files' names are those of
// package pagefile.
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
	"syscall"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	p := program{stdout: os.Stdout, stderr: os.Stderr, site: http.HandlerFunc(serve)}
	err := p.run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "crawl:", terminal.OneLine(err.Error()))
	}
	os.Exit(status(err))
}

// status is the exit status: that of a program that Ctrl-C ended is 130.
func status(err error) int {
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errStopped):
		return 130
	}
	return 1
}

// errStopped is wrapped by the error of a run that was stopped.
var errStopped = errors.New("stopped")

// program is the environment of a run.
type program struct {
	stdout, stderr io.Writer
	site           http.Handler // answers for the built-in site
}

func (p program) run(ctx context.Context, args []string) error {
	s, err := parse(args, p.stderr)
	if err != nil {
		return err
	}
	at, err := openFolder(s)
	if err != nil {
		return err
	}
	defer at.close()
	show := terminal.New(p.stderr, s.quiet)
	e, err := engine.New(p.options(at, show, s.system))
	if err != nil {
		return err
	}
	c := &collector{engine: e, at: at, show: show, index: newIndex()}
	err = errors.Join(c.run(ctx, s.resume), e.Close())
	if err == nil {
		fmt.Fprintf(p.stdout, "%s\n%s\n", c.summary(), at.path(at.list()))
	}
	return err
}

func (p program) options(at *folder, show *terminal.Display, system bool) engine.Options {
	o := engine.Options{Dir: at.state(), Render: at.plan.Render, ResumeJobs: new(at.resumed)}
	o.Policy.AllowPrivate = at.plan.AllowPrivate
	o.Browser.System = system
	o.Browser.Progress = show.Install
	if at.plan.URL == "" {
		o.Hosts = map[string]http.Handler{siteHost: p.site}
	}
	return o
}
