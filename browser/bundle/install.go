package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-go/winnow/browser/internal/install"
)

// InstallOptions of one installation. The zero value works.
type InstallOptions struct {
	// CacheDir is where the parts go. Defaults to "winnow" in the user's cache folder; only there are the sandbox and the text recognition
	// found without PATH.
	CacheDir string
	// SHA256 is that of the bundle, as 64 hexadecimal digits, which Pack returned. "" accepts any bundle that is whole.
	SHA256 string
	// System puts the part base below /, where a file of it is missing: what an empty container needs. It never replaces a file, and where
	// there is a C library of another origin, none of base's comes beside it. It needs the right to write there.
	System bool
}

// Installed is what came of an installation.
type Installed struct {
	Manifest Manifest
	CacheDir string
	SHA256   string   // of the bundle
	Modules  string   // the folder of the Go modules, for GOPROXY=file://…; "" without
	System   []string // the files that System has added
}

// Filters are the filter lists that a bundle has brought into the cache folder, for engine.Options.FilterLists. "" is the default folder.
func Filters(cacheDir string) []string {
	cache, err := install.Cache(cacheDir)
	if err != nil {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(cache, "filters", "*"))
	return files
}

// Install reads a bundle to its end and puts its parts into the cache folder, where they are looked for, each at once and in place of the
// one before. Before the last byte is verified nothing is put anywhere but into a temporary folder there, and nothing is executed. Other
// installations wait. A damaged bundle is a *CorruptError; one for another system or of another version of the program is another error;
// the cache folder is then as before. It needs less than 100 MB of memory, however large the bundle is.
func Install(ctx context.Context, r io.Reader, o InstallOptions) (*Installed, error) {
	cache, unlock, err := install.Lock(ctx, install.Request{CacheDir: o.CacheDir})
	if err != nil {
		return nil, fmt.Errorf("install a bundle: %w", err)
	}
	defer unlock()
	dir, err := os.MkdirTemp(cache, install.Unfinished)
	if err != nil {
		return nil, fmt.Errorf("install a bundle: %w", err)
	}
	defer os.RemoveAll(dir)
	done := &Installed{CacheDir: cache}
	if err := done.install(ctx, r, dir, o); err != nil {
		return nil, fmt.Errorf("install a bundle: %w", err)
	}
	return done, nil
}

func (i *Installed) install(ctx context.Context, r io.Reader, dir string, o InstallOptions) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	in := newSealed(r)
	m, err := unpack(ctx, in, root)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return err
	}
	i.Manifest, i.SHA256 = *m, in.sha256()
	if o.SHA256 != "" && !strings.EqualFold(o.SHA256, i.SHA256) {
		return &CorruptError{"", fmt.Errorf("its SHA-256 is %s, want %s", i.SHA256, o.SHA256)}
	}
	if err := i.place(dir); err != nil {
		return err
	}
	if !o.System {
		return nil
	}
	return i.fillSystem("/")
}

// place moves the folders of the parts from dir to the cache folder.
func (i *Installed) place(dir string) error {
	for n, p := range i.Manifest.Parts {
		target, old := filepath.Join(i.CacheDir, p.Folder), filepath.Join(dir, fmt.Sprintf("old-%d", n))
		if err := os.Rename(target, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.Rename(filepath.Join(dir, p.Folder), target); err != nil {
			return errors.Join(err, os.Rename(old, target))
		}
		if p.Name == "modules" {
			i.Modules = target
		}
	}
	return nil
}

// fillSystem copies the files of the base that are missing below a root folder.
func (i *Installed) fillSystem(root string) error {
	below, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer below.Close()
	foreign := i.foreignLibrary(below)
	for _, e := range i.Manifest.Entries {
		name, isBase := strings.CutPrefix(e.Path, "base/")
		if !isBase || strings.HasPrefix(name, "licenses/") || foreign && glibc(name) {
			continue
		}
		if _, err := below.Lstat(name); err == nil {
			continue
		}
		if err := addFile(below, name, filepath.Join(i.CacheDir, filepath.FromSlash(e.Path)), e.mode()); err != nil {
			return err
		}
		i.System = append(i.System, filepath.Join(root, name))
	}
	return addFolders(below)
}

// addFolders makes the folders that scripts, browsers and the sandbox take for granted.
func addFolders(below *os.Root) error {
	for name, mode := range map[string]os.FileMode{"tmp": 0o777 | fs.ModeSticky, "usr": 0o755} {
		if _, err := below.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := errors.Join(below.Mkdir(name, 0o755), below.Chmod(name, mode)); err != nil {
			return err
		}
	}
	return nil
}

// foreignLibrary reports that there is a C library that isn't the base's.
func (i *Installed) foreignLibrary(below *os.Root) bool {
	for _, e := range i.Manifest.Entries {
		name, isBase := strings.CutPrefix(e.Path, "base/")
		if !isBase || !glibc(name) {
			continue
		}
		f, err := below.Open(name)
		if err != nil {
			continue
		}
		hash := sha256.New()
		_, err = io.Copy(hash, f)
		f.Close()
		if err != nil || hex.EncodeToString(hash.Sum(nil)) != e.SHA256 {
			return true
		}
	}
	return false
}

// addFile copies a file to a place where there is none, whole or not at all.
func addFile(below *os.Root, name, from string, mode os.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := below.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	part := name + ".winnow-unfinished"
	out, err := below.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err == nil {
		err = below.Rename(part, name)
	}
	if err != nil {
		_ = below.Remove(part)
	}
	return err
}
