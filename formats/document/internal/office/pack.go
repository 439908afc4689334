package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"
)

// Bounds of one entry of an archive beside Limits.
const (
	ratioFrom = 4 << 20 // entries smaller than this may be packed however well
	maxRatio  = 400     // above, no office program packs better
)

var (
	errNoPart = errors.New("a part of the file is missing")
	errTwice  = errors.New("two parts of the file have the same name")
)

// pack is a zip archive held in memory. Its entries are only ever looked up by name: nothing is written anywhere.
type pack struct {
	files  map[string]*zip.File
	left   int64 // bytes that may still be unpacked
	limit  int64
	memory int64 // bytes that a part may have that is held
	size   int64 // of the archive
	twice  bool  // two entries have the same name: the first counts
}

func openPack(body []byte, l Limits) (*pack, error) {
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &DamagedError{err}
	}
	if len(r.File) > l.Entries {
		return nil, &LimitError{"entries", int64(l.Entries)}
	}
	p := &pack{files: make(map[string]*zip.File, len(r.File)), left: l.Unzipped, limit: l.Unzipped, memory: l.Memory, size: int64(len(body))}
	for _, f := range r.File {
		key := partKey(f.Name)
		if _, twice := p.files[key]; twice {
			p.twice = true
			continue
		}
		p.files[key] = f
	}
	return p, nil
}

// partKey is a part's name as it is compared: from the root, in lower case, as Office Open XML does.
func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

func (p *pack) has(name string) bool {
	_, ok := p.files[partKey(name)]
	return ok
}

// read unpacks a part. The error is errNoPart, a *LimitError, or that of a broken archive, with what was read so far.
func (p *pack) read(name string) ([]byte, error) {
	f, ok := p.files[partKey(name)]
	if !ok {
		return nil, errNoPart
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// The size an entry claims isn't trusted: what comes out is counted.
	most := min(p.allowed(f), p.memory)
	data, err := readAll(r, min(int64(min(f.UncompressedSize64, 1<<40)), 20*p.size, most), most+1)
	switch {
	case int64(len(data)) > most && most == p.memory:
		return nil, &LimitError{"memory", p.memory}
	case int64(len(data)) > most:
		return nil, &LimitError{"unzipped", p.limit}
	}
	p.left -= int64(len(data))
	return data, err
}

// picture unpacks a part beside those that the text needs: it doesn't count among them. It returns at most one byte more than most.
func (p *pack) picture(name string, most int64) ([]byte, error) {
	f, ok := p.files[partKey(name)]
	if !ok {
		return nil, errNoPart
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readAll(r, min(int64(min(f.UncompressedSize64, 1<<40)), 20*p.size, most), most+1)
}

// readAll reads into room of the size that is expected, which is what the entry claims, as far as that is likely.
func readAll(r io.Reader, expected, most int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(expected) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, most))
	return b.Bytes(), err
}

// open streams a part, within the bounds of read. It has to be closed.
func (p *pack) open(name string) (io.ReadCloser, error) {
	f, ok := p.files[partKey(name)]
	if !ok {
		return nil, errNoPart
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	return &partReader{ReadCloser: r, pack: p, left: p.allowed(f)}, nil
}

// partReader counts what comes out of a part.
type partReader struct {
	io.ReadCloser
	pack *pack
	left int64
}

func (r *partReader) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	r.pack.left -= int64(n)
	if r.left -= int64(n); r.left < 0 {
		return 0, &LimitError{"unzipped", r.pack.limit}
	}
	return n, err
}

// allowed is how much an entry may hold.
func (p *pack) allowed(f *zip.File) int64 {
	packed := int64(min(f.CompressedSize64, 1<<40))
	return min(p.left, max(ratioFrom, packed*maxRatio))
}
