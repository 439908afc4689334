package cache

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// filled puts rows of 100 bytes, ten in a transaction, under numbers in an order, and returns the size of the file in use.
func filled(t *testing.T, order []int) int64 {
	t.Helper()
	db, err := OpenFile(filepath.Join(t.TempDir(), "test.db"), FileOptions{Kind: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for len(order) > 0 {
		n := min(10, len(order))
		err := db.Update(func(tx Tx) error {
			for _, i := range order[:n] {
				if err := tx.Put("rows", binary.BigEndian.AppendUint64(nil, uint64(i)), bytes.Repeat([]byte{byte(i)}, 100)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		order = order[n:]
	}
	total, free, err := db.Size()
	if err != nil {
		t.Fatal(err)
	}
	return total - free
}

// Rows that come in the order of their keys fill their pages; others leave room, and none gets lost.
func TestFile_fillsPagesOfRowsThatComeInOrder(t *testing.T) {
	const n = 3000
	inOrder := make([]int, n)
	for i := range inOrder {
		inOrder[i] = i
	}
	const page = 4096
	content := int64(n * (100 + 8 + 16)) // a row, its key, and bbolt's head of each
	if size := filled(t, inOrder); size > content*12/10+8*page {
		t.Errorf("%d bytes in order take %d", content, size)
	}
	mixed := rand.New(rand.NewPCG(1, 2)).Perm(n)
	if size := filled(t, mixed); size > content*2+8*page {
		t.Errorf("%d bytes in no order take %d", content, size)
	}
}
