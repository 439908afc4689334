//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// install writes a peer's program into its folder, and runs the commands there unless what they make exists.
func install(ctx context.Context, folder, program, as, made string, commands ...[]string) (string, error) {
	source, err := programs.ReadFile("peers/" + program)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(folder, as)
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(folder, made)); err == nil {
		return file, nil
	}
	for _, line := range commands {
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%v: %w\n%s", line, err, out)
		}
	}
	return file, nil
}
