package vectors

import (
	"errors"
	"fmt"
	"slices"
)

// Put adds vectors; those that are there already stay as they are. Either all new ones are in the table, or, with an error, only some.
// A vector of another length than those that are there is [ErrSpace].
func (t *Table) Put(list []Vector) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	list, err := t.added(list)
	if err != nil || len(list) == 0 {
		return err
	}
	if t.dim == 0 {
		if err := t.create(len(list[0].Numbers)); err != nil {
			return errors.Join(err, t.remove())
		}
	}
	return t.changed(func() error { return t.add(list) })
}

// added are those vectors that are not there, each once.
func (t *Table) added(list []Vector) (added []Vector, err error) {
	if t.closed {
		return nil, ErrClosed
	}
	type key struct {
		Page
		Text
	}
	known := map[key]bool{}
	dim := t.dim
	for _, v := range list {
		if dim == 0 {
			dim = len(v.Numbers)
		}
		if n := len(v.Numbers); n != dim || n == 0 || n > MaxDimensions || !isFinite(v.Numbers) || v.Page == (Page{}) {
			return nil, fmt.Errorf("%w: it has %d numbers, want %d", ErrSpace, n, dim)
		}
		if k := (key{v.Page, v.Text}); !known[k] && t.slotOf(v.Page, v.Text) < 0 {
			known[k], added = true, append(added, v)
		}
	}
	if t.slots-len(t.free)+len(added) > t.max {
		return nil, ErrFull
	}
	return added, nil
}

// changed writes with the file not mapped, and maps it again.
func (t *Table) changed(write func() error) error {
	if err := t.unmap(); err != nil {
		return err
	}
	err := write()
	return errors.Join(err, t.sync(), t.remap())
}

// add writes vectors to free slots, and the rest at the end at once.
func (t *Table) add(list []Vector) error {
	for len(list) > 0 && len(t.free) > 0 {
		slot := t.free[len(t.free)-1]
		if err := t.write(slot, appendRecord(nil, list[0])); err != nil {
			return err
		}
		t.free = t.free[:len(t.free)-1]
		t.took(list[0].Page, slot)
		list = list[1:]
	}
	var records []byte
	for _, v := range list {
		records = appendRecord(records, v)
	}
	if err := t.write(t.slots, records); err != nil {
		return err
	}
	for _, v := range list {
		t.slots++
		t.took(v.Page, t.slots-1)
	}
	return nil
}

// took notes whose a slot is.
func (t *Table) took(p Page, slot int) {
	t.pages[p] = append(t.pages[p], slot)
	if t.seen != nil {
		t.seen = append(t.seen, make([]bool, max(0, slot+1-len(t.seen)))...)
		t.seen[slot] = true
	}
}

// Keep removes the vectors of a page but those of these texts.
func (t *Table) Keep(p Page, texts map[Text]bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var gone []int
	for _, slot := range t.pages[p] {
		if !texts[textOf(t.record(slot))] {
			gone = append(gone, slot)
		}
	}
	return t.drop(gone)
}

// drop frees slots.
func (t *Table) drop(gone []int) error {
	if len(gone) == 0 {
		return nil
	}
	pages := make([]Page, len(gone))
	for i, slot := range gone {
		pages[i] = pageOf(t.record(slot))
	}
	zeros := make([]byte, recordSize(t.dim))
	return t.changed(func() error {
		for i, slot := range gone {
			if err := t.write(slot, zeros); err != nil {
				return err
			}
			t.freed(pages[i], slot)
		}
		return nil
	})
}

// freed notes that a slot is free.
func (t *Table) freed(p Page, slot int) {
	t.free = append(t.free, slot)
	rest := slices.DeleteFunc(t.pages[p], func(s int) bool { return s == slot })
	if t.pages[p] = rest; len(rest) == 0 {
		delete(t.pages, p)
	}
}

// Marking finds out which vectors are wanted. One at a time is going on.
type Marking struct{ table *Table }

// Mark begins to mark. Vectors that are added from now on are wanted.
func (t *Table) Mark() Marking {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = make([]bool, t.slots)
	return Marking{t}
}

// Want marks the vector of a text, and reports whether it is there.
func (m Marking) Want(p Page, text Text) bool {
	m.table.mu.Lock()
	defer m.table.mu.Unlock()
	slot := m.table.slotOf(p, text)
	if slot >= 0 && slot < len(m.table.seen) {
		m.table.seen[slot] = true
	}
	return slot >= 0
}

// Sweep removes all that is not wanted, and ends.
func (m Marking) Sweep() error {
	t := m.table
	t.mu.Lock()
	defer t.mu.Unlock()
	var gone []int
	for _, slots := range t.pages {
		for _, slot := range slots {
			if slot < len(t.seen) && !t.seen[slot] {
				gone = append(gone, slot)
			}
		}
	}
	t.seen = nil
	return t.drop(gone)
}

// End ends without removing anything.
func (m Marking) End() {
	m.table.mu.Lock()
	defer m.table.mu.Unlock()
	m.table.seen = nil
}

// Compact makes the file as short as its vectors allow: the last ones move to free places. No marking may be going on.
func (t *Table) Compact() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.free) == 0 {
		return nil
	}
	slices.Sort(t.free)
	moved := map[int][]byte{} // by the slot to go to
	to, live := 0, t.slots-len(t.free)
	isFree := make([]bool, t.slots)
	for _, slot := range t.free {
		isFree[slot] = true
	}
	for slot := live; slot < t.slots; slot++ {
		if !isFree[slot] {
			moved[t.free[to]] = slices.Clone(t.record(slot))
			to++
		}
	}
	return t.changed(func() error { return t.move(moved, live) })
}

// move writes records to their new slots, and cuts the file. A program that ends between leaves them there twice.
func (t *Table) move(moved map[int][]byte, live int) error {
	for slot, record := range moved {
		if err := t.write(slot, record); err != nil {
			return err
		}
	}
	if err := t.sync(); err != nil {
		return err
	}
	t.slots, t.free, t.pages = live, nil, map[Page][]int{}
	if err := errors.Join(t.cut(), t.remap()); err != nil {
		return err
	}
	_, err := t.check()
	return err
}
