//go:build unix

package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/install"
)

func needsNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		if testing.Short() {
			t.Skip("-short: needs Node.js")
		}
		t.Fatal("needs Node.js on PATH")
	}
	// The user's cache may hold a real driver.
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// fakeDriver makes the folder of a driver that only knows its version.
func fakeDriver(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json":      `{"version": "` + install.DriverVersion + `"}`,
		"cli.js":            `console.log("Version ` + install.DriverVersion + `")`,
		"lib/coreBundle.js": "a = pageError.location.url",
	} {
		file := filepath.Join(dir, "package", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPool_failedInstallationIsRememberedForAWhile(t *testing.T) {
	needsNode(t)
	var ahead atomic.Int64
	var tests int
	probe := func(context.Context, *install.Installation) (install.ProbeResult, error) {
		tests++
		return install.ProbeResult{}, errors.New("broken")
	}
	pool := NewPool(Options{
		Install: InstallOptions{CacheDir: t.TempDir(), DriverDir: fakeDriver(t), Executable: "/bin/sh", probe: probe},
		seams:   poolSeams{now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }},
	})
	defer pool.Close()
	for range 3 {
		var failed *InstallError
		if err := pool.Prepare(testContext(t)); !errors.As(err, &failed) || failed.Missing != "browser" || len(failed.Tried) != 1 {
			t.Errorf("got %v, want an InstallError", err)
		}
	}
	ahead.Store(int64(installErrorAge))
	_ = pool.Prepare(testContext(t))
	if tests != 2 {
		t.Errorf("got %d tests of the browser, want 2", tests)
	}
}

func TestPool_hasNoConsentRulesBeforeTheInstallation(t *testing.T) {
	if got := ownPool(t, Options{}).consentRules(); got != "" {
		t.Errorf("got %q", got)
	}
}
