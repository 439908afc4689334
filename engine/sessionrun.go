package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/code"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// Run runs code against the session's page. Code that fails or is killed is no error but says so in the result.
// Variables of node and python, and the files of bash, last from call to call; what a timeout kills loses them,
// the browser stays as it is, unless it doesn't answer any more: then the session ends. Errors: [CodeNotConfigured] when what the language needs is missing, which
// the message says how to get.
func (s *Session) Run(ctx context.Context, r InteractRequest) (*InteractResult, error) {
	if r.Prompt != "" {
		return nil, failure(ctx, "session", "", &OptionError{Field: "prompt", Value: "set", Want: "unset: Ask takes prompts"})
	}
	if err := r.check(); err != nil {
		return nil, failure(ctx, "session", "", err)
	}
	var got code.Result
	err := s.use(ctx, "session", func(ctx context.Context, _ *browser.Page) (err error) {
		if err := errors.Join(s.depart(""), s.startRunner(ctx)); err != nil {
			return err
		}
		got, err = s.runner.Run(ctx, code.Request{Language: r.Language, Code: r.Code, Timeout: r.Timeout})
		if got.Killed || errors.Is(err, code.ErrBrowserGone) {
			_ = s.browser.Check(ctx, s.patience) // perhaps it isn't the code's fault
			s.ofBrowser()
		}
		return codeError(ctx, err)
	})
	if err != nil {
		return nil, err
	}
	result := &InteractResult{
		Success: got.ExitCode == 0 && !got.Killed, Stdout: got.Stdout, Stderr: got.Stderr, Result: got.Result, ExitCode: got.ExitCode, Killed: got.Killed,
	}
	if !result.Success {
		result.Error = orDefault(strings.TrimSpace(got.Stderr), "the code failed without a word")
	}
	return s.stamp(result), nil
}

// stamp adds what results of code and prompts have in common.
func (s *Session) stamp(r *InteractResult) *InteractResult {
	info := s.Info()
	r.SessionID, r.LiveViewURL, r.InteractiveLiveViewURL, r.Credits = info.ID, info.LiveViewURL, info.InteractiveLiveViewURL, info.Credits
	return r
}

// startRunner makes ready what runs code, once; it is called by whoever has the turn.
func (s *Session) startRunner(ctx context.Context) (err error) {
	if s.runner != nil {
		return nil
	}
	install := s.engine.poolOptions().Install
	inst, err := browser.Install(ctx, install)
	if err != nil {
		return sessionError(ctx, err)
	}
	s.runner, err = code.Start(ctx, code.Options{
		Node: inst.Node, DriverPackage: filepath.Join(inst.DriverDir, "package"), Endpoint: s.browser.Endpoint(), CDP: s.browser.CDP(),
		Unsandboxed: !s.browser.Sandboxed(), Logger: s.engine.log,
		CLI: func(ctx context.Context) (string, error) { return browser.InstallShellCommand(ctx, install) },
	})
	return codeError(ctx, err)
}

// codeError sorts why code could not be run.
func codeError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	if request, ok := errors.AsType[*code.RequestError](err); ok {
		return &OptionError{Field: request.Field, Value: request.Value, Want: request.Want}
	}
	if _, ok := errors.AsType[*code.MissingError](err); ok {
		return &Error{Code: CodeNotConfigured, Err: fmt.Errorf("%w: %w", ErrNotConfigured, err)}
	}
	if _, ok := errors.AsType[*sandbox.UnavailableError](err); ok {
		return &Error{Code: CodeNotConfigured, Err: fmt.Errorf("%w: %w", ErrNotConfigured, err)}
	}
	return &Error{Code: CodeSessionFailed, Err: err}
}
