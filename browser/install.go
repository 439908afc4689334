package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
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

	kind  browserKind
	seams *installSeams
}

// browserKind is the kind of browser that an installation is for.
type browserKind string

const (
	anyKind  browserKind = ""     // the fastest that there is
	fullKind browserKind = "new"  // a full build, no headless shell
	noKind   browserKind = "none" // none on this machine: only the driver
)

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

	fontConfig string // the browser's own font configuration, "" for the system's
	cache      string
}

// installSeams replace the outside world in tests.
type installSeams struct {
	getenv   func(string) string
	driver   npmPackage
	node     npmPackage
	chromium npmPackage
	command  npmPackage
	// probe replaces the real launch of a browser.
	probe func(ctx context.Context, inst *Installation) (probeResult, error)
	// noSystemBrowsers leaves browsers of the machine out, to reach the later steps.
	noSystemBrowsers, noSystemNode, noCDN bool
	geteuid                               func() int
}

// installer is one run of Install, with all defaults resolved.
type installer struct {
	InstallOptions
	s       installSeams
	cache   string
	log     *slog.Logger
	records *records
	npm     *registry // found when first needed
	http    *http.Client
	tried   []Attempt
	warn    []string
}

// Install prepares driver and browser and returns where they are. Test results are cached by file stamp, so that a further call
// costs milliseconds. Several processes may call it at once; ending ctx stops it and leaves nothing half done. It returns an
// *InstallError that lists all attempts, or ctx's error.
func Install(ctx context.Context, o InstallOptions) (*Installation, error) {
	in, err := newInstaller(o)
	if err != nil {
		return nil, err
	}
	unlock, err := in.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("install the browser: %w", err)
	}
	defer unlock()
	// A transport of its own: the shared one would keep connections after the return.
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: silence}
	defer transport.CloseIdleConnections()
	in.http = &http.Client{Transport: transport}
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

func newInstaller(o InstallOptions) (*installer, error) {
	in := &installer{InstallOptions: o, log: o.Logger, cache: o.CacheDir}
	if o.seams != nil {
		in.s = *o.seams
	}
	in.s.fill()
	if in.log == nil {
		in.log = slog.New(slog.DiscardHandler)
	}
	if o.Mode != InstallAuto && o.Mode != InstallNever {
		return nil, &OptionError{"Mode", string(o.Mode), `"" or "never"`}
	}
	if in.cache != "" {
		abs, err := filepath.Abs(in.cache)
		in.cache = abs
		return in, err
	}
	user, err := os.UserCacheDir()
	if err != nil {
		user = os.TempDir() // no home folder: everything is searched for again after a restart of the machine
	}
	in.cache = filepath.Join(user, "winnow")
	return in, nil
}

func (s *installSeams) fill() {
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
	if s.command.name == "" {
		s.command = commandPackage
	}
	if s.probe == nil {
		s.probe = probe
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
	inst := &Installation{cache: in.cache}
	var err error
	if inst.Node, err = in.findNode(ctx); err != nil {
		return nil, err
	}
	if inst.DriverDir, err = in.findDriver(ctx, inst.Node); err != nil {
		return nil, err
	}
	if in.kind != noKind {
		err = in.findBrowser(ctx, inst)
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
	return &InstallError{Missing: missing, Tried: in.tried, Fix: fixes}
}

// errNever is why nothing is downloaded.
var errNever = errors.New("it is missing, and the mode is never")
