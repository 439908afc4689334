package cache

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"
)

// Map is a DB in memory. It has no size limit: its callers must bound what they store. Nothing survives Close. Make one with NewMap, or
// with NewOverflowing.
type Map struct {
	names
	over    *overflow // nil: everything stays in memory
	writing sync.Mutex
	live    map[string]*bucket // the writer's own; never read by a View
	shown   atomic.Pointer[snapshot]
}

// snapshot is what a View sees; it never changes.
type snapshot struct {
	buckets map[string]*bucket
	bytes   int64
	closed  bool
}

// bucket is a copy-on-write tree, so that a snapshot of it costs nothing.
type bucket struct {
	tree btree.Map[string, kept]
	last uint64 // of Next
}

var _ DB = (*Map)(nil)

// NewMap returns an empty DB in memory.
func NewMap() *Map {
	m := &Map{live: map[string]*bucket{}}
	m.shown.Store(&snapshot{})
	return m
}

// NewOverflowing returns an empty DB in memory. While its keys and values are more than so many bytes, further values of 1 KiB and more go
// to a temporary file in the folder; "" is that of the system. The file has no name, or, on Windows, one until Close.
func NewOverflowing(bytes int64, folder string) *Map {
	m := NewMap()
	m.over = &overflow{limit: bytes, dir: folder, free: newGaps()}
	return m
}

// View implements DB. It never waits.
func (m *Map) View(f func(Tx) error) (err error) {
	s := m.shown.Load()
	if s.closed {
		return ErrClosed
	}
	return run(f, &mapTx{buckets: s.buckets})
}

// Update implements DB. Calls come one after the other.
func (m *Map) Update(f func(Tx) error) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	s := m.shown.Load()
	if s.closed {
		return ErrClosed
	}
	tx := &mapTx{buckets: m.live, changed: map[string]*bucket{}, bytes: s.bytes, over: m.over}
	if err := run(f, tx); err != nil {
		return err
	}
	next := &snapshot{buckets: maps.Clone(s.buckets), bytes: tx.bytes}
	if next.buckets == nil {
		next.buckets = map[string]*bucket{}
	}
	for name, b := range tx.changed {
		m.live[name] = b
		next.buckets[name] = b.copy()
	}
	m.shown.Store(next)
	return nil
}

// run turns a panic of f into an error.
func run(f func(Tx) error, tx Tx) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case readError:
			err = p.error
		default:
			err = panicked(p)
		}
	}()
	return f(tx)
}

// Compact implements DB: nothing to do.
func (m *Map) Compact(ctx context.Context) error {
	if m.shown.Load().closed {
		return ErrClosed
	}
	return ctx.Err()
}

// Size implements DB: the bytes of all keys and values in memory, and those of the temporary file. Memory in use is somewhat more.
func (m *Map) Size() (total, free int64, err error) {
	s := m.shown.Load()
	if s.closed {
		return 0, 0, ErrClosed
	}
	total, free = m.over.size()
	return s.bytes + total, free, nil
}

// InMemory is how many bytes of keys and values are in memory.
func (m *Map) InMemory() int64 { return m.shown.Load().bytes }

// Close implements DB and releases the memory.
func (m *Map) Close() error {
	m.writing.Lock()
	defer m.writing.Unlock()
	m.shown.Store(&snapshot{closed: true})
	m.live = nil
	return m.over.close()
}

// degree is half of how many children a node of a tree may have: each transaction copies the nodes on its way, so they are small.
const degree = 12

func newBucket() *bucket { return &bucket{tree: *btree.NewMap[string, kept](degree)} }

// copy is a bucket that can be changed without changing b. It writes to b itself, so b must not be one that Views see.
func (b *bucket) copy() *bucket {
	return &bucket{tree: *b.tree.Copy(), last: b.last}
}

// mapTx is a transaction on a snapshot, or on the live buckets when changed is set.
type mapTx struct {
	buckets map[string]*bucket
	changed map[string]*bucket // nil in a View
	bytes   int64              // in memory
	over    *overflow
}

func (t *mapTx) bucket(name string) *bucket {
	if b := t.changed[name]; b != nil {
		return b
	}
	return t.buckets[name]
}

// writable returns a copy of the bucket that belongs to this transaction.
func (t *mapTx) writable(name string) (*bucket, error) {
	if t.changed == nil {
		return nil, errWriteInView
	}
	if err := checkBucket(name); err != nil {
		return nil, err
	}
	b := t.changed[name]
	if b != nil {
		return b, nil
	}
	if old := t.buckets[name]; old != nil {
		b = old.copy()
	} else {
		b = newBucket()
	}
	t.changed[name] = b
	return b, nil
}

func (t *mapTx) Get(bucket string, key []byte) []byte {
	b := t.bucket(bucket)
	if b == nil {
		return nil
	}
	value, _ := b.tree.Get(string(key))
	return value.read()
}

func (t *mapTx) Put(bucket string, key, value []byte) error {
	b, err := t.writable(bucket)
	if err != nil {
		return err
	}
	if err := checkPair(bucket, key, value); err != nil {
		return err
	}
	own, err := t.keep(value)
	if err != nil {
		return err
	}
	old, replaced := b.tree.Set(string(key), own)
	t.bytes += int64(len(own.bytes) - len(old.bytes))
	if !replaced {
		t.bytes += int64(len(key))
	}
	return nil
}

// keep copies a value, to memory or to the file.
func (t *mapTx) keep(value []byte) (kept, error) {
	if t.over.wants(value, t.bytes) {
		return t.over.put(value)
	}
	return kept{bytes: append(make([]byte, 0, len(value)), value...)}, nil // never nil
}

func (t *mapTx) Delete(bucket string, key []byte) error {
	if t.changed == nil {
		return errWriteInView
	}
	old := t.bucket(bucket)
	if old == nil {
		return nil
	}
	if _, found := old.tree.Get(string(key)); !found {
		return nil
	}
	b, err := t.writable(bucket)
	if err != nil {
		return err
	}
	was, _ := b.tree.Delete(string(key))
	t.bytes -= int64(len(key) + len(was.bytes))
	return nil
}

func (t *mapTx) Scan(bucket string, from []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		if b := t.bucket(bucket); b != nil {
			b.tree.Ascend(string(from), func(k string, v kept) bool { return yield([]byte(k), v.read()) })
		}
	}
}

func (t *mapTx) ScanBack(bucket string, below []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		b := t.bucket(bucket)
		if b == nil {
			return
		}
		if len(below) == 0 {
			b.tree.Reverse(func(k string, v kept) bool { return yield([]byte(k), v.read()) })
			return
		}
		b.tree.Descend(string(below), func(k string, v kept) bool {
			key := []byte(k)
			return bytes.Equal(key, below) || yield(key, v.read())
		})
	}
}

func (t *mapTx) Next(bucket string) (uint64, error) {
	b, err := t.writable(bucket)
	if err != nil {
		return 0, err
	}
	b.last++
	return b.last, nil
}

// names are those of the stores that are open in a DB: two of the same name would give out the same numbers.
type names struct {
	mu    sync.Mutex
	taken []string
}

func (n *names) claim(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if slices.Contains(n.taken, name) {
		return false
	}
	n.taken = append(n.taken, name)
	return true
}

func (n *names) release(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.taken = slices.DeleteFunc(n.taken, func(s string) bool { return s == name })
}
