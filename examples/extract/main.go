// Command extract reads data of one form out of the pages of a site, and prints which page
// each value comes from, with the words that support it.
//
//	go run ./examples/extract                        # a small built-in site and a scripted model
//	go run ./examples/extract -model-url http://127.0.0.1:11434/v1 -model qwen3 -local \
//	    -prompt "products with their prices" "https://shop.example.com/*"
//	OPENAI_API_KEY=… go run ./examples/extract -model gpt-5-mini -schema form.json https://example.com/a https://example.com/b
//
// A URL that ends in "*" stands for a whole site. main.go has the flags and the order,
// site.go the built-in site, clerk.go the scripted model, which can read that site and
// nothing else, show.go what is printed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "extract:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	extract      engine.ExtractOptions
	model        llm.OpenAIOptions
	allowPrivate bool
}

func parse(args []string, usage io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("extract", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.StringVar(&s.extract.Prompt, "prompt", "", "what to extract, in words")
	schema := flags.String("schema", "", "file with a JSON Schema of the data")
	flags.IntVar(&s.extract.Limit, "limit", 0, "maximum number of pages to read (0: 50)")
	flags.IntVar(&s.extract.MaxTokens, "max-tokens", 0, "tokens that the model may use (0: no limit)")
	flags.DurationVar(&s.extract.Timeout, "timeout", 10*time.Minute, "time limit of the whole run")
	flags.StringVar(&s.model.BaseURL, "model-url", "", "server that speaks chat completions, up to /v1; empty: OPENAI_BASE_URL, then the public service")
	flags.StringVar(&s.model.Model, "model", "", "name of the model on the server; the key is taken from OPENAI_API_KEY")
	flags.BoolVar(&s.model.Local, "local", false, "the model's server is your own machine")
	flags.IntVar(&s.model.Context, "context", 0, "tokens that the model supports (0: 128000)")
	flags.BoolVar(&s.allowPrivate, "allow-private", false, "allow pages on local or private addresses")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.extract.URLs, s.extract.ShowSources, s.extract.Evidence = flags.Args(), true, true
	s.model.Key = os.Getenv("OPENAI_API_KEY")
	if *schema == "" {
		return s, nil
	}
	var err error
	s.extract.Schema, err = os.ReadFile(*schema)
	return s, err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	o := engine.Options{Search: []search.Provider{local.New(local.Options{})}} // finds what this run has seen
	o.Policy.AllowPrivate = s.allowPrivate
	if len(s.extract.URLs) > 0 {
		if o.Model, err = llm.NewOpenAI(s.model); err != nil {
			return err
		}
		return extract(ctx, o, s.extract, stdout, stderr)
	}
	clerk, err := llmtest.Start(llmtest.Func(answer))
	if err != nil {
		return err
	}
	o.Model, o.Render = clerk.Model(), engine.RenderNever
	o.Hosts = map[string]http.Handler{siteHost: handler()}
	s.extract.URLs = []string{"https://" + siteHost + "/*"}
	s.extract.Prompt, s.extract.Schema = "all apples, with price and month of harvest", json.RawMessage(appleSchema)
	return errors.Join(extract(ctx, o, s.extract, stdout, stderr), clerk.Close())
}

// extract runs one job on an engine of its own.
func extract(ctx context.Context, eo engine.Options, o engine.ExtractOptions, stdout, stderr io.Writer) error {
	e, err := engine.New(eo)
	if err != nil {
		return err
	}
	job, err := e.StartExtract(ctx, o)
	if err == nil {
		err = errors.Join(follow(ctx, job, stderr), show(ctx, job, stdout, stderr))
	}
	return errors.Join(err, e.Close())
}
