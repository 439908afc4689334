package jobs

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
)

// rowFormat is the first byte of each row. Four more are a checksum (CRC-32C) of the rest, so that a damaged row is
// distinguished from one that says something else.
const rowFormat = 1

const rowHead = 5

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func seal(content []byte) []byte {
	row := make([]byte, rowHead, rowHead+len(content))
	row[0] = rowFormat
	binary.BigEndian.PutUint32(row[1:], crc32.Checksum(content, castagnoli))
	return append(row, content...)
}

// unseal gives the content of a row, which lies in the row itself.
func unseal(bucket string, row []byte) ([]byte, error) {
	if len(row) < rowHead || row[0] != rowFormat {
		return nil, &DamagedError{bucket}
	}
	content := row[rowHead:]
	if binary.BigEndian.Uint32(row[1:]) != crc32.Checksum(content, castagnoli) {
		return nil, &DamagedError{bucket}
	}
	return content, nil
}

func put(tx Tx, bucket string, k []byte, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Put(bucket, k, seal(content))
}

func decode(bucket string, row []byte, v any) error {
	content, err := unseal(bucket, row)
	if err != nil {
		return err
	}
	if json.Unmarshal(content, v) != nil {
		return &DamagedError{bucket}
	}
	return nil
}

// get reads a row into v and reports whether there is one.
func get(tx Tx, bucket string, k []byte, v any) (bool, error) {
	row := tx.Get(bucket, k)
	if row == nil {
		return false, nil
	}
	return true, decode(bucket, row, v)
}

// raw reads a copy of a row's content; nil: there is no row.
func raw(tx Tx, bucket string, k []byte) ([]byte, error) {
	row := tx.Get(bucket, k)
	if row == nil {
		return nil, nil
	}
	content, err := unseal(bucket, row)
	return bytes.Clone(content), err
}
