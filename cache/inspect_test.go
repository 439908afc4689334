package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Of two good meta pages the one with the higher transaction counts, wherever it lies; a damaged one doesn't.
func TestInspect_theNewerMetaCounts(t *testing.T) {
	const pageSize = 4096
	page := func(txid uint64) []byte {
		b := make([]byte, pageSize)
		order := binary.NativeEndian
		order.PutUint32(b[16:], metaMagic)
		order.PutUint32(b[20:], metaVersion)
		order.PutUint32(b[24:], pageSize)
		order.PutUint64(b[16+48:], txid)
		return b
	}
	for _, c := range []struct {
		first, second uint64
		damaged       int // which
		want          uint64
	}{{5, 6, -1, 6}, {6, 5, -1, 6}, {5, 6, 1, 5}, {6, 5, 0, 5}, {5, 6, 0, 6}} {
		file := append(page(c.first), page(c.second)...)
		sealMetasOf(file, pageSize)
		if c.damaged >= 0 {
			file[c.damaged*pageSize+16+40]++
		}
		m, err := newestMeta(bytes.NewReader(file), int64(len(file)))
		if err != nil || m.txid != c.want {
			t.Errorf("%+v: %d, %v", c, m.txid, err)
		}
	}
}

// circular is a file with a bucket "b" of many keys, in whose tree one page is found twice.
func circular(t *testing.T) string {
	t.Helper()
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{})
	err := f.Update(func(tx Tx) error {
		for i := range 500 {
			if err := tx.Put("b", fmt.Appendf(nil, "%03d", i), bytes.Repeat([]byte("v"), 100)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mustClose(t, f)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	order := binary.NativeEndian
	for at := 2 * os.Getpagesize(); at < len(content); at += os.Getpagesize() {
		page := content[at : at+os.Getpagesize()]
		if order.Uint16(page[8:]) == flagBranch && order.Uint16(page[10:]) > 4 {
			const element = 16 // position 4, length of the key 4, page 8
			child := order.Uint64(page[pageHeader+8:])
			order.PutUint64(page[pageHeader+3*element+8:], child)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	t.Fatal("the file has no branch page")
	return ""
}

// A tree that leads back to where one was ends with an error, not never, and without filling the disk.
func TestFile_circularTreeEnds(t *testing.T) {
	path := circular(t)
	f := mustOpenFile(t, path, FileOptions{})
	for name, read := range map[string]func(Tx) int{
		"Scan": func(tx Tx) (n int) {
			for range tx.Scan("b", nil) {
				n++
			}
			return n
		},
		"ScanBack": func(tx Tx) (n int) {
			for range tx.ScanBack("b", nil) {
				n++
			}
			return n
		},
	} {
		n := 0
		err := f.View(func(tx Tx) error { n = read(tx); return nil })
		if !errors.As(err, new(*DamagedError)) || !strings.Contains(err.Error(), "order") || n > 500 {
			t.Errorf("%s: %d keys, %v", name, n, err)
		}
	}
	if err := f.Compact(t.Context()); !errors.As(err, new(*DamagedError)) {
		t.Errorf("Compact: %v", err)
	}
	if _, err := os.Stat(path + compactSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is left: %v", err)
	}
	mustClose(t, f)
}
