package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// UnavailableError says why nothing can be run in a sandbox on this machine, and how to change that.
type UnavailableError struct {
	Reason string // what is missing or refused
	Mend   string // what to do about it
}

// Error names the reason and what to do.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("no sandbox: %s; %s", e.Reason, e.Mend)
}

// Available reports, by running a program that does nothing, whether Start can work: nil, an *UnavailableError, or ctx's error. It takes some 10
// ms; the answer holds as long as nothing is installed or configured.
func Available(ctx context.Context) error {
	if runtime.GOOS != "linux" {
		return &UnavailableError{Reason: "bubblewrap needs Linux", Mend: "run on Linux"}
	}
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return notInstalled()
	}
	command := exec.CommandContext(ctx, bwrap, append(Spec{}.Words(), "--", "/bin/sh", "-c", ":")...)
	command.Env = []string{}
	var said bytes.Buffer
	command.Stderr = &said
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("look for a sandbox: %w", context.Cause(ctx))
		}
		return refused(err, said.String())
	}
	return nil
}

func notInstalled() error {
	return &UnavailableError{
		Reason: "bubblewrap is not installed",
		Mend:   "install it, for example with: apt-get install bubblewrap",
	}
}

// refused explains why a bubblewrap that is installed can't do its work.
func refused(err error, said string) error {
	reason := strings.TrimSpace(said)
	if reason == "" {
		reason = err.Error()
	}
	var exit *exec.ExitError
	mend := "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces over 0); " +
		"inside a container that needs a profile that allows unshare and mount"
	if !errors.As(err, &exit) {
		mend = "make sure that bwrap can be executed"
	}
	return &UnavailableError{Reason: "bubblewrap does not work here: " + reason, Mend: mend}
}
