package cache

import (
	"fmt"
	"strconv"
)

// The bucket and keys that identify a file. No caller can name the bucket.
const markBucket = "\x00file"

var (
	kindKey   = []byte("kind")
	schemaKey = []byte("schema")
)

// mark checks the identity of the file, and writes it into a new one.
func (d *File) mark() error {
	var kind, schema string
	empty := false
	err := d.view(func(t *fileTx) error {
		kind, schema = string(t.Get(markBucket, kindKey)), string(t.Get(markBucket, schemaKey))
		t.inBolt = true
		first, _ := t.tx.Cursor().First()
		t.inBolt = false
		empty = first == nil
		return nil
	})
	if err != nil {
		return err
	}
	if empty {
		return d.writeMark(true)
	}
	if kind != d.o.Kind {
		return &DamagedError{File: d.path, Err: fmt.Errorf("it holds %q, not %q", kind, d.o.Kind)}
	}
	have, err := strconv.Atoi(schema)
	switch {
	case err != nil:
		return &DamagedError{File: d.path, Err: fmt.Errorf("its schema is %q", schema)}
	case have > d.o.Schema:
		return &SchemaError{File: d.path, Have: have, Want: d.o.Schema}
	case have < d.o.Schema:
		return d.writeMark(false)
	}
	return nil
}

func (d *File) writeMark(made bool) error {
	err := d.Update(func(tx Tx) error {
		t := tx.(*fileTx)
		if err := t.put(markBucket, kindKey, []byte(d.o.Kind)); err != nil {
			return err
		}
		return t.put(markBucket, schemaKey, []byte(strconv.Itoa(d.o.Schema)))
	})
	if err != nil || !made {
		return err
	}
	return syncFolder(d.path)
}
