package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// CorruptError reports a bundle that is damaged, cut off, or none.
type CorruptError struct {
	Entry string // the file in it at which that was noticed; "" for the bundle as a whole
	Err   error
}

func (e *CorruptError) Error() string {
	if e.Entry == "" {
		return fmt.Sprintf("the bundle is damaged: %v", e.Err)
	}
	return fmt.Sprintf("the bundle is damaged at %s: %v", e.Entry, e.Err)
}

func (e *CorruptError) Unwrap() error { return e.Err }

// unpack writes the files of a bundle below root, an empty folder, and returns the manifest once all files have been verified. What is
// there before may be wrong.
func unpack(ctx context.Context, r io.Reader, root *os.Root) (*Manifest, error) {
	z, err := zstd.NewReader(&under{ctx, r},
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(windowSize), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	m, err := unpackTar(ctx, z, root)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return m, err
}

// unpackTar is unpack for the archive itself.
func unpackTar(ctx context.Context, r io.Reader, root *os.Root) (*Manifest, error) {
	archive := tar.NewReader(r)
	m, err := readManifest(archive)
	if err != nil {
		return nil, &CorruptError{manifestName, err}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	for _, e := range append([]Entry{m.SBOM}, m.Entries...) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := unpackEntry(archive, e, root); err != nil {
			return nil, err
		}
	}
	if err := end(archive, r); err != nil {
		return nil, &CorruptError{"", err}
	}
	return m, nil
}

func readManifest(archive *tar.Reader) (*Manifest, error) {
	h, err := archive.Next()
	switch {
	case err != nil:
		return nil, cut(err)
	case h.Name != manifestName || h.Typeflag != tar.TypeReg:
		return nil, fmt.Errorf("the first file is %.100q", h.Name)
	case h.Size > maxManifest:
		return nil, fmt.Errorf("it has %d bytes, more than %d", h.Size, maxManifest)
	}
	text, err := io.ReadAll(archive)
	if err != nil {
		return nil, cut(err)
	}
	m := &Manifest{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, err
	}
	return m, nil
}

// unpackEntry writes the next file, which must be the one that the manifest names next.
func unpackEntry(archive *tar.Reader, e Entry, root *os.Root) error {
	h, err := archive.Next()
	if err != nil {
		return &CorruptError{e.Path, cut(err)}
	}
	if h.Name != e.Path || h.Typeflag != tar.TypeReg || h.Size != e.Size {
		return &CorruptError{e.Path, fmt.Errorf("there is %.100q of %d bytes and kind %q in its place", h.Name, h.Size, h.Typeflag)}
	}
	name := filepath.FromSlash(e.Path)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, e.mode())
	if err != nil {
		return err
	}
	hash := sha256.New()
	in := &failing{r: io.TeeReader(archive, hash)}
	_, err = io.Copy(f, in)
	switch err = errors.Join(err, f.Close()); {
	case in.err != nil:
		return &CorruptError{e.Path, cut(in.err)}
	case err != nil:
		return err // of the disk
	case hex.EncodeToString(hash.Sum(nil)) != e.SHA256:
		return &CorruptError{e.Path, errors.New("its bytes are not those of the manifest")}
	}
	return nil
}

// end requires that nothing follows.
func end(archive *tar.Reader, r io.Reader) error {
	h, err := archive.Next()
	if err == nil {
		return fmt.Errorf("the manifest doesn't name the file %.100q", h.Name)
	}
	if !errors.Is(err, io.EOF) {
		return cut(err)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, 1)) // which also checks the last checksum
	if err == nil && n > 0 {
		err = errors.New("there are bytes behind its end")
	}
	return err
}

// cut is an error of reading, where an end is one that came too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it is cut off: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// failing keeps what went wrong in reading, so that it differs from what goes wrong in writing.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}
