//go:build unix

package browser

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

func TestInstallShellCommand_keepsTheOneProgramOfThisSystem(t *testing.T) {
	if commandFile() == "" {
		t.Skip("this system: the package has no program for it")
	}
	tarball := gzipped(tarOf(
		file{name: "package/" + commandFile(), text: "#!/bin/sh\n"}, // as in the real one, it can't be executed
		file{name: "package/bin/agent-browser-win32-x64.exe", text: "not wanted"},
		file{name: "package/LICENSE", text: "licence"},
	))
	asked := 0
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write(tarball)
	}))
	defer registry.Close()
	seams, cache := seamsFor(registry.URL), t.TempDir()
	seams.command = npmPackage{name: "agent-browser", version: "0.0.1", integrity: integrityOf(tarball)}
	for range 2 {
		program, err := InstallShellCommand(testContext(t), InstallOptions{CacheDir: cache, seams: seams})
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(program)
		if err != nil || info.Mode().Perm()&0o111 == 0 {
			t.Errorf("the program: %v, %v", info, err)
		}
		entries, _ := os.ReadDir(filepath.Dir(program))
		if len(entries) != 2 || asked != 1 {
			t.Errorf("kept %v after %d downloads", entries, asked)
		}
	}
	seams.command.integrity, cache = integrityOf(nil), t.TempDir()
	for _, mode := range []InstallMode{InstallNever, InstallAuto} {
		_, err := InstallShellCommand(testContext(t), InstallOptions{CacheDir: cache, Mode: mode, seams: seams})
		if failed, ok := errors.AsType[*InstallError](err); !ok || failed.Missing != "agent-browser" {
			t.Errorf("mode %q: got %v", mode, err)
		}
		if mode == InstallNever && asked != 1 {
			t.Errorf("mode %q: %d downloads", mode, asked)
		}
		noLeftovers(t, cache)
	}
}
