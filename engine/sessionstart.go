package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/sandbox"
	"github.com/winnow-go/winnow/fetch/guard"
)

// ErrNotConfigured is wrapped by the error of sessions and code where the machine lacks what they need: a
// sandbox, a browser, a language. The message says what to install.
var ErrNotConfigured = errors.New("this machine is not set up for browser sessions")

// start makes ready what the session needs, in the order in which it is needed; what is there is freed again
// when a later part fails.
func (s *Session) start(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(sessionError(ctx, err), s.release())
		}
	}()
	if s.engine.options.Browser.ConnectURL != "" {
		return &Error{Code: CodeNotConfigured, Err: fmt.Errorf("%w: Options.Browser.ConnectURL is set, and a session needs a browser of its own", ErrNotConfigured)}
	}
	if s.hold, err = (&scrape{engine: s.engine, plan: s.plan}).holdProfile(ctx); err != nil {
		return err
	}
	state, err := profileState(s.hold)
	if err != nil {
		return err
	}
	if s.plan.blockAds {
		if s.blocking, err = s.engine.blocker.forPage(hostname(s.plan.url)); err != nil {
			return err
		}
	}
	unsandboxed := false
	if err := browser.InstallSandbox(ctx, s.engine.poolOptions().Install); err != nil {
		if unsandboxed = s.engine.options.AllowUnsandboxedCode && ctx.Err() == nil; !unsandboxed {
			return err
		}
	}
	if err := s.openWay(unsandboxed); err != nil {
		return err
	}
	s.browser, err = browser.StartSession(ctx, s.browserOptions(unsandboxed, state))
	return err
}

// openWay opens the session's only way out. Where it has no sandbox, that is a port.
func (s *Session) openWay(unsandboxed bool) (err error) {
	o := s.leaseOptions("")
	o.VirtualIf = nil // until it departs
	if !unsandboxed {
		if s.folder, err = newWay(); err != nil {
			return err
		}
		o.Unix = filepath.Join(s.folder, "out.sock")
		s.lease, err = s.engine.guard.Lease(o)
		return err
	}
	s.lease, err = s.engine.openGuard.Lease(o)
	return err
}

// leaseOptions are those of a session that begins at an address, "" where its code decides that.
func (s *Session) leaseOptions(href string) guard.LeaseOptions {
	isVirtual := s.engine.client.Virtual().Has
	if href != "" {
		isVirtual = func(string) bool { return s.engine.client.Virtual().Has(hostname(href)) }
	}
	return guard.LeaseOptions{
		Upstream: s.plan.proxies.first, VirtualIf: isVirtual, Block: s.blocking.host,
		MaxBytes: math.MaxInt64, MaxResource: s.engine.pageBytes(),
	}
}

func (s *Session) browserOptions(unsandboxed bool, state []byte) browser.SessionOptions {
	pool := s.engine.poolOptions()
	o := browser.SessionOptions{
		Install: pool.Install, Headless: pool.Headless, Args: pool.Args, Pin: pool.Pin, Logger: pool.Logger,
		Unsandboxed: unsandboxed, Page: s.pageOptions(state),
	}
	o.Egress = filepath.Join(s.folder, "out.sock")
	if unsandboxed {
		o.Egress = s.lease.URL()
	}
	return o
}

// pageOptions are how the session's tabs look.
func (s *Session) pageOptions(state []byte) browser.PageOptions {
	b := &browsing{scrape: &scrape{engine: s.engine, plan: s.plan}}
	return browser.PageOptions{
		UserAgent:     s.engine.options.UserAgent,
		Locale:        s.plan.location.tag,
		Timezone:      s.plan.location.timezone,
		Languages:     s.plan.location.languages,
		Geolocation:   s.plan.location.geolocation(),
		Mobile:        s.plan.mobile,
		SkipTLSVerify: s.plan.skipTLS,
		Viewport:      b.viewport(),
		MaxBody:       s.engine.pageBytes(),
		State:         state,
		Block:         s.blocking.patterns,
		Hide:          s.blocking.hide,
		Consent:       s.plan.blockAds,
	}
}

// sessionError sorts why there is no session.
func sessionError(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*Error](err); ok || ctx.Err() != nil {
		return err
	}
	if _, ok := errors.AsType[*OptionError](ownOption(err)); ok {
		return err
	}
	_, unavailable := errors.AsType[*sandbox.UnavailableError](err)
	if _, ok := errors.AsType[*browser.InstallError](err); ok || unavailable {
		return &Error{Code: CodeNotConfigured, Err: fmt.Errorf("%w: %w", ErrNotConfigured, err)}
	}
	return &Error{Code: CodeSessionFailed, Err: err}
}

// release frees what the session has, in the reverse order of its making.
func (s *Session) release() error {
	var errs []error
	if s.runner != nil {
		errs = append(errs, s.runner.Close())
	}
	if s.browser != nil {
		errs = append(errs, s.browser.Close())
	}
	if s.lease != nil {
		errs = append(errs, s.lease.Close())
	}
	if s.folder != "" {
		errs = append(errs, os.RemoveAll(s.folder))
	}
	if s.hold != nil {
		errs = append(errs, s.hold.Release())
	}
	return errors.Join(errs...)
}
