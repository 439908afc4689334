package browser

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// Defaults of a session's Limits: of a browser, and its driver, together.
const (
	sessionMemory    = 2 << 30
	sessionProcesses = 1024
	sessionDisk      = 512 << 20
	sessionFiles     = 8192
)

// SessionOptions of one session. Only Egress is required.
type SessionOptions struct {
	// Install controls where driver and browser come from, as in Options.
	Install InstallOptions
	// Headless is the kind of browser, as in Options.
	Headless string
	// Args are further switches of the browser, and Pin a certificate authority that its pages trust, as in Options.
	Args []string
	Pin  string
	// Page is how the session's tabs look and what they begin with. Proxy must be empty, and Headers too.
	Page PageOptions
	// Egress is the only way out, fixed until the session is closed: the absolute path of the Unix socket of a proxy. It must exist, and
	// is used until Close. With Unsandboxed it is the proxy's address instead, "http://127.0.0.1:port".
	Egress string
	// Unsandboxed runs driver and browser as those of a pool are run: every client of the session's sockets can then read and write this
	// machine's files as this program's user, and reach any address. Only for code that is trusted as the host program is.
	Unsandboxed bool
	// Limits of driver and browser together. Defaults: 2 GiB of memory, 1024 processes and threads, 512 MiB in each temporary folder,
	// 8192 open files, else those of package sandbox. Where a control group (version 2) is delegated to this program, the kernel holds to
	// memory and processes, too. Not applied to an unsandboxed session.
	Limits sandbox.Limits
	// Logger is silent by default.
	Logger *slog.Logger
}

// plan checks the options that are a session's own.
func (o *SessionOptions) plan() (*launch.Session, error) {
	if o.Page.Proxy != "" || len(o.Page.Headers) > 0 {
		return nil, &OptionError{"Page", "Proxy or Headers", "neither: a session goes through Egress, and its tabs go anywhere"}
	}
	if o.Page.Judge != nil {
		return nil, &OptionError{"Page", "Judge", "none: code may take a session's tabs, and requests that are held would wait for ever"}
	}
	l := o.Limits
	for _, value := range []int64{int64(l.CPU), int64(l.Processes), l.FileSize, int64(l.OpenFiles), l.Memory, l.Disk} {
		if value < 0 {
			return nil, &OptionError{"Limits", fmt.Sprint(value), "0 (the default) or more"}
		}
	}
	o.limits()
	if o.Unsandboxed {
		if err := checkProxy("Egress", o.Egress); err != nil {
			return nil, err
		}
		return launch.Unsandboxed(o.Egress)
	}
	info, err := os.Stat(o.Egress)
	if err != nil || info.Mode().Type() != os.ModeSocket || !strings.HasPrefix(o.Egress, "/") {
		return nil, &OptionError{"Egress", o.Egress, "the absolute path of a Unix socket"}
	}
	return launch.Sandboxed(o.Egress, o.Limits), nil
}

func (o *SessionOptions) limits() {
	l := &o.Limits
	if l.Memory == 0 {
		l.Memory = sessionMemory
	}
	if l.Processes == 0 {
		l.Processes = sessionProcesses
	}
	if l.Disk == 0 {
		l.Disk = sessionDisk
	}
	if l.OpenFiles == 0 {
		l.OpenFiles = sessionFiles
	}
}
