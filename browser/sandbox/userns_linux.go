package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"sync"
)

// disabling remembers of each bubblewrap whether it can end the making of user namespaces.
var disabling = struct {
	mu    sync.Mutex
	works map[string]bool // by its path
}{works: map[string]bool{}}

// disableWords are the arguments with which bubblewrap itself ends the making of user namespaces: the filter alone could leave out a way
// that a later kernel has.
var disableWords = []string{"--disable-userns", "--assert-userns-disabled"}

// disable returns these arguments where bubblewrap knows them and works with them: they need a writable /proc/sys, and where they fail
// the sandbox does without. One run per process finds out, again only if it didn't come to an end of its own.
func disable(ctx context.Context, bwrap string, s Spec) []string {
	if s.OwnSandbox {
		return nil
	}
	disabling.mu.Lock()
	defer disabling.mu.Unlock()
	works, known := disabling.works[bwrap]
	if !known {
		err := Try(ctx, bwrap, append(System(), disableWords...)...)
		works = err == nil
		if exit, ok := errors.AsType[*exec.ExitError](err); works || ok && exit.Exited() {
			disabling.works[bwrap] = works
		}
	}
	if !works {
		return nil
	}
	return disableWords
}
