package natsdb

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow-go/winnow/crawl"
)

// write puts a value, or deletes a key.
type write struct {
	bucket, key string
	value       []byte
	deletes     bool
}

// writes are those of a transaction: of each key the last.
type writes struct {
	list  []write
	index map[[2]string]int
}

func (w *writes) add(one write) {
	if w.index == nil {
		w.index = map[[2]string]int{}
	}
	at := [2]string{one.bucket, one.key}
	if i, ok := w.index[at]; ok {
		w.list[i] = one
		return
	}
	w.index[at] = len(w.list)
	w.list = append(w.list, one)
}

// apply does the writes once more.
func (w *writes) apply(tx crawl.Tx) error {
	for _, one := range w.list {
		if one.deletes {
			if err := tx.Delete(one.bucket, []byte(one.key)); err != nil {
				return err
			}
			continue
		}
		if err := tx.Put(one.bucket, []byte(one.key), one.value); err != nil {
			return err
		}
	}
	return nil
}

// size is about how many bytes they are.
func (w *writes) size() (n int) {
	for _, one := range w.list {
		n += len(one.bucket) + len(one.key) + len(one.value)
	}
	return n
}

// The form of bytes: one that names the form, then zstd of the writes, each of them an operation, bucket, key and, where it puts, value,
// with their lengths before them.
const (
	formZstd = 1

	opPut    = 1
	opDelete = 2

	maxWrites = 2 << 30 // bytes of a set that is read
)

var coders = sync.OnceValues(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}, err error) {
	if c.Encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20)); err != nil {
		return c, err
	}
	c.Decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxWrites))
	return c, err
})

func (w *writes) encode() ([]byte, error) {
	var plain []byte
	for _, one := range w.list {
		op := byte(opPut)
		if one.deletes {
			op = opDelete
		}
		plain = append(plain, op)
		plain = appendText(plain, one.bucket)
		plain = appendText(plain, one.key)
		if !one.deletes {
			plain = appendText(plain, string(one.value))
		}
	}
	c, err := coders()
	if err != nil {
		return nil, err
	}
	return c.EncodeAll(plain, []byte{formZstd}), nil
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// readWrites reads what encode has written. Nothing at all is no writes.
func readWrites(data []byte) (*writes, error) {
	w := &writes{}
	if len(data) == 0 {
		return w, nil
	}
	if data[0] != formZstd {
		return nil, fmt.Errorf("%w: writes of the form %d", ErrVersion, data[0])
	}
	c, err := coders()
	if err != nil {
		return nil, err
	}
	plain, err := c.DecodeAll(data[1:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	for len(plain) > 0 {
		var one write
		if one, plain, err = readWrite(plain); err != nil {
			return nil, err
		}
		w.list = append(w.list, one)
	}
	return w, nil
}

func readWrite(plain []byte) (one write, rest []byte, err error) {
	op := plain[0]
	var bucket, key, value []byte
	ok := op == opPut || op == opDelete
	if bucket, rest, ok = readText(plain[1:], ok); ok {
		key, rest, ok = readText(rest, ok)
	}
	if op == opPut {
		value, rest, ok = readText(rest, ok)
	}
	if !ok {
		return one, nil, fmt.Errorf("%w: a write that ends early, or of no known kind", ErrDamaged)
	}
	return write{string(bucket), string(key), value, op == opDelete}, rest, nil
}

func readText(data []byte, ok bool) (text, rest []byte, found bool) {
	n, size := binary.Uvarint(data)
	if !ok || size <= 0 || n > uint64(len(data)-size) {
		return nil, nil, false
	}
	end := size + int(n)
	return data[size:end:end], data[end:], true
}
