package install

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Request is what an installation is for. The zero value finds or downloads the fastest browser; only Probe is required.
type Request struct {
	Executable string // the browser to use, and the only one that is tried; "": any
	DriverDir  string // holds the driver's package folder; "": any
	CacheDir   string // keeps downloads and test results; "": "winnow" in the user's cache folder
	Never      bool   // nothing is downloaded
	System     bool   // apt-get may install, for root on Debian or Ubuntu
	Kind       Kind
	Progress   func(Progress) // nil: not called
	Logger     *slog.Logger   // nil: silent
	// Probe starts a browser for real. One that it returns an error for is not used.
	Probe func(context.Context, *Installation) (ProbeResult, error)

	seams seams
}

// Kind is the kind of browser that an installation is for.
type Kind string

// The kinds of browsers.
const (
	AnyKind  Kind = ""     // the fastest that there is
	FullKind Kind = "new"  // a full build, no headless shell
	NoKind   Kind = "none" // none on this machine: only the driver
)

// Progress is one step of an installation.
type Progress struct {
	Step        string // "driver", "node", "browser", "fonts", "wait"
	Detail      string // in words
	Done, Total int64  // bytes of a download; Total 0: unknown or no download
}

// ProbeResult is the result of a browser's test.
type ProbeResult struct {
	Version        string
	MissingScripts []string // of "Latin" and "CJK", those that no font draws
	Warning        string   // what is wrong but doesn't stop the browser, with a fix; "" for nothing
}

// Installation is a driver and a browser that work together. It is not changed after Run.
type Installation struct {
	DriverDir   string   // holds the folder package
	Node        string   // the real executable
	Executable  string   // the browser; "" where only a driver was wanted
	Source      string   // where the browser came from, in words
	Version     string   // of the browser, in full
	Headless    string   // "shell" or "new"
	LibraryPath string   // the browser's own libraries, "" for the system's
	FontConfig  string   // the browser's own font configuration, "" for the system's
	Warnings    []string // what is missing but doesn't stop the browser, each with a fix
	Cache       string   // the folder of downloads and test results
}

// seams replace the outside world in tests.
type seams struct {
	getenv        func(string) string
	driver        npmPackage
	node          npmPackage
	chromium      npmPackage
	command       npmPackage
	accessibility npmPackage
	// noSystemBrowsers leaves browsers of the machine out, to reach the later steps.
	noSystemBrowsers, noSystemNode, noCDN bool
	geteuid                               func() int
}

// installer is one run of an installation, with all defaults resolved.
type installer struct {
	Request
	s         seams
	cache     string
	log       *slog.Logger
	records   *records
	downloads *downloads
	tried     []Attempt
	warn      []string
}

// Run finds or installs driver and browser and returns where they are. Test results are cached by file stamp, so that a further call
// costs milliseconds. Several processes may call it at once; ending ctx stops it and leaves nothing half done. It returns an
// *Error that lists all attempts, or ctx's error.
func Run(ctx context.Context, r Request) (*Installation, error) {
	in, err := newInstaller(r)
	if err != nil {
		return nil, err
	}
	unlock, err := in.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("install the browser: %w", err)
	}
	defer unlock()
	defer in.downloads.close()
	in.records = readRecords(filepath.Join(in.cache, "checked.json"))
	inst, err := in.install(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("install the browser: %w", context.Cause(ctx))
		}
		return nil, err
	}
	in.records.save(in.log)
	return inst, nil
}

func newInstaller(r Request) (*installer, error) {
	in := &installer{Request: r, s: r.seams, log: r.Logger}
	in.s.fill()
	if in.log == nil {
		in.log = slog.New(slog.DiscardHandler)
	}
	cache, err := cacheDir(r.CacheDir)
	if err != nil {
		return nil, err
	}
	in.cache = cache
	in.downloads = newDownloads(cache, in.s.getenv, in.progress)
	return in, nil
}

// cacheDir is the absolute path of the folder for downloads.
func cacheDir(wanted string) (string, error) {
	if wanted != "" {
		return filepath.Abs(wanted)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		user = os.TempDir() // no home folder: everything is searched for again after a restart of the machine
	}
	return filepath.Join(user, "winnow"), nil
}

func (s *seams) fill() {
	if s.getenv == nil {
		s.getenv = os.Getenv
	}
	if s.geteuid == nil {
		s.geteuid = os.Geteuid
	}
	if s.driver.name == "" {
		s.driver = driverPackage
	}
	if s.node.name == "" {
		s.node = nodePackage()
	}
	if s.chromium.name == "" {
		s.chromium = chromiumPackage
	}
	if s.accessibility.name == "" {
		s.accessibility = accessibilityPackage
	}
	if s.command.name == "" {
		s.command = commandPackage
	}
}

// lock keeps other processes out. A read-only cache is no error if nothing has to be written.
func (in *installer) lock(ctx context.Context) (func(), error) {
	if err := os.MkdirAll(in.cache, 0o755); err != nil {
		in.log.Warn("the browser cache is not writable", "error", err)
		return func() {}, ctx.Err()
	}
	l := flock.New(filepath.Join(in.cache, "install.lock"))
	if got, err := l.TryLock(); err != nil {
		in.log.Warn("cannot lock the browser cache", "error", err)
		return func() {}, ctx.Err()
	} else if !got {
		in.progress("wait", "another process is installing", 0, 0)
		if _, err := l.TryLockContext(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	sweepTemporary(in.cache)
	return func() { _ = l.Unlock() }, nil
}

func (in *installer) install(ctx context.Context) (*Installation, error) {
	inst := &Installation{Cache: in.cache}
	var err error
	if inst.Node, err = in.findNode(ctx); err != nil {
		return nil, err
	}
	if inst.DriverDir, err = in.findDriver(ctx, inst.Node); err != nil {
		return nil, err
	}
	if in.Kind != NoKind {
		err = (&search{in}).findBrowser(ctx, inst)
	}
	if err != nil {
		return nil, err
	}
	inst.Warnings = in.warn
	return inst, nil
}

func (in *installer) progress(step, detail string, done, total int64) {
	if done == 0 || done == total {
		in.log.Debug("install", "step", step, "detail", detail)
	}
	if in.Progress != nil {
		in.Progress(Progress{Step: step, Detail: detail, Done: done, Total: total})
	}
}

func (in *installer) failed(what string, err error) {
	in.log.Debug("install: tried", "what", what, "error", err)
	in.tried = append(in.tried, Attempt{What: what, Why: err.Error()})
}

func (in *installer) warning(text string) {
	in.log.Warn(text)
	in.warn = append(in.warn, text)
}

// fail is the error for a missing part, with the attempts since the last part that was found.
func (in *installer) fail(missing string, fixes ...string) error {
	return &Error{Missing: missing, Tried: in.tried, Fix: fixes}
}

// errNever is why nothing is downloaded.
var errNever = errors.New("it is missing, and the mode is never")
