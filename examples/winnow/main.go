package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	p := &program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	status := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}

// program is the environment of a run.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	begun          bool // the command line was right
}

// run carries out a command line and returns the exit status.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.commands()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !p.begun {
		err = &usageError{err}
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", errStopped, err)
	}
	if _, printed := errors.AsType[ended](err); err != nil && !printed {
		fmt.Fprintln(p.stderr, "winnow:", inWords(err))
	}
	return statusOf(err)
}

// commands are the tree.
func (p *program) commands() *cobra.Command {
	root := &cobra.Command{
		Use: "winnow", Short: "Web pages, sites, searches and files as clean data",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.AddCommand(
		newScrape(p), newBatch(p), newCrawl(p), newSiteMap(p), newSearch(p), newParse(p), newServe(p), newInstall(p), newDoctor(p),
		newBundle(p),
	)
	return root
}

// encoder writes lines of JSON.
func encoder(to io.Writer) *json.Encoder {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return e
}

// does makes a command do something, once its command line is known to be right.
func (p *program) does(c *cobra.Command, do func(ctx context.Context, args []string) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		p.begun = true
		return do(c.Context(), args)
	}
	return c
}
