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
	"hash"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow-go/winnow/browser/internal/install"
)

// PackOptions of one bundle. The zero value packs what is there, without the Go modules.
type PackOptions struct {
	// CacheDir is where driver, node, browser and consent rules are installed. Defaults to "winnow" in the user's cache folder.
	CacheDir string
	// Filters are the filter lists to pack, files in the common EasyList syntax. Their names must differ.
	Filters []string
	// GoSum is the go.sum file whose modules are packed, as far as the module cache has them. "" packs none.
	GoSum string
	// ModuleCache is where they are, as go env GOMODCACHE has it. Required with GoSum.
	ModuleCache string

	noSystem bool // in tests: nothing of Debian packages
}

// Packed is what came of a pack.
type Packed struct {
	Manifest Manifest
	Size     int64  // of the bundle, in bytes
	SHA256   string // of the bundle
}

// Fetch downloads what the cache folder lacks of driver, node, browser and consent rules, all of them npm packages with pinned hashes, so
// that Pack finds them: about 135 MB. cacheDir is that of PackOptions.
func Fetch(ctx context.Context, cacheDir string) error {
	return install.FetchParts(ctx, install.Request{CacheDir: cacheDir})
}

// Pack writes a bundle of what this machine has. What it lacks, or must not pack, is named in the manifest and is no error. Each file is
// read twice; one that changes in between is an error, as is an invalid option. The same files give the same bytes. It needs less
// than 100 MB of memory, however large the bundle is. Other processes must not install into the cache folder meanwhile.
func Pack(ctx context.Context, w io.Writer, o PackOptions) (*Packed, error) {
	p, err := collect(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("pack a bundle: %w", err)
	}
	out := &measured{w: w, hash: sha256.New()}
	err = p.write(ctx, out)
	if err == nil {
		err = writeAll(out, sealOf(out.hash.Sum(nil)))
	}
	if err != nil {
		return nil, fmt.Errorf("pack a bundle: %w", err)
	}
	return &Packed{Manifest: p.manifest, Size: out.n, SHA256: hex.EncodeToString(out.hash.Sum(nil))}, nil
}

// packing is a bundle in the making.
type packing struct {
	manifest Manifest
	packages map[string]debianPackage // that files come from, by name
	modules  []module
	sources  map[string]source // of entries, by path
}

// source is where the bytes of an entry are.
type source struct {
	file string // on this machine
	text []byte // in place of a file
}

func (s source) open() (io.ReadCloser, error) {
	if s.file == "" {
		return io.NopCloser(bytes.NewReader(s.text)), nil
	}
	return os.Open(s.file)
}

// collect finds the parts and hashes their files.
func collect(ctx context.Context, o PackOptions) (*packing, error) {
	p := &packing{sources: map[string]source{}, packages: map[string]debianPackage{}}
	p.manifest = Manifest{Format: Format, System: runtime.GOOS, Processor: runtime.GOARCH}
	cache, err := install.Cache(o.CacheDir)
	if err != nil {
		return nil, err
	}
	steps := []func() error{
		func() error { return p.addNpm(ctx, cache) },
		func() error { return p.addFilters(o.Filters) },
		func() error { return p.addModules(o.GoSum, o.ModuleCache) },
	}
	if !o.noSystem {
		steps = append(steps, p.addPrograms, p.addFonts, func() error { return p.addBase(cache) })
	}
	for _, step := range steps {
		if err := errors.Join(ctx.Err(), step()); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.manifest.Entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	for i := range p.manifest.Entries {
		if err := p.fill(ctx, &p.manifest.Entries[i]); err != nil {
			return nil, err
		}
	}
	return p, p.addSBOM()
}

// add adds a file to the bundle.
func (p *packing) add(path, origin string, program bool, from source) {
	p.sources[path] = from
	p.manifest.Entries = append(p.manifest.Entries, Entry{Path: path, Origin: origin, Program: program})
}

func (p *packing) missing(name, why string, args ...any) {
	p.manifest.Missing = append(p.manifest.Missing, Missing{name, fmt.Sprintf(why, args...)})
}

// fill fills in size and hash of an entry.
func (p *packing) fill(ctx context.Context, e *Entry) error {
	hash := sha256.New()
	n, err := p.copy(ctx, hash, e.Path)
	e.Size, e.SHA256 = n, hex.EncodeToString(hash.Sum(nil))
	return err
}

func (p *packing) copy(ctx context.Context, to io.Writer, path string) (int64, error) {
	r, err := p.sources[path].open()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	n, err := io.Copy(to, &under{ctx, r})
	if err != nil {
		return n, fmt.Errorf("read %s: %w", path, err)
	}
	return n, nil
}

// write writes the archive. The compression runs on one goroutine: the bytes must not depend on the number of processors.
func (p *packing) write(ctx context.Context, w io.Writer) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(windowSize), zstd.WithEncoderCRC(true))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(p.manifest, "", "\t")
	if err != nil {
		return err
	}
	if err := p.manifest.check(); err != nil {
		return err
	}
	archive := tar.NewWriter(z)
	err = errors.Join(
		writeHeader(archive, Entry{Path: manifestName, Size: int64(len(text))}),
		writeAll(archive, text),
		p.writeEntry(ctx, archive, p.manifest.SBOM),
	)
	for _, e := range p.manifest.Entries {
		if err == nil {
			err = p.writeEntry(ctx, archive, e)
		}
	}
	if err == nil {
		err = archive.Close()
	}
	return errors.Join(err, z.Close())
}

func writeAll(w io.Writer, data []byte) error {
	_, err := w.Write(data)
	return err
}

// writeEntry writes a file, which must still be the one that the manifest describes.
func (p *packing) writeEntry(ctx context.Context, archive *tar.Writer, e Entry) error {
	if err := writeHeader(archive, e); err != nil {
		return err
	}
	hash := sha256.New()
	n, err := p.copy(ctx, io.MultiWriter(archive, hash), e.Path)
	if errors.Is(err, tar.ErrWriteTooLong) || err == nil && (n != e.Size || hex.EncodeToString(hash.Sum(nil)) != e.SHA256) {
		return fmt.Errorf("%s has changed while it was packed", e.Path)
	}
	return err
}

func writeHeader(archive *tar.Writer, e Entry) error {
	return archive.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: e.Path, Size: e.Size, Mode: int64(e.mode()), ModTime: time.Unix(0, 0), Format: tar.FormatPAX,
	})
}

func (e Entry) mode() os.FileMode {
	if e.Program {
		return 0o755
	}
	return 0o644
}

// measured counts and hashes what is written.
type measured struct {
	w    io.Writer
	n    int64
	hash hash.Hash
}

func (m *measured) Write(p []byte) (int, error) {
	n, err := m.w.Write(p)
	m.n += int64(n)
	_, _ = m.hash.Write(p[:n]) // which never fails
	return n, err
}

// under is a reader that ends with its context.
type under struct {
	ctx context.Context
	r   io.Reader
}

func (u *under) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.r.Read(p)
}
