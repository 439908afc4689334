package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// damaged expects that a bundle is refused and leaves the cache folder as it was.
func damaged(t *testing.T, what string, bundle []byte) error {
	t.Helper()
	cache := t.TempDir()
	write(t, "before", 0o644, cache, "filters", "list.txt")
	_, err := Install(t.Context(), bytes.NewReader(bundle), InstallOptions{CacheDir: cache})
	if err == nil {
		t.Errorf("%s: it was installed", what)
	}
	if got := files(t, cache); len(got) != 1 || got["filters/list.txt"] != "before" {
		t.Errorf("%s: %q is left", what, got)
	}
	return err
}

// Each bit that is another, and each end that comes too early, is noticed before anything is put into place.
func TestInstall_damageIsNoticed(t *testing.T) {
	t.Parallel()
	bundle, _ := packed(t, PackOptions{CacheDir: t.TempDir(), Filters: []string{write(t, strings.Repeat("||ads.example^\n", 50), 0o600, t.TempDir(), "list.txt")}})
	for i := 0; i < len(bundle); i += 5 {
		other := bytes.Clone(bundle)
		other[i] ^= 1 << (i % 8)
		damaged(t, "a bit", other)
		if err := damaged(t, "a cut", bundle[:i]); err != nil && !strings.Contains(err.Error(), "damaged") {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	err := damaged(t, "bytes behind", append(bytes.Clone(bundle), bundle...))
	if wrong, ok := errors.AsType[*CorruptError](err); !ok || wrong.Error() == "" {
		t.Errorf("got %v", err)
	}
}

// A cut file is refused by the name of the entry.
func TestInstall_namesTheDamagedEntry(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 1<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ { // which doesn't compress
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	bundle, _ := packed(t, PackOptions{CacheDir: t.TempDir(), Filters: []string{write(t, string(noise), 0o600, t.TempDir(), "list.txt")}})
	err := damaged(t, "a cut", bundle[:len(bundle)/2])
	if wrong, ok := errors.AsType[*CorruptError](err); !ok || wrong.Entry != "filters/list.txt" || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("got %v", err)
	}
}

func TestInstall_anotherThanTheOneThatWasPacked(t *testing.T) {
	t.Parallel()
	bundle, p := packed(t, PackOptions{CacheDir: t.TempDir()})
	_, err := Install(t.Context(), bytes.NewReader(bundle), InstallOptions{CacheDir: t.TempDir(), SHA256: strings.Repeat("0", 64)})
	if err == nil || !strings.Contains(err.Error(), p.SHA256) {
		t.Errorf("got %v", err)
	}
}

// forged is a bundle by hand: a manifest, and files that may not be what it says.
type forged struct {
	manifest Manifest
	entries  []tar.Header
	text     string // of each file
}

// forge is a bundle with one filter list, for change to make wrong.
func forge(change func(*forged)) []byte {
	const text = "||ads.example^"
	sum := sha256.Sum256([]byte(text))
	file := func(name string) Entry {
		return Entry{Path: name, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:]), Origin: "given"}
	}
	f := &forged{text: text, manifest: Manifest{
		Format: Format, System: runtime.GOOS, Processor: runtime.GOARCH, SBOM: file(sbomName),
		Parts: []Part{{Name: "filters", Folder: "filters", Origin: "given"}}, Entries: []Entry{file("filters/a"), file("filters/b")},
	}}
	for _, name := range []string{sbomName, "filters/a", "filters/b"} {
		f.entries = append(f.entries, tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))})
	}
	change(f)
	return f.archive()
}

// archive has what a writer of this package would refuse to write.
func (f *forged) archive() []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	manifest, _ := json.Marshal(f.manifest)
	_ = w.WriteHeader(&tar.Header{Name: manifestName, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(manifest))})
	_, _ = w.Write(manifest)
	for _, h := range f.entries {
		if err := w.WriteHeader(&h); err != nil {
			continue
		}
		_, _ = io.WriteString(w, f.text[:min(int64(len(f.text)), h.Size)])
	}
	_ = w.Close()
	return out.Bytes()
}

