// Package vectors keeps vectors of texts in one file, and finds those that are near another one. It may change without notice.
//
// Start from [Open].
//
//	vectors.go  Table: opening, closing, what it holds
//	file.go     the file: its head, loading, mapping, writing
//	record.go   a vector as bytes
//	change.go   adding vectors, and removing those that aren't wanted
//	scan.go     the nearest ones
//
// A file has vectors of one space, which has a name and a length: one of another space is replaced by an empty one. Each record
// has a checksum, so what a killed program has left half written is never read: such a record is free, and at the end of the file it
// is cut off. What is removed is overwritten with zeros at once, for a text can be guessed from its vector.
//
// The file is mapped into memory for reading and written by calls, so that a full disk is an error. Nothing but the places of the
// vectors, some 40 bytes each, is in the program's own memory.
package vectors

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/blevesearch/mmap-go"
)

// Page identifies a page, and Text one of its texts. A page is never all zeros.
type (
	Page [8]byte
	Text [16]byte
)

// PageOf is that of an address.
func PageOf(address string) (p Page) {
	sum := sha256.Sum256([]byte(address))
	copy(p[:], sum[:])
	if p == (Page{}) {
		p[0] = 1
	}
	return p
}

// TextOf is that of a text.
func TextOf(text string) (t Text) {
	sum := sha256.Sum256([]byte(text))
	copy(t[:], sum[:])
	return t
}

// Vector of a text of a page. Its length in space counts as 1: only the direction is kept.
type Vector struct {
	Page    Page
	Text    Text
	Numbers []float32
}

// The bounds of a table.
const (
	MaxVectors    = 1_000_000
	MaxDimensions = 16_384
)

// The errors of a table.
var (
	// ErrFull: it has [MaxVectors].
	ErrFull = errors.New("the table of vectors is full")
	// ErrSpace: a vector has another length than the table's, or a number that isn't finite.
	ErrSpace = errors.New("the vector is none of the table's space")
	// ErrClosed: the table is closed.
	ErrClosed = errors.New("the table of vectors is closed")
)

// Table is the vectors of one space, in a file or in memory. It is safe for concurrent use.
type Table struct {
	path string // "": in memory
	name string

	mu     sync.RWMutex // held for reading by scans
	closed bool
	max    int
	dim    int // 0: there are no vectors yet, and no file
	file   *os.File
	view   mmap.MMap
	data   []byte // the records
	slots  int    // records in data
	free   []int  // of them
	pages  map[Page][]int
	seen   []bool // by slot, while a [Marking] is going on; nil: none
}

// Open opens the file at a path if it has vectors of the space that is so named, and removes it otherwise. An empty name takes the
// file as it is. Without a path the vectors are in memory. The caller closes the table; two at the same path aren't allowed.
func Open(path, name string) (*Table, error) {
	t := &Table{path: path, name: name, max: MaxVectors, pages: map[Page][]int{}}
	if path == "" {
		return t, nil
	}
	if err := t.open(); err != nil {
		return nil, fmt.Errorf("open the vectors: %w", errors.Join(err, t.Close()))
	}
	return t, nil
}

// Dimensions of its vectors; 0: there were none yet.
func (t *Table) Dimensions() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.dim
}

// Count of its vectors.
func (t *Table) Count() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.slots - len(t.free)
}

// Has reports whether a text of a page has its vector.
func (t *Table) Has(p Page, text Text) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.slotOf(p, text) >= 0
}

// slotOf is where a vector is; below 0: nowhere.
func (t *Table) slotOf(p Page, text Text) int {
	for _, slot := range t.pages[p] {
		if textOf(t.record(slot)) == text {
			return slot
		}
	}
	return -1
}

// record is that of a slot.
func (t *Table) record(slot int) []byte {
	size := recordSize(t.dim)
	return t.data[slot*size : (slot+1)*size : (slot+1)*size]
}

// Clear removes all vectors, and the file: the next ones may be of another length.
func (t *Table) Clear() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.remove()
}

// Close closes the file. Later calls find nothing, and return nil or [ErrClosed].
func (t *Table) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return t.reset()
}

// reset forgets everything but the path and the name; the file is closed and left as it is.
func (t *Table) reset() error {
	err := t.unmap()
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
	}
	t.file, t.data, t.dim, t.slots, t.free, t.seen = nil, nil, 0, 0, nil, nil
	t.pages = map[Page][]int{}
	return err
}
