package compound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// Magic begins a compound file.
const Magic = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// Places and sizes in a compound file.
const (
	headerSize  = 512
	difatAt     = 76 // in the header: the first sectors of the FAT
	headerFATs  = 109
	smallSector = 64
	endOfChain  = 0xFFFFFFFE
)

var (
	// ErrFormat means that the file is no compound file.
	ErrFormat = errors.New("not a compound file")
	// ErrTables means that the tables of a compound file don't fit its size.
	ErrTables = errors.New("the container's tables don't fit its size")
	// ErrNoStream means that a file doesn't have a stream.
	ErrNoStream = errors.New("a stream of the container is missing")
)

// File is an open compound file. It holds the bytes that it was opened with, and is for one goroutine.
type File struct {
	// Root holds all streams and folders. Those that no folder leads to are here, too.
	Root   *Storage
	body   []byte
	sector int
	fat    []uint32 // of each sector the one that follows it
	small  []uint32 // the same for the parts of packed
	packed []byte   // the stream that holds the small ones
	cutoff int64    // smaller streams are in packed
}

// Open reads the tables of a compound file, which take about a hundredth of its size in memory. Errors are ErrFormat and ErrTables.
func Open(body []byte) (*File, error) {
	if len(body) < headerSize || !bytes.HasPrefix(body, []byte(Magic)) {
		return nil, ErrFormat
	}
	shift := binary.LittleEndian.Uint16(body[30:])
	if shift != 9 && shift != 12 {
		return nil, ErrTables
	}
	f := &File{body: body, sector: 1 << shift, cutoff: int64(u32(body, 56))}
	f.readFAT()
	entries := f.chain(u32(body, 48), int64(len(body)))
	if len(entries) < entrySize {
		return nil, ErrTables
	}
	f.small = numbers(f.chain(u32(body, 60), int64(len(body))))
	f.packed = f.chain(u32(entries, startAt), int64(u32(entries, sizeAt)))
	f.Root = f.tree(entries)
	return f, nil
}

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// numbers reads a table.
func numbers(b []byte) []uint32 {
	out := make([]uint32, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, u32(b, 0))
	}
	return out
}

// readFAT reads the table of chains. The header lists its first sectors, a chain of sectors the others.
func (f *File) readFAT() {
	most := len(f.body)/f.sector + 1 // sectors of the file
	add := func(list []byte) {
		for _, sector := range numbers(list) {
			if len(f.fat) < most {
				f.fat = append(f.fat, numbers(f.at(sector))...)
			}
		}
	}
	add(f.body[difatAt:headerSize])
	next := u32(f.body, 68)
	for range most {
		list := f.at(next)
		if len(list) < f.sector || len(f.fat) >= most {
			return
		}
		add(list[:f.sector-4])
		next = u32(list, f.sector-4)
	}
}

// at is a sector, cut where the file ends.
func (f *File) at(sector uint32) []byte {
	start := (int64(sector) + 1) * int64(f.sector)
	end := min(start+int64(f.sector), int64(len(f.body)))
	if start >= end {
		return nil
	}
	return f.body[start:end]
}

// chain is the first bytes of a chain of sectors, fewer than size where the chain breaks off. It may share the file's memory.
func (f *File) chain(sector uint32, size int64) []byte {
	return follow(sector, min(size, int64(len(f.body))), f.fat, f.at)
}

func (f *File) smallChain(sector uint32, size int64) []byte {
	return follow(sector, min(size, int64(len(f.packed))), f.small, func(n uint32) []byte {
		start := min(int64(n)*smallSector, int64(len(f.packed)))
		return f.packed[start:min(start+smallSector, int64(len(f.packed)))]
	})
}

// follow joins the sectors of a chain. As long as they lie one behind the other, as most do, nothing is copied.
func follow(sector uint32, size int64, table []uint32, at func(uint32) []byte) []byte {
	var out []byte
	copied := false
	for range len(table) + 1 {
		part := at(sector)
		part = part[:min(int64(len(part)), size-int64(len(out)))]
		if len(part) == 0 {
			break
		}
		switch {
		case out == nil:
			out = part
		case !copied && behind(out, part):
			out = out[:len(out)+len(part)]
		case !copied:
			out, copied = slices.Concat(out, part), true
		default:
			out = append(out, part...)
		}
		if int64(sector) >= int64(len(table)) {
			break
		}
		sector = table[sector]
	}
	return slices.Clip(out)
}

// behind reports that b lies behind a in the same memory.
func behind(a, b []byte) bool {
	return cap(a) > len(a) && &a[:len(a)+1][len(a)] == &b[0]
}
