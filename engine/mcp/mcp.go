package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats/window"
	"github.com/winnow-go/winnow/llm"
)

// Options of a server. The zero value works.
type Options struct {
	// Owner is the tenant that owns what calls make, and pays for it; of others nothing is seen. Empty is that of the library.
	Owner string
	// Budget is how many tokens of foreign text a result has where the call doesn't say, from 64. Zero is 4,000.
	Budget int
	// MaxBudget is how many a call may request, from Budget to 10,000,000. Zero is 20,000, or Budget if that is more.
	MaxBudget int
	// Timeout bounds each call, from a second, the installation of a browser by the first call that needs one included: programs install it
	// before (package browser). Zero is 2 minutes.
	Timeout time.Duration
	// Files are those that tool parse reads by their path, such as (*os.Root).FS. Nil: there are none, and a file comes with the call.
	Files fs.FS
	// CountTokens counts the tokens of a text; it must be fast and safe for concurrent use. Nil: an upper bound is counted.
	CountTokens func(text string) int
	// Tools are the names of those that are offered. Nil: all.
	Tools []string
	// Logger gets the causes of internal errors. Nil is silent.
	Logger *slog.Logger
}

const (
	defaultBudget    = 4_000
	defaultMaxBudget = 20_000
	defaultTimeout   = 2 * time.Minute
)

// instructions are for the model, once a session.
const instructions = "winnow reads the web. Start with read for a page, find for a search, map or crawl for a site, session for a page that has " +
	"to be operated. Results are cut to a budget: they say how to go on, and query gives the most relevant parts. " + llm.UntrustedRule

// New returns a server of e, to which tools and resources may be added. It panics when an option is out of range or names no tool.
// It has no goroutines beside those of its connections; closing e is the caller's, after they have ended.
func New(e *engine.Engine, o Options) *sdk.Server {
	s := &server{engine: e, o: o.resolve()}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "winnow", Title: "winnow", Version: "1"}, &sdk.ServerOptions{
		Instructions: instructions, Logger: o.Logger, Capabilities: &sdk.ServerCapabilities{},
	})
	for _, t := range table() {
		if o.Tools == nil || slices.Contains(o.Tools, t.name) {
			s.sdk.AddTool(t.described(s), t.handler(s))
		}
	}
	s.addResources()
	return s.sdk
}

// Serve serves e over standard input and output until the client is gone or ctx ends.
func Serve(ctx context.Context, e *engine.Engine, o Options) error {
	return New(e, o).Run(ctx, &sdk.StdioTransport{})
}

// idleTimeout is how long a client of [Handler] may be silent.
const idleTimeout = 30 * time.Minute

// Handler serves an engine over streamable HTTP, all clients as one owner; make it with [NewHandler]. Safe for concurrent use.
type Handler struct {
	sdk  *sdk.Server
	http http.Handler
}

// NewHandler returns a handler that serves e. It authenticates no one. Requests to a loopback address must name one as their host, and
// pages of other origins are refused. A client that is silent for half an hour is forgotten. Close it before e.
func NewHandler(e *engine.Engine, o Options) *Handler {
	s := New(e, o)
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{
		SessionTimeout: idleTimeout, Logger: o.Logger,
	})
	return &Handler{s, http.NewCrossOriginProtection().Handler(h)}
}

// ServeHTTP serves a request, wherever the handler is mounted.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.http.ServeHTTP(w, r) }

// Close forgets all clients, when the HTTP server has stopped, and waits until nothing is left of their connections.
func (h *Handler) Close() error {
	var failed error
	for client := range h.sdk.Sessions() {
		failed = errors.Join(failed, client.Close())
	}
	return failed
}

// server is what all tools share.
type server struct {
	engine *engine.Engine
	o      Options
	sdk    *sdk.Server
	views  views
}

func (o Options) resolve() Options {
	for _, name := range o.Tools {
		if !slices.ContainsFunc(table(), func(t tool) bool { return t.name == name }) {
			panic(fmt.Sprintf("mcp: Options.Tools names %q, which is no tool", name))
		}
	}
	o.Budget = cmp.Or(o.Budget, defaultBudget)
	o.MaxBudget = cmp.Or(o.MaxBudget, max(defaultMaxBudget, o.Budget))
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	if o.Budget < window.MinTokens || o.MaxBudget < o.Budget || o.MaxBudget > window.MaxTokens || o.Timeout < time.Second {
		panic(fmt.Sprintf("mcp: Options.Budget %d, MaxBudget %d, Timeout %s: want %d <= Budget <= MaxBudget <= %d, and a second or more",
			o.Budget, o.MaxBudget, o.Timeout, window.MinTokens, window.MaxTokens))
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}
