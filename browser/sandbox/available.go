package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// UnavailableError means that nothing can be run in a sandbox on this machine, and how to change that.
type UnavailableError struct {
	Reason string // what is missing or refused
	Fix    string // how to fix it
}

// Error names the reason and the fix.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("no sandbox: %s; %s", e.Reason, e.Fix)
}

// Available reports, by running a program that does nothing, whether Start can work: nil, an *UnavailableError, or ctx's error. It
// takes some 10 ms; the answer holds as long as nothing is installed or configured.
func Available(ctx context.Context) error {
	var said bytes.Buffer
	p, err := Start(ctx, Spec{Args: []string{"/bin/true"}, Stderr: &said})
	code := 0
	if err == nil {
		code, err = p.Wait()
	}
	var missing *UnavailableError
	switch {
	case err == nil && code == 0, errors.As(err, &missing):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("look for a sandbox: %w", context.Cause(ctx))
	case err == nil:
		err = fmt.Errorf("it ended with %d", code)
	}
	return refused(err, said.String())
}

// Program is bubblewrap: the one on PATH, else the one that a bundle (package browser/bundle) has put into the user's cache folder. It
// returns an *UnavailableError where there is none.
func Program() (string, error) {
	if path, err := exec.LookPath("bwrap"); err == nil {
		return path, nil
	}
	if cache, err := os.UserCacheDir(); err == nil {
		if path, err := exec.LookPath(filepath.Join(cache, "winnow", "sandbox", "bwrap")); err == nil {
			return path, nil
		}
	}
	return "", notInstalled()
}

func notInstalled() error {
	return &UnavailableError{
		Reason: "bubblewrap is not installed",
		Fix:    "install it: sudo apt-get install -y bubblewrap   # Debian, Ubuntu",
	}
}

// refused explains why an installed bubblewrap doesn't work.
func refused(err error, said string) error {
	reason := strings.TrimSpace(said)
	if reason == "" {
		reason = err.Error()
	}
	fix := "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces over 0); " +
		"inside a container that needs a profile that allows unshare and mount"
	return &UnavailableError{Reason: "bubblewrap does not work here: " + reason, Fix: fix}
}