func compressed(t *testing.T, archive []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(archive); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sealOf(sum[:])...)
}

func TestInstall_refusesWhatPackNeverWrites(t *testing.T) {
	t.Parallel()
	if _, err := Install(t.Context(), bytes.NewReader(compressed(t, forge(func(*forged) {}))), InstallOptions{CacheDir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	rename := func(name string) func(*forged) {
		return func(f *forged) { f.manifest.Entries[1].Path, f.entries[2].Name = name, name }
	}
	for want, change := range map[string]func(*forged){
		"filters/../../x":           rename("filters/../../x"),
		"unsafe path: \"/filters/b": rename("/filters/b"),
		`filters/a\\b`:              rename(`filters/a\b`),
		"filters//b":                rename("filters//b"),
		"filters/\\x1b":             rename("filters/\x1b[2J"),
		"no part's folder":          rename("node/x"),
		"lies in no part's":         rename("filters"),
		"named twice":               rename("filters/a"),
		"out of order":              rename("filters/0"),
		"kind '2'": func(f *forged) {
			f.entries[2].Typeflag, f.entries[2].Linkname, f.entries[2].Size = tar.TypeSymlink, "/etc/passwd", 0
		},
		"kind '1'": func(f *forged) {
			f.entries[2].Typeflag, f.entries[2].Linkname, f.entries[2].Size = tar.TypeLink, "a", 0
		},
		"kind '5'":                  func(f *forged) { f.entries[2].Typeflag, f.entries[2].Size = tar.TypeDir, 0 },
		"not those of the manifest": func(f *forged) { f.manifest.Entries[1].SHA256 = strings.Repeat("00", 32) },
		"has no SHA-256":            func(f *forged) { f.manifest.Entries[1].SHA256 = "00" },
		"of 13 bytes":               func(f *forged) { f.entries[2].Size-- },
		"has -1 bytes":              func(f *forged) { f.manifest.Entries[0].Size = -1 },
		"over 8589934592 bytes": func(f *forged) {
			for i := range 5 {
				e := f.manifest.Entries[0]
				e.Path, e.Size = "filters/big"+string(rune('0'+i)), maxEntry
				f.manifest.Entries = append(f.manifest.Entries, e)
			}
		},
		"doesn't name the file":       func(f *forged) { f.entries = append(f.entries, tar.Header{Name: "filters/c", Typeflag: tar.TypeReg}) },
		"at filters/b: it is cut off": func(f *forged) { f.entries = f.entries[:2] },
		`in its place`:                func(f *forged) { f.entries[1], f.entries[2] = f.entries[2], f.entries[1] },
		"want \"winnow-bundle/1\"":    func(f *forged) { f.manifest.Format = "winnow-bundle/2" },
		"is for plan9":                func(f *forged) { f.manifest.System = "plan9" },
		"with the same version":       func(f *forged) { f.manifest.Parts[0] = Part{Name: "driver", Folder: "driver-0.1"} },
		"this program wants \"\"":     func(f *forged) { f.manifest.Parts[0].Name = "anything" },
		"the part filters is named":   func(f *forged) { f.manifest.Parts = append(f.manifest.Parts, f.manifest.Parts[0]) },
		"describe the file":           func(f *forged) { f.manifest.SBOM.Path = "sbom" },
	} {
		if err := damaged(t, want, compressed(t, forge(change))); err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
}

// A part takes the place of the one before; what isn't in the bundle stays. Interrupted, everything stays.
func TestInstall_replacesAPartAtOnce(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	write(t, "old", 0o644, cache, "filters", "old.txt")
	write(t, "fonts", 0o644, cache, "fonts", "fonts.conf")
	write(t, "left behind", 0o644, cache, "unfinished-1", "x")
	bundle := compressed(t, forge(func(*forged) {}))
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Install(over, bytes.NewReader(bundle), InstallOptions{CacheDir: cache}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := files(t, cache); got["filters/old.txt"] != "old" {
		t.Errorf("interrupted: %q", got)
	}
	if _, err := Install(t.Context(), bytes.NewReader(bundle), InstallOptions{CacheDir: cache}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"filters/a": "||ads.example^", "filters/b": "||ads.example^", "fonts/fonts.conf": "fonts"}
	if got := files(t, cache); !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// based has a base in its cache folder, as after an installation.
func based(t *testing.T) *Installed {
	t.Helper()
	i := &Installed{CacheDir: t.TempDir()}
	for _, name := range []string{"bin/sh", "lib/x/libc.so.6", "lib/x/libstdc++.so.6", "lib64/ld-linux-x86-64.so.2", "licenses/libc6"} {
		write(t, "base's "+name, 0o755, i.CacheDir, "base", filepath.FromSlash(name))
		sum := sha256.Sum256([]byte("base's " + name))
		i.Manifest.Entries = append(i.Manifest.Entries, Entry{Path: "base/" + name, SHA256: hex.EncodeToString(sum[:]), Program: true})
	}
	return i
}

func TestInstall_theBaseFillsWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		there map[string]string
		added string
	}{
		"an empty container": {nil, "bin/sh lib/x/libc.so.6 lib/x/libstdc++.so.6 lib64/ld-linux-x86-64.so.2"},
		"another C library":  {map[string]string{"lib/x/libc.so.6": "other"}, "bin/sh lib/x/libstdc++.so.6"},
		"the same C library": {map[string]string{"lib/x/libc.so.6": "base's lib/x/libc.so.6", "bin/sh": "another"}, "lib/x/libstdc++.so.6 lib64/ld-linux-x86-64.so.2"},
	} {
		root, i := t.TempDir(), based(t)
		for file, text := range c.there {
			write(t, text, 0o755, root, filepath.FromSlash(file))
		}
		if err := i.fillSystem(root); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for file, text := range c.there {
			want[file+"*"] = text
		}
		for file := range strings.FieldsSeq(c.added) {
			want[file+"*"] = "base's " + file
		}
		if got := files(t, root); !maps.Equal(got, want) || len(i.System) != len(strings.Fields(c.added)) {
			t.Errorf("%s: got %q, want %q; said %q", name, got, want, i.System)
		}
		for _, dir := range []string{"tmp", "usr"} {
			if _, err := os.Stat(filepath.Join(root, dir)); err != nil {
				t.Error(err)
			}
		}
	}
}

// Whatever an archive says, nothing is written outside of the folder, and what is accepted is what its manifest says.
func FuzzInstall(f *testing.F) {
	f.Add(forge(func(*forged) {}))
	f.Add(forge(func(f *forged) { f.manifest.Entries[1].Path, f.entries[2].Name = "filters/../../x", "filters/../../x" }))
	f.Add(forge(func(f *forged) { f.entries[2].Typeflag, f.entries[2].Linkname = tar.TypeSymlink, ".." }))
	f.Add([]byte("no archive"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		outside := t.TempDir()
		dir := filepath.Join(outside, "in", "side")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		m, err := unpackTar(t.Context(), bytes.NewReader(archive), root)
		for name, text := range files(t, outside) {
			below, inside := strings.CutPrefix(strings.TrimSuffix(name, "*"), "in/side/")
			if !inside {
				t.Fatalf("%s was written", name)
			}
			if err == nil && below != sbomName && !m.has(below, text) {
				t.Fatalf("%s is not what the manifest says", below)
			}
		}
	})
}

func (m *Manifest) has(name, text string) bool {
	sum := sha256.Sum256([]byte(text))
	for _, e := range m.Entries {
		if e.Path == name {
			return e.SHA256 == hex.EncodeToString(sum[:])
		}
	}
	return false
}
