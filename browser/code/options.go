package code

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// Options of a Runner. Node, DriverPackage and Endpoint are needed; the rest may be zero.
type Options struct {
	// Node is the real executable of a Node.js of version 18 or newer, no shim.
	Node string
	// DriverPackage is the driver's folder "package".
	DriverPackage string
	// Endpoint is the Unix socket of the session's browser, as Playwright's connect takes it.
	Endpoint string
	// CDP is a Unix socket that leads to the browser's remote debugging port. Only Bash uses it; empty: Bash is unavailable.
	CDP string
	// Unsandboxed runs code as an ordinary child of this process, with the rights of its user, where nothing but a private home and
	// an empty environment separates it from the machine. For code that the embedder trusts. False: without a working sandbox Start fails.
	Unsandboxed bool
	// Limits of each worker. Zero fields have the defaults of package sandbox, but for Memory: 512 MiB. Without a sandbox only CPU,
	// Processes, FileSize and OpenFiles are kept, for each process alone.
	Limits sandbox.Limits
	// CLI returns the program agent-browser, an absolute path; browser.InstallShellCommand does that. The first call of Bash calls it,
	// and the next one again after an error. Nil: Bash is unavailable.
	CLI func(ctx context.Context) (string, error)
	// Logger is silent by default.
	Logger *slog.Logger

	pythons []string // where Python may be; empty: where systems have it
}

func (o Options) fill() (Options, error) {
	var errs []error
	for _, f := range []struct{ name, path string }{{"Node", o.Node}, {"DriverPackage", o.DriverPackage}, {"Endpoint", o.Endpoint}} {
		if !filepath.IsAbs(f.path) {
			errs = append(errs, errors.New("start the code runner: "+f.name+" must be an absolute path"))
		}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if len(o.pythons) == 0 {
		o.pythons = []string{"/usr/bin/python3", "/usr/local/bin/python3"}
	}
	if o.Limits.Memory == 0 {
		o.Limits.Memory = 512 << 20
	}
	return o, errors.Join(errs...)
}

// insideUsr reports whether a path is one that every sandbox has.
func insideUsr(path string) bool { return strings.HasPrefix(filepath.Clean(path), "/usr/") }
