package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// findNode returns the real executable of a Node.js that is new enough: the driver folder's, the system's, or a downloaded one.
func (in *installer) findNode(ctx context.Context) (string, error) {
	in.tried = nil
	own := filepath.Join(in.cache, "node-"+in.s.node.version)
	for _, path := range in.nodePlaces(own) {
		real, err := in.checkNode(ctx, path)
		if err == nil {
			return real, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		in.failed("Node.js at "+path, err)
	}
	err := errNever
	if !in.Never {
		err = in.downloadNode(ctx, own)
	}
	if err == nil {
		return in.checkNode(ctx, filepath.Join(own, nodeFile()))
	}
	in.failed("the npm package "+in.s.node.String(), err)
	return "", in.fail("node", "sudo apt-get install -y nodejs   # or any other way to a Node.js of version 18 or newer on PATH")
}

func (in *installer) nodePlaces(own string) []string {
	var places []string
	for _, dir := range []string{in.DriverDir, in.s.getenv("PLAYWRIGHT_DRIVER_PATH")} {
		if path := filepath.Join(dir, filepath.Base(nodeFile())); dir != "" && exists(path) {
			places = append(places, path)
		}
	}
	if path, err := exec.LookPath("node"); err == nil && !in.s.noSystemNode {
		places = append(places, path)
	}
	if path := filepath.Join(own, nodeFile()); exists(path) {
		places = append(places, path)
	}
	return places
}

func nodeFile() string {
	if runtime.GOOS == "windows" {
		return filepath.Join("bin", "node.exe")
	}
	return filepath.Join("bin", "node")
}

// checkNode runs a Node.js for its version and its real path: the one on PATH may be the shim of a version manager.
func (in *installer) checkNode(ctx context.Context, path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if known, ok := in.records.get("node", path); ok && known.OK && exists(known.Text) {
		return known.Text, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-p", "process.versions.node + '\\n' + process.execPath").Output()
	if err != nil {
		return "", err
	}
	version, real, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	first, _, _ := strings.Cut(version, ".")
	number, err := strconv.Atoi(first)
	if err != nil || !exists(real) {
		return "", fmt.Errorf("it answers %q", lastLine(out))
	}
	if number < minNode {
		return "", fmt.Errorf("version %s, want %d or newer", version, minNode)
	}
	in.records.put("node", path, record{OK: true, Text: real})
	return real, nil
}

// downloadNode unpacks the one program of the npm package, and its license.
func (in *installer) downloadNode(ctx context.Context, own string) error {
	if in.s.node.name == "" {
		return errors.New("there is no such package for " + runtime.GOOS + " " + runtime.GOARCH)
	}
	program := filepath.ToSlash(nodeFile())
	keep := func(name string) bool { return name == program || name == "LICENSE" }
	return in.downloads.unpackTo(ctx, "node", in.s.node, own, keep, func(dir string) error {
		return os.Chmod(filepath.Join(dir, nodeFile()), 0o755)
	})
}
