//go:build linux

package page

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAsset_leavesNoPartOnAFullDisk(t *testing.T) {
	folder := t.TempDir()
	place := filepath.Join(folder, "x.png")
	if err := os.Symlink("/dev/full", place); err != nil {
		t.Fatal(err)
	}
	got, err := (&Getter{AssetDir: folder}).Asset(false, "x", Image{MediaType: "image/png", Bytes: []byte("a picture")})
	if got != "" || !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "asset folder: ") {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := os.Lstat(place); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a part stays: %v", err)
	}
}
