// Command quickstart scrapes pages and shows the results: markdown,
// metadata, how each page was rendered, how long each step took, and the file of
// the screenshot.
//
//	go run ./examples/quickstart                       # a small built-in site
//	go run ./examples/quickstart https://example.com/  # your pages
//
// On first use it installs a browser, which may take a minute; progress is printed
// on stderr. An error is one line and exit status 1. Screenshots are written to
// winnow-quickstart in the system's folder for temporary files.
//
// Flags: -format markdown,links; -json; -timeout 30s; -render never; -allow-private
// (local addresses); -out FOLDER (for screenshots); -system (missing system packages
// are installed with the package manager).
//
// main.go has the flags and the order of steps, site.go the built-in site, show.go
// the output.
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
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", oneLine(err))
		os.Exit(1)
	}
}

// oneLine keeps an error's many causes in one line, as a shell's user expects.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// settings are the command line.
type settings struct {
	urls         []string
	json         bool
	formats      []formats.Format // nil: chosen for each page
	timeout      time.Duration
	render       engine.Render
	allowPrivate bool
	system       bool
	out          string
}

func parse(args []string, usage io.Writer) (settings, error) {
	s := settings{}
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.BoolVar(&s.json, "json", false, "print one JSON document a line instead of text")
	names := flags.String("format", "", "comma-separated formats: markdown, html, rawHtml, links, images, screenshot (default markdown,screenshot)")
	flags.DurationVar(&s.timeout, "timeout", 60*time.Second, "time for each page, 1s to 5m; installing a browser doesn't count")
	render := flags.String("render", "auto", "auto, never or always in a browser")
	flags.BoolVar(&s.allowPrivate, "allow-private", false, "allow local or private addresses")
	flags.BoolVar(&s.system, "system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	flags.StringVar(&s.out, "out", filepath.Join(os.TempDir(), "winnow-quickstart"), "folder for screenshots")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.urls, s.render = flags.Args(), engine.Render(*render)
	for name := range strings.SplitSeq(*names, ",") {
		if name = strings.TrimSpace(name); name != "" {
			s.formats = append(s.formats, formats.Format{Type: formats.Type(name)})
		}
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	o := engine.Options{AssetDir: s.out}
	o.Policy.AllowPrivate = s.allowPrivate
	o.Browser.System = s.system
	o.Browser.Progress = (&progress{to: stderr}).install
	pages := s.pages()
	if len(s.urls) == 0 {
		pages = sitePages(s.formats)
		o.Hosts = map[string]http.Handler{siteHost: handler()}
	}
	e, err := engine.New(o)
	if err != nil {
		return err
	}
	return errors.Join(scrapeAll(ctx, e, s, pages, stdout, stderr), e.Close())
}

// page is one URL with its requested formats.
type page struct {
	url     string
	formats []formats.Format
}

func (s settings) pages() []page {
	asked := s.formats
	if asked == nil && s.render != engine.RenderNever {
		asked = []formats.Format{{Type: formats.Markdown}, {Type: formats.Screenshot}}
	}
	var pages []page
	for _, u := range s.urls {
		pages = append(pages, page{url: u, formats: asked})
	}
	return pages
}

// scrapeAll continues after a page that failed, and reports it in the end.
func scrapeAll(ctx context.Context, e *engine.Engine, s settings, pages []page, stdout, stderr io.Writer) error {
	var failed error
	for _, p := range pages {
		steps := &progress{to: stderr, url: p.url}
		doc, err := e.Scrape(ctx, p.url, engine.ScrapeOptions{
			Formats: p.formats, Timeout: s.timeout, Render: s.render, OnStep: steps.step,
		})
		if err == nil {
			err = show(stdout, doc, steps.done, s.json)
		}
		failed = errors.Join(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}
