package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/browser/code"
)

// Run runs code against the session's page. Code that fails or is killed is no error but says so in the result.
// Variables of node and python, and the files of bash, last from call to call; what a timeout kills loses them,
// the browser stays as it is, unless it doesn't answer any more: then the session ends. Errors: [CodeNotConfigured] when
// what the language needs is missing, which the message says how to get.
func (s *Session) Run(ctx context.Context, r InteractRequest) (*InteractResult, error) {
	if r.Prompt != "" {
		return nil, failure(ctx, "session", "", &OptionError{Field: "prompt", Value: "set", Want: "unset: Ask takes prompts"})
	}
	if err := r.check(); err != nil {
		return nil, failure(ctx, "session", "", err)
	}
	var got code.Result
	err := s.engine.manage(ctx, "session", "", func(ctx context.Context) (err error) {
		got, err = s.room.Run(ctx, code.Request{Language: r.Language, Code: r.Code, Timeout: r.Timeout})
		return err
	})
	if err != nil {
		return nil, err
	}
	result := &InteractResult{
		Success: got.ExitCode == 0 && !got.Killed, Stdout: got.Stdout, Stderr: got.Stderr, Result: got.Result,
		ExitCode: got.ExitCode, Killed: got.Killed,
	}
	if !result.Success {
		result.Error = cmp.Or(strings.TrimSpace(got.Stderr), fmt.Sprintf("the code ended with status %d and printed no error", got.ExitCode))
	}
	return s.stamp(result), nil
}

// stamp adds what results of code and prompts have in common.
func (s *Session) stamp(r *InteractResult) *InteractResult {
	info := s.Info()
	r.SessionID, r.LiveViewURL, r.InteractiveLiveViewURL, r.Credits = info.ID, info.LiveViewURL, info.InteractiveLiveViewURL, info.Credits
	return r
}
