// Package compoundtest writes compound files for tests of their readers.
package compoundtest

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Stream is one stream of a file. Path is its name, after those of the folders that it lies in, joined by slashes.
type Stream struct {
	Path string
	Data []byte
}

const (
	sector  = 512
	none    = 0xFFFFFFFF
	end     = 0xFFFFFFFE
	stream  = 2
	folder  = 1
	dirSize = 128
)

// entry is an entry of the directory.
type entry struct {
	name               string
	kind               byte
	right, child, from uint32
	last               int // the last entry of a folder, 0 for none
	size               int
}

// writer is a file being written.
type writer struct {
	entries []entry
	folders map[string]int
	fat     []uint32
	data    []byte
}

// File is a compound file of some streams. It has no small streams: all lie in sectors of 512 bytes.
func File(streams ...Stream) []byte {
	w := &writer{entries: []entry{{name: "Root Entry", kind: 5, right: none, child: none, from: end}}, folders: map[string]int{"": 0}}
	for _, s := range streams {
		dir, name := "", s.Path
		if i := strings.LastIndexByte(s.Path, '/'); i >= 0 {
			dir, name = s.Path[:i], s.Path[i+1:]
		}
		w.add(w.folder(dir), entry{name: name, kind: stream, right: none, child: none, from: w.chain(s.Data), size: len(s.Data)})
	}
	directory := w.chain(w.directory())
	return w.file(directory)
}

func (w *writer) folder(path string) int {
	if n, known := w.folders[path]; known {
		return n
	}
	dir, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, name = path[:i], path[i+1:]
	}
	n := w.add(w.folder(dir), entry{name: name, kind: folder, right: none, child: none, from: end})
	w.folders[path] = n
	return n
}

// add adds an entry behind the last one of a folder.
func (w *writer) add(into int, e entry) int {
	n := len(w.entries)
	w.entries = append(w.entries, e)
	if last := w.entries[into].last; last == 0 {
		w.entries[into].child = uint32(n)
	} else {
		w.entries[last].right = uint32(n)
	}
	w.entries[into].last = n
	return n
}

// chain adds sectors and returns the first of them.
func (w *writer) chain(data []byte) uint32 {
	if len(data) == 0 {
		return end
	}
	first := uint32(len(w.fat))
	for len(data) > 0 {
		part := make([]byte, sector)
		data = data[copy(part, data):]
		w.data = append(w.data, part...)
		w.fat = append(w.fat, uint32(len(w.fat)+1))
	}
	w.fat[len(w.fat)-1] = end
	return first
}

func (w *writer) directory() []byte {
	var out []byte
	for _, e := range w.entries {
		b := make([]byte, dirSize)
		units := utf16.Encode([]rune(e.name))
		for i, u := range units {
			binary.LittleEndian.PutUint16(b[2*i:], u)
		}
		binary.LittleEndian.PutUint16(b[64:], uint16(2*len(units)+2))
		b[66] = e.kind
		for at, v := range map[int]uint32{68: none, 72: e.right, 76: e.child, 116: e.from, 120: uint32(e.size)} {
			binary.LittleEndian.PutUint32(b[at:], v)
		}
		out = append(out, b...)
	}
	return out
}

// file puts the header before the sectors, and the table of chains behind them.
func (w *writer) file(directory uint32) []byte {
	head := make([]byte, sector)
	copy(head, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	u32 := func(at int, v uint32) { binary.LittleEndian.PutUint32(head[at:], v) }
	u32(24, 0x0003003E)
	u32(28, 0x0009FFFE)
	u32(32, 6)
	u32(48, directory)
	u32(60, end)
	u32(68, end)
	tables := (len(w.fat) + sector/4) / (sector/4 - 1)
	u32(44, uint32(tables))
	at := uint32(len(w.fat))
	for i := range 109 {
		u32(76+4*i, none)
		if i < tables {
			u32(76+4*i, at+uint32(i))
			w.fat = append(w.fat, 0xFFFFFFFD)
		}
	}
	for len(w.fat)%(sector/4) != 0 {
		w.fat = append(w.fat, none)
	}
	out := append(head, w.data...)
	for _, v := range w.fat {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}
