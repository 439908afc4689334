//go:build unix

package install

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

func TestShellCommand_keepsTheOneProgramOfThisSystem(t *testing.T) {
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
	request, cache := requestFor(registry.URL), t.TempDir()
	request.seams.command = npmPackage{name: "agent-browser", version: "0.0.1", integrity: integrityOf(tarball)}
	for range 2 {
		program, err := ShellCommand(testContext(t), request.in(cache))
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
	request.seams.command.integrity, cache = integrityOf(nil), t.TempDir()
	for _, never := range []bool{true, false} {
		request.Never = never
		_, err := ShellCommand(testContext(t), request.in(cache))
		if failed, ok := errors.AsType[*Error](err); !ok || failed.Missing != "agent-browser" {
			t.Errorf("never %t: got %v", never, err)
		}
		if never && asked != 1 {
			t.Errorf("never %t: %d downloads", never, asked)
		}
		noLeftovers(t, cache)
	}
}
