package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// fuzzKey is the key of the rows.
var fuzzKey = []byte("key\x00\x00\x00\x00\x00")

// dictID is that of a dictionary whose row has the same key.
var dictID = binary.BigEndian.Uint64(fuzzKey)

// rowSeeds are rows of all kinds.
func rowSeeds(f *testing.F) {
	f.Helper()
	c, err := newCodec(false)
	if err != nil {
		f.Fatal(err)
	}
	for _, row := range [][]byte{
		{}, seal(fuzzKey, unsealed(0)),
		encodeVersions(string(fuzzKey), nil),
		encodeVersions(string(fuzzKey), []version{{id: 1, stored: -5, size: 9, packed: 7, meta: []byte("m")}, {id: 1 << 60}}),
		encodeAge(fuzzKey, 77, "key"),
		totals{keys: 1, versions: 2, bytes: 3, last: 4}.encode(),
		c.pack(fuzzKey, nil), c.pack(fuzzKey, []byte("short")), c.pack(fuzzKey, bytes.Repeat([]byte("long "), 50_000)), c.pack(fuzzKey, make([]byte, 300_000)),
	} {
		f.Add(row, true)
		f.Add(row, false)
	}
}

// FuzzRows: whatever bytes rows have, also with a right checksum: no panic, and no more memory than they can stand for.
func FuzzRows(f *testing.F) {
	rowSeeds(f)
	c, err := newCodec(false)
	if err != nil {
		f.Fatal(err)
	}
	d, err := newDictionary(dictID, "group", templated("a", 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(d.pack(fuzzKey, templated("a", 2)), false)
	f.Add(d.encode(c), false)
	f.Add(useKey("group", 9), false)
	f.Fuzz(func(t *testing.T, row []byte, sealed bool) {
		if row = bytes.Clone(row); sealed && len(row) >= sealBytes {
			seal(fuzzKey, row)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		vs, err := decodeVersions(string(fuzzKey), row)
		if err == nil && !bytes.Equal(encodeVersions(string(fuzzKey), vs), row) && len(encodeVersions(string(fuzzKey), vs)) >= len(row) {
			t.Errorf("%d versions don't encode to what they came from", len(vs))
		}
		_, _, _ = decodeAge(fuzzKey, row)
		_, _ = decodeTotals(row)
		_, _, _ = decodeAgeKey(row)
		value, _ := c.unpack(fuzzKey, row, d)
		_, _ = decodeDictionary(c, dictID, row)
		_, _, _ = decodeUseKey(row)
		runtime.ReadMemStats(&after)
		// 128 KiB for every 4 bytes is what the format allows; what it came to is in value.
		if n := after.TotalAlloc - before.TotalAlloc; n > uint64(len(row)/4+3)<<17+1<<20+2*uint64(len(value)) {
			t.Errorf("%d bytes took %d of memory", len(row), n)
		}
	})
}

// Some bytes that say that they stand for very many are refused before memory is taken for them.
func TestUnpack_sizeIsBounded(t *testing.T) {
	c, err := newCodec(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []uint64{2 << 20, MaxValue, MaxValue + 1, 1 << 62, 1<<64 - 1} {
		row := binary.AppendUvarint(append(unsealed(20), methodZstd), size)
		row = seal(fuzzKey, append(row, "tiny frame"...))
		want := errSize
		if size > math.MaxInt64 {
			want = errShort
		}
		if _, err := c.unpack(fuzzKey, row, nil); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// FuzzValue: what is packed comes back.
func FuzzValue(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte("text "), 1000))
	plain, err1 := newCodec(true)
	packed, err2 := newCodec(false)
	if err := errors.Join(err1, err2); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		for _, c := range []*codec{plain, packed} {
			got, err := c.unpack(fuzzKey, c.pack(fuzzKey, value), nil)
			if err != nil || !bytes.Equal(got, value) {
				t.Errorf("plain %v: %d bytes came back as %d, %v", c.plain, len(value), len(got), err)
			}
		}
	})
}

// A value that isn't compressed is copied once.
func TestCodec_plainPacksIntoOnePiece(t *testing.T) {
	c, err := newCodec(true)
	if err != nil {
		t.Fatal(err)
	}
	value := bytes.Repeat([]byte("a page of text "), 3000)
	if n := testing.AllocsPerRun(5, func() { c.pack(fuzzKey, value) }); n != 1 {
		t.Errorf("%.0f allocations, want 1", n)
	}
}

// sealMetas gives both meta pages correct checksums, so that what they say counts.
func sealMetas(b []byte) { sealMetasOf(b, os.Getpagesize()) }

func sealMetasOf(b []byte, pageSize int) {
	for _, at := range []int{pageHeader, pageSize + pageHeader} {
		if len(b) >= at+metaBytes {
			sum := fnv.New64a()
			sum.Write(b[at : at+56])
			binary.NativeEndian.PutUint64(b[at+56:], sum.Sum64())
		}
	}
}

// FuzzInspect: whatever a file holds, looking at it before bbolt does neither panics nor reads without end, and what is let pass has its
// root and its free pages inside of the file.
func FuzzInspect(f *testing.F) {
	path := filepath.Join(f.TempDir(), "test.db")
	db, err := OpenFile(path, FileOptions{Kind: "test"})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content[:6*os.Getpagesize()], true)
	f.Add(content[:os.Getpagesize()], false)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, b []byte, sealed bool) {
		if b = bytes.Clone(b); sealed {
			sealMetas(b)
		}
		r, size := bytes.NewReader(b), int64(len(b))
		_ = unborn(r, size)
		if inspect(r, size) != nil {
			return
		}
		m, err := newestMeta(r, size)
		if err != nil || int64(m.high)*m.pageSize > size || m.root >= m.high || m.freelist >= m.high {
			t.Errorf("let pass: %+v of %d bytes, %v", m, size, err)
		}
	})
}
