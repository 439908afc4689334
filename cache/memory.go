package cache

import (
	"cmp"
	"errors"
)

// Memory is a Store in memory, bounded by Options.MaxBytes. Nothing survives Close. Make one with NewMemory.
//
// Values are not compressed: pages of 100 KB are then put 5 times and read 2 to 3 times as fast (measured), and fewer fit in.
type Memory struct{ *store }

// memoryBytes is what a Memory holds by default.
const memoryBytes = 256 << 20

var _ Store = (*Memory)(nil)

// NewMemory returns an empty Store. MaxBytes defaults to 256 MiB; the memory in use is somewhat more, and so is what is queued. The
// caller closes it.
func NewMemory(o Options) *Memory {
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), memoryBytes)
	s, err := newStore(NewMap(), "memory", o, true)
	if err != nil {
		panic(err) // can't happen: the Map is new, the name is valid
	}
	return &Memory{s}
}

// Close implements Store and releases the memory.
func (m *Memory) Close() error {
	err := m.store.Close()
	return errors.Join(err, m.db.Close())
}
