// Command mcp serves the engine to language models over the Model Context Protocol: to the client that starts it, over standard input and
// output, or with -http over HTTP.
//
//	go run ./examples/mcp                          # as clients start it: its standard input and output are the protocol
//	go run ./examples/mcp -http 127.0.0.1:8931     # streamable HTTP
//	go run ./examples/mcp -dir ~/.winnow -searxng https://searx.example/
//
// A client's configuration names the program that `go build ./examples/mcp` makes, as in {"mcpServers": {"winnow": {"command":
// "/path/to/mcp"}}}. Nothing but the protocol goes to standard output; what is logged goes to standard error.
//
// Flags: -dir FOLDER keeps pages, jobs and monitors; -files FOLDER has files for the tool parse; -allow-private allows local addresses;
// -searxng URL is a SearXNG server to search with; -model-url and -model are a model for the tool extract (its key is in
// WINNOW_MODEL_KEY); -tokens is the budget of a result; -timeout that of a call; -tools lists those that are offered.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/engine/mcp"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/llm"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	http, files string
	engine      engine.Options
	mcp         mcp.Options
}

func parse(args []string, usage io.Writer) (s settings, err error) {
	flags := flag.NewFlagSet("mcp", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.StringVar(&s.http, "http", "", "`address` to serve on over HTTP, such as 127.0.0.1:8931; empty: standard input and output")
	flags.StringVar(&s.files, "files", "", "`folder` of the files that the tool parse may read")
	flags.StringVar(&s.engine.Dir, "dir", "", "`folder` that keeps pages, jobs and monitors; empty: memory")
	flags.BoolVar(&s.engine.Policy.AllowPrivate, "allow-private", false, "allow local and private addresses")
	searx := flags.String("searxng", "", "`URL` of a SearXNG server to search with")
	modelURL := flags.String("model-url", "", "`URL` of a server of chat completions, for the tool extract")
	model := flags.String("model", "", "name of the model")
	flags.IntVar(&s.mcp.Budget, "tokens", 4000, "tokens of a result")
	flags.DurationVar(&s.mcp.Timeout, "timeout", 2*time.Minute, "time of a call")
	tools := flags.String("tools", "", "comma-separated names of the tools that are offered; empty: all")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if *tools != "" {
		s.mcp.Tools = strings.Split(*tools, ",")
	}
	return s, s.connect(*searx, *modelURL, *model)
}

// connect sets what the engine searches and asks.
func (s *settings) connect(searx, modelURL, model string) error {
	if searx != "" {
		provider, err := search.NewSearXNG(search.SearXNGOptions{URL: searx})
		if err != nil {
			return err
		}
		s.engine.Search = []search.Provider{provider}
	}
	if modelURL == "" {
		return nil
	}
	m, err := llm.NewOpenAI(llm.OpenAIOptions{BaseURL: modelURL, Model: model, Key: os.Getenv("WINNOW_MODEL_KEY")})
	if err == nil {
		s.engine.Model = m
	}
	return err
}

func run(ctx context.Context, args []string, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	s.mcp.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if s.files != "" {
		root, err := os.OpenRoot(s.files)
		if err != nil {
			return err
		}
		defer root.Close()
		s.mcp.Files = root.FS()
	}
	e, err := engine.New(s.engine)
	if err != nil {
		return err
	}
	if s.http == "" {
		return errors.Join(mcp.Serve(ctx, e, s.mcp), e.Close())
	}
	return errors.Join(serve(ctx, s, e, log), e.Close())
}

// serve serves over HTTP until ctx ends.
func serve(ctx context.Context, s settings, e *engine.Engine, log io.Writer) error {
	listener, err := net.Listen("tcp", s.http)
	if err != nil {
		return err
	}
	handler := mcp.NewHandler(e, s.mcp)
	server := httpapi.NewServer(handler)
	fmt.Fprintf(log, "serving http://%s/\n", listener.Addr())
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err = server.Serve(listener); errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, handler.Close())
}
