package sessions

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/code"
	"github.com/winnow-go/winnow/engine/internal/option"
)

// Run runs code against the session's page. Code that fails or is killed is no error. A browser that doesn't answer after that ends
// the session. Errors: [ErrNotConfigured] where the machine lacks the language, [FailedError], and of the request an [option.Error].
func (s *Session) Run(ctx context.Context, r code.Request) (got code.Result, err error) {
	err = s.use(ctx, func(ctx context.Context, _ *browser.Page) (err error) {
		if err := errors.Join(s.depart(""), s.startRunner(ctx)); err != nil {
			return err
		}
		got, err = s.runner.Run(ctx, r)
		if got.Killed || errors.Is(err, code.ErrBrowserGone) {
			_ = s.browser.Check(ctx, s.set.o.Patience) // perhaps it isn't the code's fault
			s.endWithBrowser()
		}
		return codeError(ctx, err)
	})
	return got, err
}

// startRunner makes ready what runs code, once; it is called by the call whose turn it is.
func (s *Session) startRunner(ctx context.Context) (err error) {
	if s.runner != nil {
		return nil
	}
	install := s.set.o.Browser.Install
	inst, err := browser.Install(ctx, install)
	if err != nil {
		return failed(ctx, err)
	}
	s.runner, err = code.Start(ctx, code.Options{
		Node: inst.Node, DriverPackage: filepath.Join(inst.DriverDir, "package"), Endpoint: s.browser.Endpoint(), CDP: s.browser.CDP(),
		Unsandboxed: !s.browser.Sandboxed(), Logger: s.set.o.Log,
		CLI: func(ctx context.Context) (string, error) { return browser.InstallShellCommand(ctx, install) },
	})
	return codeError(ctx, err)
}

// codeError sorts why code could not be run.
func codeError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if request, ok := errors.AsType[*code.RequestError](err); ok {
		return &option.Error{Field: request.Field, Value: request.Value, Want: request.Want}
	}
	return failed(ctx, err)
}
