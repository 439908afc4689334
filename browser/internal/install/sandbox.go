package install

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// Sandbox installs the sandbox of sessions: bubblewrap. Where it is missing it is installed with apt-get, if System allows that, as
// root on Debian or Ubuntu. It is quick where bubblewrap is installed. Without a sandbox in the end the error is a
// *sandbox.UnavailableError, which names the fix; else ctx's.
func Sandbox(ctx context.Context, r Request) error {
	err := sandbox.Available(ctx)
	if _, missing := errors.AsType[*sandbox.UnavailableError](err); !missing || wrapperInstalled() {
		return err
	}
	in, err2 := newInstaller(r)
	if err2 != nil || in.mayUseSystem() != nil {
		return err
	}
	unlock, err2 := in.lock(ctx)
	if err2 != nil {
		return err2
	}
	defer unlock()
	in.progress("sandbox", "apt-get install bubblewrap", 0, 0)
	for _, step := range [][]string{{"update"}, {"install", "bubblewrap"}} {
		if err := in.apt(ctx, step[0], step[1:]...); err != nil {
			return &sandbox.UnavailableError{Reason: "bubblewrap could not be installed: " + err.Error(), Fix: "install it by hand"}
		}
	}
	return sandbox.Available(ctx)
}

func wrapperInstalled() bool {
	_, err := sandbox.Program()
	return err == nil
}
