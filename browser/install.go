package browser

import (
	"context"
	"errors"
	"log/slog"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// InstallMode controls whether anything may be downloaded.
type InstallMode string

const (
	// InstallAuto, the zero value, downloads what is missing.
	InstallAuto InstallMode = ""
	// InstallNever only looks for existing files and never downloads.
	InstallNever InstallMode = "never"
)

// InstallOptions of one installation. The zero value works.
type InstallOptions struct {
	// Executable is the browser to use, and the only one that is tried. Empty: CHROME_PATH, then installed browsers, then downloads.
	Executable string
	// DriverDir is a folder that holds the driver's package folder. Empty: PLAYWRIGHT_DRIVER_PATH, the user's cache, then a download.
	DriverDir string
	// CacheDir keeps downloads and test results. Defaults to "winnow" in the user's cache folder.
	CacheDir string
	// Mode defaults to InstallAuto.
	Mode InstallMode
	// System allows apt-get to install a browser and fonts, when running as root on Debian or Ubuntu.
	System bool
	// Progress is called with each step, from one goroutine; it must not block for long. With a Pool that goroutine is the pool's.
	Progress func(Progress)
	// Logger is silent by default.
	Logger *slog.Logger

	kind  install.Kind
	probe prober // replaces the real launch of a browser in tests
}

type prober = func(context.Context, *install.Installation) (install.ProbeResult, error)

// Progress is one step of an installation.
type Progress struct {
	Step        string // "driver", "node", "browser", "fonts", "wait"
	Detail      string // in words
	Done, Total int64  // bytes of a download; Total 0: unknown or no download
}

// Installation is a driver and a browser that work together, proved by a page whose script ran. It is not changed after Install.
type Installation struct {
	DriverDir   string   // holds the folder package
	Node        string   // the real executable
	Executable  string   // the browser; "" where only a driver was wanted
	Source      string   // where the browser came from, in words
	Version     string   // of the browser, in full
	Headless    string   // "shell": the headless shell, 3 to 4 times faster; "new": a full build
	LibraryPath string   // the browser's own libraries, "" for the system's
	Warnings    []string // what is missing but doesn't stop the browser, each with a fix

	found *install.Installation
}

// Attempt is one attempt of an installation.
type Attempt struct {
	What string // for example "Chromium at /usr/bin/chromium"
	Why  string // why it could not be used
}

// InstallError reports that driver or browser is unavailable: all attempts, and shell lines that would fix it.
type InstallError struct {
	Missing string // "driver", "node", "browser" or "folder"
	Tried   []Attempt
	Fix     []string // shell lines, each an alternative
}

// Error has several lines: what is missing, each attempt, each fix.
func (e *InstallError) Error() string {
	room := install.Error{Missing: e.Missing, Fix: e.Fix}
	for _, a := range e.Tried {
		room.Tried = append(room.Tried, install.Attempt(a))
	}
	return room.Error()
}

// Install prepares driver and browser and returns where they are. Test results are cached by file stamp, so that a further call
// costs milliseconds. Several processes may call it at once; ending ctx stops it and leaves nothing half done. It returns an
// *InstallError that lists all attempts, or ctx's error.
func Install(ctx context.Context, o InstallOptions) (*Installation, error) {
	r, err := o.request()
	if err != nil {
		return nil, err
	}
	found, err := install.Run(ctx, r)
	if err != nil {
		return nil, installError(err)
	}
	return &Installation{
		DriverDir: found.DriverDir, Node: found.Node, Executable: found.Executable, Source: found.Source, Version: found.Version,
		Headless: found.Headless, LibraryPath: found.LibraryPath, Warnings: found.Warnings, found: found,
	}, nil
}

// InstallShellCommand installs the npm package agent-browser (54.5 MB to download, 19 MB kept, under the Apache License 2.0), a command for
// shells that drives a browser, and returns its program. If it is installed already the call is quick. Executable and System of the
// options have no meaning here. It returns an *InstallError or ctx's error.
func InstallShellCommand(ctx context.Context, o InstallOptions) (string, error) {
	r, err := o.request()
	if err != nil {
		return "", err
	}
	program, err := install.ShellCommand(ctx, r)
	return program, installError(err)
}

// InstallConsent downloads the npm package @duckduckgo/autoconsent (1.3 MB, under the Mozilla Public License 2.0), whose rules
// PageOptions.Consent then uses, into the cache folder. It does nothing when it is there.
func InstallConsent(ctx context.Context, o InstallOptions) error {
	r, err := o.request()
	if err != nil {
		return err
	}
	return install.Consent(ctx, r)
}

// InstallAccessibility downloads the npm package axe-core (0.7 MB, under the Mozilla Public License 2.0), rules for the accessibility of
// pages, which tests run in them, into the cache folder, and returns the file of its script. It is quick when it is there. The error is
// ctx's, or that of the download; with InstallNever, that it is missing.
func InstallAccessibility(ctx context.Context, o InstallOptions) (string, error) {
	r, err := o.request()
	if err != nil {
		return "", err
	}
	return install.Accessibility(ctx, r)
}

// InstallSandbox installs the sandbox of sessions: bubblewrap. Where it is missing it is installed with apt-get, if the option System
// allows that, as root on Debian or Ubuntu. It is quick where bubblewrap is installed. Without a sandbox in the end the error is a
// *sandbox.UnavailableError, which names the fix; else ctx's.
func InstallSandbox(ctx context.Context, o InstallOptions) error {
	r, err := o.request()
	if err != nil {
		return sandbox.Available(ctx) // nothing may be installed
	}
	return install.Sandbox(ctx, r)
}

// request checks the options and returns them as the room takes them.
func (o InstallOptions) request() (install.Request, error) {
	if o.Mode != InstallAuto && o.Mode != InstallNever {
		return install.Request{}, &OptionError{"Mode", string(o.Mode), `"" or "never"`}
	}
	r := install.Request{
		Executable: o.Executable, DriverDir: o.DriverDir, CacheDir: o.CacheDir, Never: o.Mode == InstallNever, System: o.System,
		Kind: o.kind, Logger: o.Logger, Probe: o.probe,
	}
	if r.Probe == nil {
		r.Probe = probe
	}
	if o.Progress != nil {
		r.Progress = func(p install.Progress) { o.Progress(Progress(p)) }
	}
	return r, nil
}

// installError is the error of the room as that of this package; others stay as they are.
func installError(err error) error {
	var failed *install.Error
	if !errors.As(err, &failed) {
		return err
	}
	e := &InstallError{Missing: failed.Missing, Fix: failed.Fix}
	for _, a := range failed.Tried {
		e.Tried = append(e.Tried, Attempt(a))
	}
	return e
}
