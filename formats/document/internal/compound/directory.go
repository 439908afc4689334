package compound

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
)

// Places in an entry of the directory.
const (
	entrySize = 128
	nameSize  = 64
	kindAt    = 66
	leftAt    = 68
	rightAt   = 72
	childAt   = 76
	startAt   = 116
	sizeAt    = 120
)

// Kinds of entries.
const (
	folderEntry = 1
	streamEntry = 2
)

// maxEntries bounds the directory of a file.
const maxEntries = 200_000

// Storage is a folder of a compound file.
type Storage struct {
	// Name is the folder's own name, "" for the root.
	Name string
	// Storages are the folders in it, by name.
	Storages []*Storage
	file     *File
	streams  map[string]stream // by name in lower case: names differ by more than case
}

// stream is where a stream lies.
type stream struct {
	start uint32
	size  int64
}

// Has reports whether the folder holds a stream.
func (s *Storage) Has(name string) bool {
	_, ok := s.streams[strings.ToLower(name)]
	return ok
}

// Stream is the content of a stream, cut where the file breaks off. It may share the file's memory. The error is ErrNoStream.
func (s *Storage) Stream(name string) ([]byte, error) {
	at, ok := s.streams[strings.ToLower(name)]
	if !ok {
		return nil, ErrNoStream
	}
	if at.size < s.file.cutoff {
		return s.file.smallChain(at.start, at.size), nil
	}
	return s.file.chain(at.start, at.size), nil
}

// Size is how long a stream claims to be, in bytes; 0 for one that isn't there.
func (s *Storage) Size(name string) int64 { return s.streams[strings.ToLower(name)].size }

// Storage is a folder in this one, nil when there is none.
func (s *Storage) Storage(name string) *Storage {
	i := slices.IndexFunc(s.Storages, func(in *Storage) bool { return strings.EqualFold(in.Name, name) })
	if i < 0 {
		return nil
	}
	return s.Storages[i]
}

// directory is a directory being read.
type directory struct {
	file    *File
	entries []byte
	reached []bool
}

// tree brings the entries into folders. Streams that a damaged tree doesn't lead to are put into the root.
func (f *File) tree(entries []byte) *Storage {
	n := min(len(entries)/entrySize, maxEntries)
	d := &directory{f, entries, make([]bool, n)}
	root := d.folder("")
	d.reached[0] = true
	d.fill(root, u32(entries, childAt))
	for i := range d.reached {
		if e := d.entry(i); !d.reached[i] && e[kindAt] == streamEntry && !root.Has(entryName(e)) {
			d.addStream(root, e)
		}
	}
	return root
}

func (d *directory) folder(name string) *Storage {
	return &Storage{Name: name, file: d.file, streams: map[string]stream{}}
}

func (d *directory) entry(i int) []byte { return d.entries[i*entrySize:][:entrySize] }

// pending is a tree of entries that is still to be read, and the folder that it fills.
type pending struct {
	into *Storage
	top  uint32
}

// fill reads the trees of siblings below a folder, each entry once.
func (d *directory) fill(root *Storage, top uint32) {
	stack := []pending{{root, top}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int64(at.top) >= int64(len(d.reached)) || d.reached[at.top] {
			continue
		}
		d.reached[at.top] = true
		e := d.entry(int(at.top))
		stack = append(stack, pending{at.into, u32(e, rightAt)}, pending{at.into, u32(e, leftAt)})
		switch e[kindAt] {
		case streamEntry:
			d.addStream(at.into, e)
		case folderEntry:
			in := d.folder(entryName(e))
			at.into.Storages = append(at.into.Storages, in)
			stack = append(stack, pending{in, u32(e, childAt)})
		}
	}
	sortFolders(root)
}

// sortFolders orders folders by name: attachments and recipients are numbered.
func sortFolders(s *Storage) {
	stack := []*Storage{s}
	for len(stack) > 0 {
		s = stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], s.Storages...)
		slices.SortStableFunc(s.Storages, func(a, b *Storage) int { return cmp.Compare(a.Name, b.Name) })
	}
}

func (d *directory) addStream(into *Storage, e []byte) {
	size := int64(binary.LittleEndian.Uint64(e[sizeAt:]))
	if d.file.sector == 1<<9 { // the upper half may be anything
		size = int64(u32(e, sizeAt))
	}
	into.streams[strings.ToLower(entryName(e))] = stream{u32(e, startAt), max(size, 0)}
}

func entryName(e []byte) string {
	n := min(int(binary.LittleEndian.Uint16(e[nameSize:])), nameSize) - 2
	var units []uint16
	for i := 0; i < n; i += 2 {
		units = append(units, binary.LittleEndian.Uint16(e[i:]))
	}
	return string(utf16.Decode(units))
}
