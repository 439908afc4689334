// Command agent gives a goal to an agent, shows each of its steps as it is made, and prints the result. In the end it repeats the work on
// pages from the trace, without the model.
//
//	go run ./examples/agent                        # a small built-in site and a scripted model
//	go run ./examples/agent -model-url http://127.0.0.1:11434/v1 -model qwen3 -local \
//	    -prompt "the opening hours in December" https://museum.example.com/
//	OPENAI_API_KEY=… go run ./examples/agent -model gpt-5-mini -prompt "…" -schema form.json https://example.com/
//
// The agent reads nothing beyond the sites of the given URLs. main.go has the flags and the order, site.go the carried
// site, librarian.go the scripted model, which can work on that site and nothing else, show.go what is printed.
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
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	agent        engine.AgentOptions
	model        llm.OpenAIOptions
	allowPrivate bool
	replay       bool
}

func parse(args []string, usage io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.StringVar(&s.agent.Prompt, "prompt", "", "the goal, in words")
	schema := flags.String("schema", "", "file with a JSON Schema of the result")
	effort := flags.String("effort", "", "how far to go: low, medium or high (empty: medium)")
	flags.BoolVar(&s.agent.StrictConstrainToURLs, "strict", false, "read the given URLs alone, not their sites")
	flags.IntVar(&s.agent.MaxSteps, "max-steps", 0, "maximum number of steps (0: by effort)")
	flags.IntVar(&s.agent.MaxTokens, "max-tokens", 0, "tokens that the model may use (0: by effort)")
	flags.DurationVar(&s.agent.Timeout, "timeout", 10*time.Minute, "time limit of the whole run")
	flags.BoolVar(&s.replay, "replay", true, "repeat the work on pages, without the model")
	flags.StringVar(&s.model.BaseURL, "model-url", "", "server that speaks chat completions, up to /v1; empty: OPENAI_BASE_URL, then the public service")
	flags.StringVar(&s.model.Model, "model", "", "name of the model on the server; the key is taken from OPENAI_API_KEY")
	flags.BoolVar(&s.model.Local, "local", false, "the model's server is your own machine")
	flags.IntVar(&s.model.Context, "context", 0, "tokens that the model supports (0: 128000)")
	flags.BoolVar(&s.allowPrivate, "allow-private", false, "allow pages on local or private addresses")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.agent.URLs, s.agent.Effort = flags.Args(), engine.AgentEffort(*effort)
	s.model.Key = os.Getenv("OPENAI_API_KEY")
	if *schema == "" {
		return s, nil
	}
	var err error
	s.agent.Schema, err = os.ReadFile(*schema)
	return s, err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	o := engine.Options{Search: []search.Provider{local.New(local.Options{})}} // finds what this run has seen
	o.Policy.AllowPrivate = s.allowPrivate
	if len(s.agent.URLs) > 0 {
		if o.Model, err = llm.NewOpenAI(s.model); err != nil {
			return err
		}
		return work(ctx, o, s, stdout, stderr)
	}
	librarian, err := llmtest.Start(llmtest.Func(answer))
	if err != nil {
		return err
	}
	o.Model = librarian.Model()
	o.Hosts = map[string]http.Handler{siteHost: handler()}
	s.agent.URLs = []string{"https://" + siteHost + "/"}
	s.agent.Prompt, s.agent.Schema = "Is the tide atlas on loan, and until when?", json.RawMessage(loanSchema)
	return errors.Join(work(ctx, o, s, stdout, stderr), librarian.Close())
}

// work runs one job on an engine of its own.
func work(ctx context.Context, eo engine.Options, s settings, stdout, stderr io.Writer) error {
	e, err := engine.New(eo)
	if err != nil {
		return err
	}
	job, err := e.StartAgent(ctx, s.agent)
	if err == nil {
		err = errors.Join(follow(ctx, job, stderr), show(ctx, job, stdout, stderr))
	}
	if err == nil && s.replay {
		err = replay(ctx, e, job, stdout)
	}
	return errors.Join(err, e.Close())
}
