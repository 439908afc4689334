package cache

import (
	"bytes"
	"encoding/binary"
	"math"
)

// How many values need a dictionary is counted in the transaction that puts or removes them: it is stored with the first and deleted with
// the last, so none is left behind by the end of a process, and none is missing.

// use is what a change adds to the values that need a dictionary.
type use struct {
	key  []byte
	id   uint64
	by   int64
	dict *dictionary // nil: values were removed only
}

// pinned is the count of a dictionary whose row was damaged: it stays until the store is empty.
const pinned = math.MaxInt64 / 2

func (c *change) use(group string, id uint64, by int64, d *dictionary) {
	key := useKey(group, id)
	for _, u := range c.used {
		if bytes.Equal(u.key, key) {
			if u.by += by; d != nil {
				u.dict = d
			}
			return
		}
	}
	c.used = append(c.used, &use{key, id, by, d})
}

// unuse notes that a value is being removed. That of a row that is damaged isn't known.
func (c *change) unuse(key string, row []byte, id uint64) {
	of := dictOf(row)
	group := c.group(key)
	if of == 0 || group == "" {
		return
	}
	if _, err := unseal(idKey(id), row); err == nil {
		c.use(group, of, -1, nil)
	}
}

// settleUses writes the counts. Where no value is left, all dictionaries go.
func (c *change) settleUses() error {
	for _, u := range c.used {
		if err := c.settleUse(u); err != nil {
			return err
		}
	}
	if c.totals.versions > 0 || len(c.used) == 0 {
		return nil
	}
	for _, bucket := range []string{c.uses, c.shared} {
		var keys [][]byte
		for key := range c.tx.Scan(bucket, nil) {
			keys = append(keys, bytes.Clone(key))
		}
		for _, key := range keys {
			if err := c.tx.Delete(bucket, key); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *change) settleUse(u *use) error {
	n := c.countOf(u.key) + u.by
	if n <= 0 {
		c.unused = append(c.unused, u.id)
		if err := c.tx.Delete(c.uses, u.key); err != nil {
			return err
		}
		return c.tx.Delete(c.shared, idKey(u.id))
	}
	if u.dict != nil && c.tx.Get(c.shared, idKey(u.id)) == nil {
		if err := c.tx.Put(c.shared, idKey(u.id), u.dict.row); err != nil {
			return err
		}
	}
	return c.tx.Put(c.uses, u.key, seal(u.key, binary.AppendUvarint(unsealed(binary.MaxVarintLen64), uint64(n))))
}

// countOf is how many values need a dictionary.
func (c *change) countOf(key []byte) int64 {
	row := c.tx.Get(c.uses, key)
	if row == nil {
		return 0
	}
	b, err := unseal(key, row)
	r := &reader{b: b}
	n := r.size()
	if err != nil || r.end() != nil {
		c.corrupt++
		return pinned
	}
	return n
}
