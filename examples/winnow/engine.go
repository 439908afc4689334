package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/browser/bundle"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local"
	"github.com/winnow-go/winnow/examples/internal/terminal"
	"github.com/winnow-go/winnow/examples/server/demo"
	"github.com/winnow-go/winnow/llm"
)

// engineFlags are the flags that make an engine.
type engineFlags struct {
	cache, proxy           string
	demo, allowPrivate     bool
	system, quiet, verbose bool
	model                  llm.OpenAIOptions
}

// declare adds the flags of a command that contacts sites.
func (f *engineFlags) declare(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.cache, "cache", "", "folder that keeps pages for later runs (default: none are kept)")
	flags.BoolVar(&f.demo, "demo", false, "serve the built-in sites, such as https://shop.example/, beside the web")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "allow local or private addresses")
	flags.StringVar(&f.proxy, "proxy", "", "URL of a proxy to get pages through: http, https, socks5 or socks5h")
	flags.BoolVar(&f.system, "system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	f.declareSaying(c)
}

// declareModel adds the flags of a command whose formats may need a language model.
func (f *engineFlags) declareModel(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.model.BaseURL, "model-url", "", "URL of a server that speaks chat completions, up to /v1; the key is OPENAI_API_KEY")
	flags.StringVar(&f.model.Model, "model", "", "name of the language model there")
	flags.BoolVar(&f.model.Local, "model-local", false, "the model runs on your own machine")
}

// declareSaying adds the flags that say how much is printed on stderr.
func (f *engineFlags) declareSaying(c *cobra.Command) {
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "log what the engine does")
}

// options are the engine's.
func (f *engineFlags) options(show *terminal.Display, log io.Writer) (o engine.Options, err error) {
	o.Dir, o.ResumeJobs = f.cache, new(false) // what another run left is not this one's
	o.Policy.AllowPrivate, o.FilterLists = f.allowPrivate, bundle.Filters("")
	o.Browser.System, o.Browser.Progress = f.system, show.Install
	if f.demo {
		o.Hosts = demo.Hosts()
	}
	if f.proxy != "" {
		o.Proxies = []engine.Proxy{{URL: f.proxy}}
	}
	if f.verbose {
		o.Logger = slog.New(slog.NewTextHandler(log, nil))
	}
	if f.model.BaseURL != "" || f.model.Model != "" {
		o.Model, err = llm.NewOpenAI(f.model)
	}
	if f.cache != "" {
		o.Search = []search.Provider{local.New(local.Options{})}
	}
	return o, err
}

// with makes an engine, and closes it after do.
func (p *program) with(o engine.Options, do func(*engine.Engine) error) error {
	e, err := engine.New(o)
	if err != nil {
		return err
	}
	return errors.Join(do(e), e.Close())
}

// start is with for the engine of the flags.
func (p *program) start(f *engineFlags, do func(*engine.Engine, *terminal.Display) error) error {
	show := terminal.New(p.stderr, f.quiet)
	o, err := f.options(show, p.stderr)
	if err != nil {
		return &usageError{err}
	}
	return p.with(o, func(e *engine.Engine) error { return do(e, show) })
}

// say prints a line that matters to a run's outcome, and so also where no progress is shown.
func (f *engineFlags) say(p *program, show *terminal.Display) func(string) {
	if f.quiet {
		return func(line string) { fmt.Fprintln(p.stderr, line) }
	}
	return show.Say
}
