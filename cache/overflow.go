package cache

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/tidwall/btree"
)

// Values of a Map go to a temporary file from a size on, in whole blocks, so that the gaps between them are fewer.
const (
	overflowValue = 1 << 10
	overflowBlock = 512
)

// kept is a value of a Map: bytes, or where they are in its temporary file.
type kept struct {
	bytes []byte  // nil: in the file
	far   *stored // nil: in memory
}

// stored is a value in a file, which is there until nothing refers to it.
type stored struct {
	file *overflow
	at   extent
}

// extent is a part of a file, in bytes.
type extent struct{ offset, size int64 }

// read returns the value. In a transaction, which has no other way to say so, a failure is a panic with its error.
func (k kept) read() []byte {
	if k.far == nil {
		return k.bytes
	}
	value, err := k.far.file.read(k.far.at)
	if err != nil {
		panic(readError{err})
	}
	return value
}

// readError is what a transaction panics with that can't read the temporary file.
type readError struct{ error }

// overflow is the temporary file of a Map. No name leads to it where the system allows that, so that it ends with its program, however
// that ends. What no snapshot has any more is used again: the collector finds it.
type overflow struct {
	limit int64  // of what is held in memory before values go here
	dir   string // "": that of the system

	mu     sync.Mutex
	file   *os.File // nil: not needed yet
	closed bool
	end    int64
	free   gaps
}

var errOverflowClosed = fmt.Errorf("%w: its temporary file", ErrClosed)

// wants reports whether a value is for the file, of a Map that holds so many bytes.
func (o *overflow) wants(value []byte, held int64) bool {
	return o != nil && len(value) >= overflowValue && held+int64(len(value)) > o.limit
}

// put writes a value to the file.
func (o *overflow) put(value []byte) (kept, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.open(); err != nil {
		return kept{}, err
	}
	at := o.room(int64(len(value)))
	if _, err := o.file.WriteAt(value, at.offset); err != nil {
		o.free.give(at.blocks())
		return kept{}, fmt.Errorf("cache: temporary file: %w", err)
	}
	s := &stored{file: o, at: at}
	runtime.AddCleanup(s, o.release, at)
	return kept{far: s}, nil
}

// room takes a gap, or the file's end.
func (o *overflow) room(size int64) extent {
	at := extent{size: size}
	blocks := at.blocks().size
	offset, found := o.free.take(blocks)
	if !found {
		offset = o.end
		o.end += blocks
	}
	at.offset = offset
	return at
}

// blocks is the extent with the rest of its last block.
func (e extent) blocks() extent {
	return extent{e.offset, (e.size + overflowBlock - 1) / overflowBlock * overflowBlock}
}

// open makes the file when it is first needed. Windows keeps the name of an open file: close removes it there.
func (o *overflow) open() (err error) {
	switch {
	case o.closed:
		return errOverflowClosed
	case o.file != nil:
		return nil
	}
	if o.file, err = os.CreateTemp(o.dir, "winnow-memory-*"); err != nil {
		return fmt.Errorf("cache: temporary file: %w", err)
	}
	_ = os.Remove(o.file.Name())
	return nil
}

// release takes back the place of a value that no snapshot has any more.
func (o *overflow) release(at extent) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.free.give(at.blocks())
}

// size is that of the file and of the gaps in it.
func (o *overflow) size() (total, free int64) {
	if o == nil {
		return 0, 0
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.end, o.free.bytes
}

func (o *overflow) read(at extent) ([]byte, error) {
	value := make([]byte, at.size)
	if _, err := o.file.ReadAt(value, at.offset); err != nil {
		if errors.Is(err, os.ErrClosed) {
			return nil, errOverflowClosed
		}
		return nil, fmt.Errorf("cache: temporary file: %w", err)
	}
	return value, nil
}

// close gives the file up. A Map without one has nothing to give up.
func (o *overflow) close() error {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.file == nil {
		o.closed = true
		return nil
	}
	o.closed = true
	err := o.file.Close()
	_ = os.Remove(o.file.Name()) // where it still has its name
	return err
}

// gaps are the parts of a file that nothing is in. Neighbours are one.
type gaps struct {
	bySize   *btree.BTreeG[extent]
	byOffset btree.Map[int64, int64]
	bytes    int64
}

func newGaps() gaps {
	return gaps{bySize: btree.NewBTreeGOptions(extent.smaller, btree.Options{NoLocks: true})}
}

func (e extent) smaller(than extent) bool {
	return e.size < than.size || e.size == than.size && e.offset < than.offset
}

// take finds room in the smallest gap that has it.
func (g *gaps) take(size int64) (offset int64, found bool) {
	var gap extent
	g.bySize.Ascend(extent{size: size}, func(e extent) bool {
		gap, found = e, true
		return false
	})
	if !found {
		return 0, false
	}
	g.remove(gap)
	if gap.size > size {
		g.add(extent{gap.offset + size, gap.size - size})
	}
	return gap.offset, true
}

// give adds a gap.
func (g *gaps) give(e extent) {
	if size, there := g.byOffset.Get(e.offset + e.size); there {
		g.remove(extent{e.offset + e.size, size})
		e.size += size
	}
	before := extent{}
	g.byOffset.Descend(e.offset, func(offset, size int64) bool {
		before = extent{offset, size}
		return false
	})
	if before.size > 0 && before.offset+before.size == e.offset {
		g.remove(before)
		e = extent{before.offset, before.size + e.size}
	}
	g.add(e)
}

func (g *gaps) add(e extent) {
	g.byOffset.Set(e.offset, e.size)
	g.bySize.Set(e)
	g.bytes += e.size
}

func (g *gaps) remove(e extent) {
	g.byOffset.Delete(e.offset)
	g.bySize.Delete(e)
	g.bytes -= e.size
}
