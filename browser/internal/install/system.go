package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// fromSystem installs a browser with apt-get: only when the caller allowed it, as root, on Debian or Ubuntu.
func (in *search) fromSystem(ctx context.Context, _ *Installation) (candidate, error) {
	if err := in.mayUseSystem(); err != nil {
		return candidate{}, err
	}
	if err := in.apt(ctx, "update"); err != nil {
		return candidate{}, err
	}
	var errs []error
	for _, name := range []string{"chromium-headless-shell", "chromium"} {
		if in.Kind == FullKind && isShell(name) {
			continue
		}
		in.progress("browser", "apt-get install "+name, 0, 0)
		if err := in.apt(ctx, "install", name); err != nil {
			errs = append(errs, err)
			continue
		}
		if path := filepath.Join("/usr/lib/chromium", name); exists(path) { // the program itself, not its wrapper
			return candidate{path: path, source: "Debian package " + name}, nil
		}
		if path, err := exec.LookPath(name); err == nil {
			return candidate{path: path, source: "Debian package " + name}, nil
		}
		errs = append(errs, fmt.Errorf("%s is installed but not on PATH", name))
	}
	return candidate{}, errors.Join(errs...)
}

// mayUseSystem returns why the system's packages must be left alone, nil if they may be installed.
func (in *installer) mayUseSystem() error {
	switch {
	case !in.System:
		return errors.New("not allowed: the option System is off")
	case in.Never:
		return errNever
	case runtime.GOOS != "linux" || in.s.geteuid() != 0:
		return errors.New("it needs root on Debian or Ubuntu")
	}
	release, _ := os.ReadFile("/etc/os-release")
	if _, err := exec.LookPath("apt-get"); err != nil || !strings.Contains(string(release), "debian") && !strings.Contains(string(release), "ubuntu") {
		return errors.New("this is neither Debian nor Ubuntu")
	}
	return nil
}

// apt runs apt-get without questions. Ending ctx lets a running dpkg finish first, so that no package is left half configured.
func (in *installer) apt(ctx context.Context, verb string, packages ...string) error {
	args := []string{"-q", "-y", "-o", "DPkg::Lock::Timeout=120", verb}
	if verb == "install" {
		args = append(args, "--no-install-recommends")
	}
	command := exec.CommandContext(ctx, "apt-get", append(args, packages...)...)
	command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("apt-get %s %s: %w: %s", verb, strings.Join(packages, " "), err, lastLine(out))
	}
	return nil
}
