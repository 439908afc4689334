package install

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unpack writes the regular files of an npm tarball that keep accepts, without the leading "package/". Links and odd names are refused.
func unpack(ctx context.Context, file, dir string, keep func(string) bool) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return unpackTar(ctx, z, dir, func(name string) string {
		_, name, _ = strings.Cut(name, "/")
		if !keep(name) {
			return ""
		}
		return name
	})
}

// unpackTar writes the files of a tar stream for which place returns a path below dir.
func unpackTar(ctx context.Context, r io.Reader, dir string, place func(string) string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	archive, left := tar.NewReader(r), int64(maxUnpacked)
	for range maxFiles {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if left -= h.Size; left < 0 {
			return fmt.Errorf("over %d bytes unpacked", int64(maxUnpacked))
		}
		if err := unpackEntry(archive, h, dir, place); err != nil {
			return err
		}
	}
	return fmt.Errorf("over %d files", maxFiles)
}

func unpackEntry(archive io.Reader, h *tar.Header, dir string, place func(string) string) error {
	name := ""
	if h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeSymlink {
		name = place(h.Name)
	}
	if name == "" {
		return nil
	}
	if !filepath.IsLocal(name) {
		return fmt.Errorf("the archive holds an unsafe name: %q", h.Name)
	}
	target := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if h.Typeflag == tar.TypeSymlink {
		if strings.ContainsAny(h.Linkname, `/\`) || !filepath.IsLocal(h.Linkname) {
			return fmt.Errorf("the archive holds an unsafe link: %q", h.Linkname)
		}
		return os.Symlink(h.Linkname, target)
	}
	mode := os.FileMode(0o644)
	if h.Mode&0o100 != 0 {
		mode = 0o755
	}
	return writeFrom(target, archive, mode)
}

func writeFrom(target string, r io.Reader, mode os.FileMode) error {
	f, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
