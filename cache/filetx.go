package cache

import (
	"bytes"
	"errors"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// fileTx is a transaction of a File.
type fileTx struct {
	tx       *bolt.Tx
	writable bool
	opened   []*openBucket
	// inBolt is set while bbolt's code runs, to know whose a panic is. It stays set when there is one.
	inBolt bool
}

// openBucket saves the search for a bucket's name at each call.
type openBucket struct {
	name string
	b    *bolt.Bucket
	end  ending
}

func (t *fileTx) open(name string) *openBucket {
	for _, o := range t.opened {
		if o.name == name {
			return o
		}
	}
	b := t.tx.Bucket([]byte(name))
	if b == nil {
		return nil
	}
	return t.keep(name, b)
}

func (t *fileTx) keep(name string, b *bolt.Bucket) *openBucket {
	o := &openBucket{name: name, b: b}
	t.opened = append(t.opened, o)
	return o
}

func (t *fileTx) bucket(name string) *bolt.Bucket {
	if o := t.open(name); o != nil {
		return o.b
	}
	return nil
}

// make returns the bucket and makes it when missing.
func (t *fileTx) make(name string) (*openBucket, error) {
	if o := t.open(name); o != nil {
		return o, nil
	}
	b, err := t.tx.CreateBucket([]byte(name))
	if err != nil {
		return nil, err
	}
	return t.keep(name, b), nil
}

func (t *fileTx) Get(bucket string, key []byte) (value []byte) {
	t.inBolt = true
	if b := t.bucket(bucket); b != nil {
		value = b.Get(key)
	}
	t.inBolt = false
	return value
}

func (t *fileTx) Put(bucket string, key, value []byte) error {
	if !t.writable {
		return errWriteInView
	}
	if err := checkPair(bucket, key, value); err != nil {
		return err
	}
	return t.put(bucket, key, value)
}

func (t *fileTx) put(bucket string, key, value []byte) error {
	if value == nil {
		value = []byte{} // bbolt keeps the slice, and Get distinguishes nil from empty
	}
	t.inBolt = true
	o, err := t.make(bucket)
	if err == nil {
		o.end.see(o.b, key)
		err = o.b.Put(key, value)
	}
	t.inBolt = false
	return err
}

func (t *fileTx) Delete(bucket string, key []byte) (err error) {
	if !t.writable {
		return errWriteInView
	}
	t.inBolt = true
	if b := t.bucket(bucket); b != nil {
		err = b.Delete(key)
	}
	t.inBolt = false
	return err
}

func (t *fileTx) Scan(bucket string, from []byte) iter.Seq2[[]byte, []byte] {
	first := func(c *bolt.Cursor) ([]byte, []byte) {
		if len(from) == 0 {
			return c.First()
		}
		return c.Seek(from)
	}
	next := func(c *bolt.Cursor, _ []byte) ([]byte, []byte) { return c.Next() }
	return t.walk(bucket, first, next, 1)
}

func (t *fileTx) ScanBack(bucket string, below []byte) iter.Seq2[[]byte, []byte] {
	first := func(c *bolt.Cursor) ([]byte, []byte) {
		if k, _ := c.First(); k == nil {
			return nil, nil // bbolt's Last never returns when this transaction has emptied all pages
		}
		if len(below) == 0 {
			return c.Last()
		}
		c.Seek(below)
		return t.prev(c, below)
	}
	return t.walk(bucket, first, t.prev, -1)
}

// prev moves to the key before last. bbolt's Prev returns nil at the beginning, and also at each page that this transaction has emptied.
func (t *fileTx) prev(c *bolt.Cursor, last []byte) (k, v []byte) {
	k, v = c.Prev()
	if k != nil || !t.writable {
		return k, v
	}
	first, _ := c.Bucket().Cursor().First()
	for k == nil && first != nil && bytes.Compare(first, last) < 0 {
		k, v = c.Prev()
	}
	return k, v
}

var errOrder = errors.New("keys are not in order")

type (
	firstRow func(*bolt.Cursor) (k, v []byte)
	nextRow  func(c *bolt.Cursor, last []byte) (k, v []byte)
)

// walk visits the rows from first on. Keys must be in order (direction 1: ascending, -1: descending), since a damaged tree can
// have cycles.
func (t *fileTx) walk(bucket string, first firstRow, next nextRow, direction int) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		t.inBolt = true
		b := t.bucket(bucket)
		if b == nil {
			t.inBolt = false
			return
		}
		c := b.Cursor()
		k, v := first(c)
		for k != nil {
			t.inBolt = false
			if !yield(k, v) {
				return
			}
			t.inBolt = true
			last := k
			if k, v = next(c, last); k != nil && bytes.Compare(k, last) != direction {
				panic(errOrder)
			}
		}
		t.inBolt = false
	}
}

func (t *fileTx) Next(bucket string) (n uint64, err error) {
	if !t.writable {
		return 0, errWriteInView
	}
	if err := checkBucket(bucket); err != nil {
		return 0, err
	}
	t.inBolt = true
	o, err := t.make(bucket)
	if err == nil {
		n, err = o.b.NextSequence()
	}
	t.inBolt = false
	return n, err
}
