package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// start makes ready what the session needs, in the order in which it is needed; what is there is freed again
// when a later part fails.
func (s *Session) start(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(failed(ctx, err), s.release())
		}
	}()
	if s.set.o.Browser.ConnectURL != "" {
		return fmt.Errorf("%w: Options.Browser.ConnectURL is set, and a session needs a browser of its own", ErrNotConfigured)
	}
	if s.hold, err = s.acquisition(&s.request.Page).HoldProfile(ctx); err != nil {
		return err
	}
	state, err := page.ProfileState(s.hold)
	if err != nil {
		return err
	}
	if s.request.Page.BlockAds {
		if s.blocking, err = s.set.o.Pages.Blocker.ForSession(weburl.Hostname(s.request.Page.URL)); err != nil {
			return err
		}
	}
	if s.request.Record != "" {
		o := recording.Options{File: s.request.Record, Logger: s.set.o.Log, Now: s.set.o.Now}
		if s.tape, err = recording.CreateNext(o); err != nil {
			return &option.Error{Field: "record", Value: o.File, Want: "a file that can be made", Err: err}
		}
		defer func() {
			if err != nil {
				s.tape.Discard()
			}
		}()
	}
	unsandboxed := false
	if err := browser.InstallSandbox(ctx, s.set.o.Browser.Install); err != nil {
		if unsandboxed = s.set.o.AllowUnsandboxed && ctx.Err() == nil; !unsandboxed {
			return err
		}
	}
	if err := s.openLease(unsandboxed); err != nil {
		return err
	}
	s.browser, err = browser.StartSession(ctx, s.browserOptions(unsandboxed, state))
	return err
}

// openLease opens the session's only way out. Where it has no sandbox, that is a port.
func (s *Session) openLease(unsandboxed bool) (err error) {
	o := s.leaseOptions("")
	o.VirtualIf, o.TrustedIf = nil, nil // until it departs
	if !unsandboxed {
		if s.folder, err = newSocketFolder(); err != nil {
			return err
		}
		o.Unix = filepath.Join(s.folder, "out.sock")
		s.lease, err = s.set.o.Guard.Lease(o)
		return err
	}
	s.lease, err = s.set.o.OpenGuard.Lease(o)
	return err
}

// leaseOptions are those of a session that begins at an address, "" where its code decides that.
func (s *Session) leaseOptions(href string) guard.LeaseOptions {
	isVirtual := s.set.o.Pages.Client.Virtual().Has
	if href != "" {
		isVirtual = func(string) bool { return s.set.o.Pages.Client.Virtual().Has(weburl.Hostname(href)) }
	}
	access := s.set.o.Pages.Client.Access()
	o := guard.LeaseOptions{
		Upstream: s.request.Page.Proxy, VirtualIf: isVirtual, Block: s.blocking.Host, Suspect: s.blocking.Suspect, Judge: s.judge(),
		TrustedIf: func(first string) bool { return access.Begins(cmp.Or(href, first)) },
		MaxBytes:  math.MaxInt64, MaxResource: s.set.o.Pages.MaxBytes, SkipTLSVerify: s.request.Page.SkipTLS,
	}
	if s.tape != nil {
		o.Record = s.tape
	}
	return o
}

// judge judges requests for the guard, by the page that they name, or else the one that the session shows; nil without a judge.
func (s *Session) judge() func(guard.Request) bool {
	if s.blocking.Proxy == nil {
		return nil
	}
	return func(r guard.Request) bool {
		page := r.Page
		if tab := s.tab.Load(); page == "" && tab != nil {
			page = weburl.Hostname(tab.URL())
		}
		return s.blocking.Proxy(r, page)
	}
}

func (s *Session) browserOptions(unsandboxed bool, state []byte) browser.SessionOptions {
	pool := s.set.o.Browser
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
	b := &page.Visit{Acquisition: s.acquisition(&s.request.Page)}
	return browser.PageOptions{
		UserAgent:     s.set.o.Pages.UserAgent,
		Locale:        s.request.Page.Location.Tag,
		Timezone:      s.request.Page.Location.Timezone,
		Languages:     s.request.Page.Location.Languages,
		Geolocation:   page.Geolocation(s.request.Page.Location),
		Mobile:        s.request.Page.Mobile,
		SkipTLSVerify: s.request.Page.SkipTLS || s.tape != nil || s.blocking.Proxy != nil, // then the guard is who verifies
		Viewport:      b.Viewport(),
		MaxBody:       s.set.o.Pages.MaxBytes,
		MaxDownload:   s.set.o.Pages.MaxBytes,
		State:         state,
		Block:         s.blocking.Patterns,
		Hide:          s.blocking.Hide,
		Consent:       s.request.Page.BlockAds,
		Script:        s.set.o.Pages.PageScript(s.request.Page.URL),
	}
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
	if s.tape != nil {
		errs = append(errs, s.tape.Close())
	}
	if s.folder != "" {
		errs = append(errs, os.RemoveAll(s.folder))
	}
	if s.hold != nil {
		errs = append(errs, s.hold.Release())
	}
	return errors.Join(errs...)
}
