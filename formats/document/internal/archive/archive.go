package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Limits bound what an archive may cost. All fields have to be set.
type Limits struct {
	Entries  int   // of the archive
	Unzipped int64 // bytes of all files together
	File     int64 // bytes of one file
}

// File is a file of an archive, with its content or the reason why there is none.
type File struct {
	// Name is its path in the archive, as text on one line.
	Name string
	Body []byte
	// Err is ErrEncrypted, ErrTooLarge, ErrBomb or that of a damaged file; nil for one that was read.
	Err error
}

var (
	// ErrEntries means that the archive has more entries than the limit. Its files are not read.
	ErrEntries = errors.New("too many entries")
	// ErrEncrypted means that a file is under a password.
	ErrEncrypted = errors.New("encrypted")
	// ErrTooLarge means that a file exceeds what may still be unpacked.
	ErrTooLarge = errors.New("too large")
	// ErrBomb means that a file unpacks to far more than real files do.
	ErrBomb = errors.New("packed too well to be a real file")
)

// Bounds of one file's ratio.
const (
	ratioFrom = 4 << 20 // smaller files may be packed however well
	maxRatio  = 400     // deflate comes to 1,032 with nothing but zeros, logs to some tens
)

// Open reads an archive's directory. Errors are ErrEntries and those of package zip.
func Open(body []byte, l Limits) (*Archive, error) {
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	if len(r.File) > l.Entries {
		return nil, ErrEntries
	}
	return &Archive{files: r.File, limits: l, left: l.Unzipped}, nil
}

// Archive is a zip archive that is read once, by one goroutine.
type Archive struct {
	files  []*zip.File
	limits Limits
	left   int64 // bytes that may still be unpacked
}

// Files returns the files in the order of the directory, each read when its turn comes. Folders, and what macOS puts beside files, are
// none. It ends early when ctx does.
func (a *Archive) Files(ctx context.Context) iter.Seq[File] {
	return func(yield func(File) bool) {
		for _, f := range a.files {
			if ctx.Err() != nil {
				return
			}
			name := nameOf(f)
			if f.FileInfo().IsDir() || isFork(name) {
				continue
			}
			body, err := a.read(f)
			if !yield(File{name, body, err}) {
				return
			}
		}
	}
}

// Spend takes bytes that unpacking a file's content further costs from what may still be unpacked. It reports whether that was left.
func (a *Archive) Spend(bytes int64) bool {
	if bytes > a.left {
		return false
	}
	a.left -= bytes
	return true
}

// Left is how many bytes may still be unpacked.
func (a *Archive) Left() int64 { return a.left }

// Size is what an archive's entries claim to unpack to, 0 for what is no archive.
func Size(body []byte) (n int64) {
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return 0
	}
	const most = 1 << 40 // keeps the sum from running over
	for _, f := range r.File[:min(len(r.File), 1<<20)] {
		n += int64(min(f.UncompressedSize64, most))
	}
	return n
}

// read unpacks a file. The size that it claims isn't trusted: what comes out is counted.
func (a *Archive) read(f *zip.File) ([]byte, error) {
	if f.Flags&1 != 0 {
		return nil, ErrEncrypted
	}
	ratio := max(ratioFrom, int64(min(f.CompressedSize64, 1<<40))*maxRatio)
	most := min(a.left, a.limits.File, ratio)
	if claimed := f.UncompressedSize64; claimed > uint64(most) {
		return nil, tooLarge(most, ratio)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	body, err := io.ReadAll(io.LimitReader(r, most+1))
	a.left -= min(int64(len(body)), a.left)
	if int64(len(body)) > most {
		return nil, tooLarge(most, ratio)
	}
	if err != nil {
		return nil, err
	}
	return body, nil
}

func tooLarge(most, ratio int64) error {
	if most == ratio {
		return ErrBomb
	}
	return ErrTooLarge
}

// nameOf is a file's path. Old programs write names in the code page of DOS.
func nameOf(f *zip.File) string {
	name := f.Name
	if !utf8.ValidString(name) {
		name, _ = charmap.CodePage437.NewDecoder().String(name)
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
	const long = 400 // bytes
	if len(name) > long {
		name = strings.ToValidUTF8(name[:long], "") + "…"
	}
	return name
}

// isFork reports what macOS puts beside files: their other forks, and the looks of folders.
func isFork(name string) bool {
	return strings.HasPrefix(name, "__MACOSX/") || path.Base(name) == ".DS_Store"
}
