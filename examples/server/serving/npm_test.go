package serving

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// npmPatience is for an install over a slow line.
const npmPatience = 3 * time.Minute

// toolMissing skips a test; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func toolMissing(t testing.TB, what ...any) {
	t.Helper()
	if os.Getenv("WINNOW_REQUIRE_TOOLS") != "" {
		t.Fatal(what...)
	}
	t.Skip(what...)
}

// npmPackages installs packages, given with their versions and, before them, flags of npm's, and gives the folder with their node_modules. They are kept in the user's
// cache: a folder there is whole, as it is moved to its place once npm has ended. The test is skipped where npm or the network is missing.
func npmPackages(t *testing.T, packages ...string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		toolMissing(t, "npm is missing: the existing clients come from there")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		toolMissing(t, "no cache folder for the existing clients: ", err)
	}
	cache = filepath.Join(cache, "winnow", "clients")
	home := filepath.Join(cache, strings.NewReplacer("@", "-", "/", "-", ":", "-").Replace(strings.Join(packages, "+")))
	if _, err := os.Stat(home); err == nil {
		return home
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(cache, "installing-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	if out, err := npmInstall(t.Context(), npm, work, packages); err != nil {
		toolMissing(t, fmt.Sprintf("npm can't install %v (no network?): %v\n%s", packages, err, out))
	}
	if err := os.Rename(work, home); err != nil && !isDir(home) { // another test run may have been faster
		t.Fatal(err)
	}
	return home
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// npmInstall runs no scripts of the packages: these clients need none.
func npmInstall(ctx context.Context, npm, dir string, packages []string) ([]byte, error) {
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o644); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, npmPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock",
		"--prefer-offline", "--loglevel=error", "--save-exact"}, packages...)...)
	cmd.Dir, cmd.WaitDelay = dir, 10*time.Second
	return cmd.CombinedOutput()
}

// oldestNode has the WebSocket of the web behind a flag; newer ones have it without.
var oldestNode = [2]int{20, 10}

// needNode finds a node that the clients run in.
func needNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		toolMissing(t, "node is missing: the existing clients are run by it")
	}
	out, err := exec.CommandContext(t.Context(), node, "--version").Output()
	if err != nil {
		toolMissing(t, "node --version: ", err)
	}
	version := strings.Split(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	major, _ := strconv.Atoi(version[0])
	minor := 0
	if len(version) > 1 {
		minor, _ = strconv.Atoi(version[1])
	}
	if major < oldestNode[0] || major == oldestNode[0] && minor < oldestNode[1] {
		toolMissing(t, fmt.Sprintf("node %s is too old for the existing clients: want %d.%d or later", out, oldestNode[0], oldestNode[1]))
	}
	return node
}
