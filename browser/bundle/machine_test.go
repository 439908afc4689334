package bundle

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What this machine has comes out of a bundle working, with its own libraries and loader; two packs of it are the same.
func TestPack_thisMachine(t *testing.T) {
	if os.Getenv("WINNOW_SOAK") == "" {
		t.Skip("WINNOW_SOAK=1 packs all that this machine has, twice")
	}
	if runtime.GOOS != "linux" {
		t.Skip("this system: its programs are not packed")
	}
	file := filepath.Join(t.TempDir(), "bundle.tar.zst")
	first := packTo(t, file)
	if second := packTo(t, file); first.SHA256 != second.SHA256 {
		t.Errorf("%s and %s", first.SHA256, second.SHA256)
	}
	t.Logf("%d bytes, %d files, without %+v", first.Size, len(first.Manifest.Entries), first.Manifest.Missing)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	done, err := Install(t.Context(), f, InstallOptions{CacheDir: t.TempDir(), SHA256: first.SHA256})
	if err != nil {
		t.Fatal(err)
	}
	for part, args := range map[string][]string{
		"sandbox": {"bwrap", "bubblewrap", "--version"}, "ocr": {"tesseract", "eng", "--list-langs"},
	} {
		if !slices.ContainsFunc(done.Manifest.Parts, func(p Part) bool { return p.Name == part }) {
			t.Errorf("no %s was packed: %+v", part, done.Manifest.Missing)
			continue
		}
		c := exec.Command(filepath.Join(done.CacheDir, part, args[0]), args[2])
		c.Env = []string{} // nothing but what the script sets
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), args[1]) {
			t.Errorf("%s: %v: %s", part, err, out)
		}
	}
}

func packTo(t *testing.T, file string) *Packed {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Pack(t.Context(), f, PackOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
