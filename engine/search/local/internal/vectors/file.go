package vectors

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/blevesearch/mmap-go"
)

// The head of a file: what it is, the length of its vectors, the name of their space, zeros, and a checksum.
const (
	magic    = "winnow vectors 1"
	dimAt    = len(magic)
	nameAt   = dimAt + 6 // after the dimension and the length of the name
	headSize = 512
	maxName  = headSize - nameAt - sumBytes
)

// headOf is the head of a file.
func headOf(name string, dim int) []byte {
	head := make([]byte, 0, headSize)
	head = binary.LittleEndian.AppendUint32(append(head, magic...), uint32(dim))
	head = binary.LittleEndian.AppendUint16(head, uint16(len(shortName(name))))
	head = append(head, shortName(name)...)
	head = head[:headSize-sumBytes]
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

// shortName is a name, or the digest of one that is too long for a head.
func shortName(name string) string {
	if len(name) > maxName {
		digest := TextOf(name)
		return hex.EncodeToString(digest[:])
	}
	return name
}

// readHead reads headSize bytes; ok is false for what is no head.
func readHead(head []byte) (name string, dim int, ok bool) {
	end := headSize - sumBytes
	if string(head[:dimAt]) != magic || binary.LittleEndian.Uint32(head[end:]) != crc32.Checksum(head[:end], castagnoli) {
		return "", 0, false
	}
	dim, n := int(binary.LittleEndian.Uint32(head[dimAt:])), int(binary.LittleEndian.Uint16(head[dimAt+4:]))
	if dim < 1 || dim > MaxDimensions || n > maxName {
		return "", 0, false
	}
	return string(head[nameAt : nameAt+n]), dim, true
}

// open opens an existing file, or removes one of another space.
func (t *Table) open() error {
	file, err := os.OpenFile(t.path, os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	t.file = file
	head := make([]byte, headSize)
	if _, err := io.ReadFull(file, head); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	name, dim, ok := readHead(head)
	if !ok || t.name != "" && name != shortName(t.name) {
		return t.remove()
	}
	t.name, t.dim = cmp.Or(t.name, name), dim
	return t.load()
}

// remove removes the file: the next vector makes another one.
func (t *Table) remove() error {
	if err := t.reset(); err != nil || t.path == "" {
		return err
	}
	if err := os.Remove(t.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// create makes a file for vectors of a length, or room in memory.
func (t *Table) create(dim int) (err error) {
	if t.path == "" {
		t.dim = dim
		return nil
	}
	if err = os.MkdirAll(filepath.Dir(t.path), 0o700); err != nil {
		return err
	}
	if t.file, err = os.OpenFile(t.path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		return err
	}
	t.dim = dim
	_, err = t.file.WriteAt(headOf(t.name, dim), 0)
	return errors.Join(err, t.file.Sync())
}

// load cuts off what follows the last whole record, and frees those before it that are damaged or there twice.
func (t *Table) load() error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	t.slots = int(min((info.Size()-headSize)/int64(recordSize(t.dim)), int64(t.max)))
	if err := t.remap(); err != nil {
		return err
	}
	damaged, err := t.check()
	if err != nil {
		return err
	}
	for len(t.free) > 0 && t.free[len(t.free)-1] == t.slots-1 { // they are in order
		t.slots--
		t.free = t.free[:len(t.free)-1]
	}
	if err := t.cut(); err != nil {
		return err
	}
	for _, slot := range damaged {
		if slot >= t.slots {
			break
		}
		if err := t.write(slot, make([]byte, recordSize(t.dim))); err != nil {
			return err
		}
	}
	return t.remap()
}

// check reads all records. damaged are those free ones that aren't zeros.
func (t *Table) check() (damaged []int, err error) {
	defer fault(&err)()
	for slot := range t.slots {
		r := t.record(slot)
		whole := isWhole(r)
		if whole && t.slotOf(pageOf(r), textOf(r)) < 0 {
			t.pages[pageOf(r)] = append(t.pages[pageOf(r)], slot)
			continue
		}
		t.free = append(t.free, slot)
		if whole || !isZero(r) {
			damaged = append(damaged, slot)
		}
	}
	return damaged, nil
}

// fault makes an error of a fault in mapped memory, as when another program has cut the file. The function that it returns is deferred.
func fault(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			*err = fmt.Errorf("the vectors are not readable: %v", p)
		}
	}
}

// write writes records from a slot on. The data is mapped again by the caller.
func (t *Table) write(slot int, records []byte) error {
	at := slot * recordSize(t.dim)
	if t.path != "" {
		_, err := t.file.WriteAt(records, int64(headSize+at))
		return err
	}
	if need := at + len(records) - len(t.data); need > 0 {
		t.data = append(t.data, make([]byte, need)...)
	}
	copy(t.data[at:], records)
	return nil
}

// cut makes the file end with the last slot. The file isn't mapped afterwards.
func (t *Table) cut() error {
	size := t.slots * recordSize(t.dim)
	if t.path == "" {
		t.data = append([]byte(nil), t.data[:size]...)
		return nil
	}
	return errors.Join(t.unmap(), t.file.Truncate(int64(headSize+size)))
}

// sync makes what was written durable.
func (t *Table) sync() error {
	if t.path == "" {
		return nil
	}
	return t.file.Sync()
}

func (t *Table) unmap() error {
	if t.view == nil {
		return nil
	}
	t.data = nil
	return t.view.Unmap()
}

// remap maps the file as it is now.
func (t *Table) remap() error {
	if t.path == "" {
		return nil
	}
	if err := t.unmap(); err != nil {
		return err
	}
	t.data = nil
	size := headSize + t.slots*recordSize(t.dim)
	view, err := mmap.MapRegion(t.file, size, mmap.RDONLY, 0, 0)
	if err != nil {
		return fmt.Errorf("map the vectors: %w", err)
	}
	t.view, t.data = view, view[headSize:size]
	return nil
}
