package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine"
)

// call is a call of a tool, or the reading of a resource.
type call struct {
	*server
	ctx      context.Context
	tool     string
	progress progress
}

// handle makes a handler of the SDK: a call has its time, and what goes wrong is a result.
func (s *server) handle(name string, do func(*call, json.RawMessage) (*result, error)) sdk.ToolHandler {
	return func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
		defer cancel()
		c := &call{server: s, ctx: ctx, tool: name, progress: progressOf(request)}
		arguments := request.Params.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		r, err := c.guarded(func() (*result, error) { return do(c, arguments) })
		if err != nil {
			return c.failed(err, r), nil
		}
		return r.content(), nil
	}
}

// guarded makes an error of a panic.
func (c *call) guarded(do func() (*result, error)) (r *result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &engine.Error{Code: engine.CodeUnknown, Op: c.tool, Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	return do()
}

// patience is how long a call waits for a job: it ends before the call does, to say how far the job is.
func (c *call) patience(wait time.Duration) time.Duration {
	whole := c.o.Timeout * 9 / 10
	if wait > 0 {
		return min(wait, whole)
	}
	return whole
}

// own checks the owner of what an id has found.
func (c *call) own(owner string, err error) error {
	if err == nil && owner != c.o.Owner {
		return &engine.Error{Code: engine.CodeNotFound, Op: c.tool, Err: errOther}
	}
	return err
}
