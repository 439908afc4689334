package cache

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// What bbolt's pages look like (its internal/common/meta.go and page.go, format version 2; numbers are in the machine's byte order).
const (
	pageHeader   = 16 // id 8, flags 2, count 2, overflow 4
	metaBytes    = 64
	metaMagic    = 0xED0CDAED
	metaVersion  = 2
	flagBranch   = 1
	flagLeaf     = 2
	flagFreelist = 16
	noFreelist   = ^uint64(0)
)

// meta is the part of a meta page that the check needs.
type meta struct {
	pageSize             int64
	root, freelist, high uint64 // page ids; high is the first that isn't in use
	txid                 uint64
}

type pageHead struct {
	id       uint64
	flags    uint16
	count    uint16
	overflow uint32
}

// inspect refuses what bbolt would die of, or would begin to overwrite: bbolt maps the file and trusts it, and touching a page beyond
// the end of the file kills the process in a way that no recover catches. It reads the meta pages, the head of the root page and the
// list of free pages.
func inspect(r io.ReaderAt, size int64) error {
	m, err := newestMeta(r, size)
	if err != nil {
		return err
	}
	if m.high < 4 || m.high > uint64(size/m.pageSize) {
		return fmt.Errorf("truncated: %d pages of %d bytes are in use, the file has %d bytes", m.high, m.pageSize, size)
	}
	if err := m.checkRoot(r); err != nil {
		return err
	}
	return m.checkFreelist(r)
}

// unborn reports whether the making of the file was interrupted before anything was committed: bbolt writes four pages with
// transactions 0 and 1, and a process can be killed in the middle of that.
func unborn(r io.ReaderAt, size int64) bool {
	m, err := readMeta(r, 0)
	return err == nil && m.txid == 0 && m.high == 4 && size < 4*m.pageSize
}

// newestMeta returns the valid meta page with the higher transaction id, as bbolt does.
func newestMeta(r io.ReaderAt, size int64) (meta, error) {
	first, err := readMeta(r, 0)
	if err != nil {
		return secondMeta(r, size, err)
	}
	if second, err := readMeta(r, first.pageSize); err == nil && second.txid > first.txid {
		return second, nil
	}
	return first, nil
}

// secondMeta searches the second meta page where the first, which holds the page size, is unreadable.
func secondMeta(r io.ReaderAt, size int64, first error) (meta, error) {
	for at := int64(1 << 10); at <= 1<<24 && at+pageHeader+metaBytes <= size; at *= 2 {
		if m, err := readMeta(r, at); err == nil && m.pageSize == at {
			return m, nil
		}
	}
	return meta{}, fmt.Errorf("no valid meta page: %w", first)
}

func readMeta(r io.ReaderAt, at int64) (meta, error) {
	var b [metaBytes]byte
	if _, err := r.ReadAt(b[:], at+pageHeader); err != nil {
		return meta{}, fmt.Errorf("meta page at %d: %w", at, err)
	}
	order := binary.NativeEndian
	sum := fnv.New64a()
	sum.Write(b[:56])
	m := meta{
		pageSize: int64(order.Uint32(b[8:])),
		root:     order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]),
		high:     order.Uint64(b[40:]),
		txid:     order.Uint64(b[48:]),
	}
	switch {
	case order.Uint32(b[0:]) != metaMagic:
		return meta{}, errors.New("not a bbolt file")
	case order.Uint32(b[4:]) != metaVersion:
		return meta{}, fmt.Errorf("bbolt format version %d, not %d", order.Uint32(b[4:]), metaVersion)
	case order.Uint64(b[56:]) != sum.Sum64():
		return meta{}, errors.New("checksum of the meta page is wrong")
	case m.pageSize < 1<<10 || m.pageSize > 1<<24 || m.pageSize&(m.pageSize-1) != 0:
		return meta{}, fmt.Errorf("page size %d", m.pageSize)
	}
	return m, nil
}

func (m meta) readHead(r io.ReaderAt, id uint64) (pageHead, error) {
	if id < 2 || id >= m.high {
		return pageHead{}, fmt.Errorf("page %d is outside of the file", id)
	}
	var b [pageHeader]byte
	if _, err := r.ReadAt(b[:], int64(id)*m.pageSize); err != nil {
		return pageHead{}, fmt.Errorf("page %d: %w", id, err)
	}
	order := binary.NativeEndian
	h := pageHead{order.Uint64(b[0:]), order.Uint16(b[8:]), order.Uint16(b[10:]), order.Uint32(b[12:])}
	if h.id != id || uint64(h.overflow) >= m.high-id {
		return pageHead{}, fmt.Errorf("page %d is overwritten", id)
	}
	return h, nil
}

func (m meta) checkRoot(r io.ReaderAt) error {
	h, err := m.readHead(r, m.root)
	if err != nil {
		return fmt.Errorf("root: %w", err)
	}
	if h.flags != flagBranch && h.flags != flagLeaf {
		return fmt.Errorf("root: page %d has type %#x", m.root, h.flags)
	}
	return nil
}

// checkFreelist refuses a list that names pages outside of the file or not in order: bbolt would write to what it names.
func (m meta) checkFreelist(r io.ReaderAt) error {
	if m.freelist == noFreelist {
		return errors.New("no list of free pages: another program wrote this file")
	}
	h, err := m.readHead(r, m.freelist)
	if err != nil {
		return fmt.Errorf("list of free pages: %w", err)
	}
	if h.flags != flagFreelist {
		return fmt.Errorf("list of free pages: page %d has type %#x", m.freelist, h.flags)
	}
	room := (int64(h.overflow)+1)*m.pageSize - pageHeader
	list := bufio.NewReader(io.NewSectionReader(r, int64(m.freelist)*m.pageSize+pageHeader, room))
	count := uint64(h.count)
	if h.count == 0xFFFF { // too many for the field: the first element is the number
		if count, err = readID(list); err != nil {
			return fmt.Errorf("list of free pages: %w", err)
		}
	}
	last := uint64(1)
	for range count {
		id, err := readID(list)
		if err != nil || id <= last || id >= m.high {
			return fmt.Errorf("list of free pages: page %d after %d of %d, %v", id, last, m.high, err)
		}
		last = id
	}
	return nil
}

func readID(r io.Reader) (uint64, error) {
	var b [8]byte
	_, err := io.ReadFull(r, b[:])
	return binary.NativeEndian.Uint64(b[:]), err
}
