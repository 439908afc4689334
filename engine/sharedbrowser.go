package engine

import (
	"fmt"
	"log/slog"
	"reflect"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
)

// SharedBrowser is one browser for several engines, as the tests of a package use: starting one takes longer than most pages do. The pages
// of all engines have contexts of their own, as those of one engine have. Make one with [NewSharedBrowser], give it to engines in
// [BrowserOptions].Shared, and close it after them. It is safe for concurrent use.
type SharedBrowser struct {
	options  BrowserOptions
	browsers *browser.Shared
	vouches  *fetch.Authority // for the virtual hosts of all engines
}

// NewSharedBrowser makes one. Nothing is installed or started yet: the first page of an engine does that. Logger gets what an operator
// wants to know of it; nil is silent. An option that can't be honoured is an error.
func NewSharedBrowser(o BrowserOptions, logger *slog.Logger) (*SharedBrowser, error) {
	if o.Shared != nil {
		return nil, &OptionError{Field: "Browser.Shared", Value: "set", Want: "nothing: this is the browser to be shared"}
	}
	if err := o.checkInstall(); err != nil {
		return nil, err
	}
	vouches, err := fetch.NewAuthority()
	if err != nil {
		return nil, fmt.Errorf("shared browser: %w", err)
	}
	launch := o.launchOptions(logger)
	if o.ConnectURL == "" {
		if launch.Pin, err = vouches.Pin(); err != nil {
			return nil, fmt.Errorf("shared browser: %w", err)
		}
	}
	browsers, err := browser.NewShared(launch)
	if err != nil {
		return nil, ownOption(err)
	}
	return &SharedBrowser{options: o, browsers: browsers, vouches: vouches}, nil
}

// Close ends the browser, with pages that are still open, and waits until no process, goroutine or temporary file of it is left. It can
// be called more than once.
func (b *SharedBrowser) Close() error { return b.browsers.Close() }

// checkShared refuses what a shared browser decides.
func (o BrowserOptions) checkShared() error {
	if o.Shared == nil {
		return nil
	}
	fields := reflect.ValueOf(o)
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Name; name != "Shared" && !fields.Field(i).IsZero() {
			return &OptionError{Field: "Browser." + name, Value: "set", Want: "nothing beside Shared: it is an option of the shared browser"}
		}
	}
	return nil
}

// checkInstall refuses unknown modes.
func (o BrowserOptions) checkInstall() error {
	if mode := o.Install; mode != browser.InstallAuto && mode != browser.InstallNever && mode != "auto" {
		return &OptionError{Field: "Browser.Install", Value: string(mode), Want: `"auto" (the default) or "never"`}
	}
	return nil
}

// authority vouches for the engine's virtual hosts; nil is one of the engine's own.
func (o BrowserOptions) authority() *fetch.Authority {
	if o.Shared == nil {
		return nil
	}
	return o.Shared.vouches
}

// launchOptions are how the browser is installed and started.
func (o BrowserOptions) launchOptions(log *slog.Logger) browser.Options {
	return browser.Options{
		Install: browser.InstallOptions{
			Executable: o.Executable, DriverDir: o.DriverDir, CacheDir: o.CacheDir, Mode: o.Install, System: o.System, Progress: o.Progress,
			Logger: log,
		},
		NoSandbox: o.NoSandbox, Args: o.Args, MaxContexts: o.MaxContexts, MaxAge: o.MaxAge, MaxMemory: o.MaxMemory,
		Headless: o.Headless, ConnectURL: o.ConnectURL, Logger: log,
	}
}
