package launch

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// Isolation is how a browser is isolated from the rest of the machine.
type Isolation string

const (
	// Own is Chromium's own, which every user but root can have.
	Own Isolation = "chromium"
	// Wrapped is Chromium's own inside a container of bubblewrap, in which root is an ordinary user.
	Wrapped Isolation = "bubblewrap"
	// None is --no-sandbox.
	None Isolation = "none"
	// Remote is that of a browser that runs elsewhere.
	Remote Isolation = "remote"
)

// WrapperWorks reports whether bubblewrap is installed and the system lets it make namespaces.
func WrapperWorks(ctx context.Context) bool {
	if runtime.GOOS != "linux" {
		return false
	}
	path, err := sandbox.Program()
	if err != nil {
		return false
	}
	return sandbox.Try(ctx, path, sandbox.System()...) == nil
}

// wrapper returns the shell words that start the browser inside the container, from which it may use the network: the proxy is on
// loopback. Nothing of the host's environment gets in, not even into bubblewrap's own, which can be read inside.
func (f *Folder) wrapper(inst *install.Installation) string {
	bwrap, err := sandbox.Program()
	if err != nil {
		bwrap = "bwrap" // its start then fails
	}
	args := append([]string{"env", "-i", process.MarkerVariable + "=" + f.Marker(), bwrap}, append(sandbox.System(), "--tmpfs", "/tmp")...)
	for _, bind := range binds(inst) {
		args = append(args, "--ro-bind", bind.From, bind.From)
	}
	args = append(args, "--bind", f.Tmp(), f.Tmp(), "--chdir", f.Tmp(), "--clearenv")
	for name, value := range map[string]string{
		"HOME": f.Tmp(), "TMPDIR": f.browserTmp(), "PATH": "/usr/bin:/bin", process.MarkerVariable: f.Marker(), "LANG": os.Getenv("LANG"), "TZ": os.Getenv("TZ"),
		"LD_LIBRARY_PATH": inst.LibraryPath, "FONTCONFIG_PATH": inst.FontConfig,
	} {
		if value != "" {
			args = append(args, "--setenv", name, value)
		}
	}
	return process.QuoteAll(args) + " -- "
}

// binds are what the browser needs beside the system: its own folder, libraries and fonts, and the user's.
func binds(inst *install.Installation) (all []sandbox.Bind) {
	if home, err := os.UserHomeDir(); err == nil {
		for _, fonts := range []string{filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts")} {
			if _, err := os.Stat(fonts); err == nil {
				all = append(all, sandbox.Bind{From: fonts})
			}
		}
	}
	for _, dir := range []string{realDir(inst.Executable), filepath.Dir(inst.Executable), inst.LibraryPath, inst.FontConfig} {
		if dir != "" && !strings.HasPrefix(dir+"/", "/usr/") {
			all = append(all, sandbox.Bind{From: dir})
		}
	}
	return all
}

// realDir is the folder of a program behind all links.
func realDir(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return filepath.Dir(real)
}
