//go:build unix

package process

import (
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestOrphaned_onlyWhatSurelyIs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system: it has no /proc, which alone shows processes")
	}
	pid, start, namespace := hostParts(t)
	for marker, want := range map[string]bool{
		strings.Join([]string{pid, start, namespace, "/x"}, ":"):           false,
		strings.Join([]string{pid, start + "1", namespace, "/x"}, ":"):     true, // the pid was used again
		strings.Join([]string{"4194999", "1", namespace, "/x"}, ":"):       true,
		strings.Join([]string{"4194999", "1", "1" + namespace, "/x"}, ":"): false, // of another container
		strings.Join([]string{"4194999", "", namespace, "/x"}, ":"):        false,
		strings.Join([]string{"4194999", "1", "", "/x"}, ":"):              false,
		"":                  false,
		"x:1:" + namespace:  false,
		"4194999:1:/folder": false,
	} {
		if got := orphaned(marker); got != want {
			t.Errorf("%q: got %v, want %v", marker, got, want)
		}
	}
}

func hostParts(t *testing.T) (pid, start, namespace string) {
	t.Helper()
	parts := strings.Split(HostMarker(), ":")
	if len(parts) != 3 || parts[1] == "" || parts[2] == "" {
		t.Fatalf("got %q", HostMarker())
	}
	return parts[0], parts[1], parts[2]
}

func TestSweep_foldersThatMayBeInUseAreLeft(t *testing.T) {
	parent := t.TempDir()
	fresh := filepath.Join(parent, RunPrefix+"fresh") // no lock yet
	if err := os.Mkdir(fresh, 0o700); err != nil {
		t.Fatal(err)
	}
	target := t.TempDir()
	if err := os.WriteFile(filepath.Join(target, LockFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(parent, RunPrefix+"link")); err != nil {
		t.Fatal(err)
	}
	Sweep(slog.New(slog.DiscardHandler), parent)
	if !exists(fresh) || !exists(filepath.Join(target, LockFile)) {
		t.Error("a folder was removed that isn't an orphan's")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
