//go:build unix

package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() { helpers["readonly"] = openReadOnly }

const nobody = 65534

// openReadOnly opens as a user who may not write; root may always.
func openReadOnly(args []string) int {
	if err := os.Chdir(args[0]); err != nil { // while this is still allowed
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if os.Getuid() == 0 {
		if err := syscall.Setuid(nobody); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	_, err := OpenFile(args[1], FileOptions{Kind: "test"})
	fmt.Println(errors.Is(err, ErrReadOnly), errors.Is(err, fs.ErrPermission), err)
	return 0
}

func TestOpenFile_readOnlyIsAClearError(t *testing.T) {
	dir := t.TempDir()
	for path := dir; strings.HasPrefix(path, os.TempDir()+"/"); path = filepath.Dir(path) {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "test.db")
	mustClose(t, mustOpenFile(t, path, FileOptions{}))
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, 0o444), os.Mkdir(filepath.Join(dir, "closed"), 0o555)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"test.db", "closed/new.db", "closed/new/new.db"} {
		out, err := helperCommand(t, "readonly", dir, name).Output()
		if err != nil || !strings.HasPrefix(string(out), "true true cache: ") || !strings.Contains(string(out), path[:len(dir)]) {
			t.Errorf("%s: %s, %v", name, out, err)
		}
		t.Log(strings.TrimSpace(string(out)))
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file was changed: %v", err)
	}
}
