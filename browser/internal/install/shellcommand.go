package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// commandPackage is a command for shells that drives a browser. Of its programs for several systems only the one for this system is
// unpacked.
var commandPackage = npmPackage{
	name: "agent-browser", version: "0.41.2", size: 54_500_000,
	integrity: "sha512-/agCKB5rw1EEK8SKWo4zid7a5kOwlclqALC0P3c69buJvKdhrl/dJkKdfLqGGaiNIbWzRdqqT0PxZVkwVEf2fg==",
}

// ShellCommand installs the npm package agent-browser, a command for shells that drives a browser, and returns its program. If it is
// installed already the call is quick. Executable, System and Probe have no meaning here. It returns an *Error or ctx's error.
func ShellCommand(ctx context.Context, r Request) (string, error) {
	in, err := newInstaller(r)
	if err != nil {
		return "", err
	}
	target := filepath.Join(in.cache, "command-"+in.s.command.version)
	program := filepath.Join(target, "agent-browser")
	if exists(program) {
		return program, nil
	}
	unlock, err := in.lock(ctx)
	if err != nil {
		return "", fmt.Errorf("install the shell's browser command: %w", err)
	}
	defer unlock()
	if exists(program) { // another process was faster
		return program, nil
	}
	err = errNever
	if !in.Never {
		err = in.downloadCommand(ctx, target)
	}
	if err == nil {
		return program, nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("install the shell's browser command: %w", context.Cause(ctx))
	}
	in.failed("the npm package "+in.s.command.String(), err)
	return "", in.fail("agent-browser", "npm config set registry <a registry that this machine reaches>")
}

func (in *installer) downloadCommand(ctx context.Context, target string) error {
	name := commandFile()
	if name == "" {
		return errors.New("there is no such package for " + runtime.GOOS + " " + runtime.GOARCH)
	}
	defer in.downloads.close()
	keep := func(file string) bool { return file == name || file == "LICENSE" }
	return in.downloads.unpackTo(ctx, "command", in.s.command, target, keep, func(dir string) error {
		at := filepath.Join(dir, "agent-browser")
		return errors.Join(os.Rename(filepath.Join(dir, filepath.FromSlash(name)), at), os.Remove(filepath.Join(dir, "bin")), os.Chmod(at, 0o755))
	})
}

// commandFile is this system's program in the package, "" where there is none.
func commandFile() string {
	processors := map[string]string{"amd64": "x64", "arm64": "arm64"}
	processor, known := processors[runtime.GOARCH]
	if !known || runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return ""
	}
	return "bin/agent-browser-" + runtime.GOOS + "-" + processor
}
