//go:build unix

package engine

import (
	"syscall"
	"testing"
)

// killBrowsers ends the engine's browsers and returns how many.
func killBrowsers(t *testing.T, e *Engine) (n int) {
	t.Helper()
	for _, pid := range ownPids(e) {
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}
