package biff_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/compound/biff"
)

// rec is a record: numbers are written by their size, texts as they are.
func rec(id uint16, values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case string:
			b = append(b, v...)
		default:
			b, _ = binary.Append(b, binary.LittleEndian, v)
		}
	}
	head := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, id), uint16(len(b)))
	return append(head, b...)
}

// bookOf is a workbook of one sheet. Records before it belong to the workbook.
func bookOf(version uint16, name string, global, cells []byte) []byte {
	bof := rec(0x809, version, uint16(5), uint32(0))
	sheet := func(start uint32) []byte { return rec(0x85, start, uint16(0), uint8(len([]rune(name))), name) }
	if version == 0x600 {
		sheet = func(start uint32) []byte { return rec(0x85, start, uint16(0), uint8(len(name)), uint8(0), name) }
	}
	start := len(bof) + len(global) + len(sheet(0)) + 4
	out := append(append(bof, global...), sheet(uint32(start))...)
	out = append(append(out, rec(0x0A)...), bof...)
	return append(append(out, cells...), rec(0x0A)...)
}

func cellsOf(t *testing.T, stream []byte) []biff.Cell {
	t.Helper()
	b, err := biff.Read(stream, 1<<20)
	if err != nil || len(b.Sheets) != 1 {
		t.Fatalf("got %+v, %v", b, err)
	}
	c, err := b.Content(t.Context(), b.Sheets[0], 100)
	if err != nil {
		t.Fatal(err)
	}
	return c.Cells
}

func TestRead_stringsGoOnInTheNextRecordInAnotherWidth(t *testing.T) {
	global := append(rec(0xFC, uint32(2), uint32(2), uint16(6), uint8(0), "abc"), rec(0x3C, uint8(1), "d\x00\xe9\x00f\x00", uint16(1), uint8(8), uint16(1), "z", uint32(0))...)
	got := cellsOf(t, bookOf(0x600, "S", global, append(rec(0xFD, uint16(3), uint16(1), uint16(0), uint32(0)), rec(0xFD, uint16(3), uint16(2), uint16(0), uint32(1))...)))
	if len(got) != 2 || got[0].Text != "abcdéf" || got[1].Text != "z" || got[0].Row != 3 || got[1].Col != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestContent_storedResultsOfFormulas(t *testing.T) {
	formula := func(col uint16, value ...any) []byte {
		return rec(6, append([]any{uint16(0), col, uint16(0)}, value...)...)
	}
	cells := append(formula(0, uint64(0xFFFF<<48), "formula"), rec(0x207, uint16(4), uint8(0), "text")...)
	cells = append(cells, formula(1, math.Float64bits(2.5), "formula")...)
	cells = append(cells, formula(2, uint64(0xFFFF<<48|1<<16|1), "formula")...)
	cells = append(cells, formula(3, uint64(0xFFFF<<48|0x2A<<16|2), "formula")...)
	got := cellsOf(t, bookOf(0x600, "S", nil, cells))
	if len(got) != 4 || got[0].Text != "text" || got[1].Number != 2.5 || got[2].Kind != biff.Bool || got[2].Number != 1 || got[3].Text != "#N/A" {
		t.Errorf("got %+v", got)
	}
}

func TestContent_numbersOfAllForms(t *testing.T) {
	cells := append(rec(0x27E, uint16(0), uint16(0), uint16(0), uint32(1234<<2|3)), rec(0xBD, uint16(1), uint16(0), uint16(0), int32(-5*4+2), uint16(0), uint32(0x3FF00000), uint16(1))...)
	cells = append(cells, rec(0x203, uint16(2), uint16(0), uint16(0), 0.1)...)
	var got []float64
	for _, c := range cellsOf(t, bookOf(0x600, "S", nil, cells)) {
		got = append(got, c.Number)
	}
	if len(got) != 4 || got[0] != 12.34 || got[1] != -5 || got[2] != 1 || got[3] != 0.1 {
		t.Errorf("got %v", got)
	}
}

func TestRead_olderWorkbooksHaveACodePage(t *testing.T) {
	stream := bookOf(0x500, "\xcb", rec(0x42, uint16(1251)), rec(0x204, uint16(0), uint16(0), uint16(0), uint16(3), "\xec\xe8\xf0"))
	b, err := biff.Read(stream, 1<<20)
	if err != nil || b.Sheets[0].Name != "Л" {
		t.Fatalf("got %+v, %v", b, err)
	}
	if got := cellsOf(t, stream); got[0].Text != "мир" {
		t.Errorf("got %+v", got)
	}
}

func TestRead_refusesWhatItCannotRead(t *testing.T) {
	for want, stream := range map[error][]byte{
		biff.ErrEncrypted: bookOf(0x600, "S", rec(0x2F, uint16(1)), nil), biff.ErrFormat: []byte("no workbook"),
		biff.ErrMemory: bookOf(0x600, "S", rec(0xFC, uint32(1), uint32(1), uint16(8000), uint8(0), strings.Repeat("x", 8000)), nil),
	} {
		if _, err := biff.Read(stream, 5000); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(bookOf(0x600, "S", rec(0xFC, uint32(1), uint32(1), uint16(2), uint8(13), uint16(1), uint32(2), "a\x00b\x00", uint32(0), uint16(0)), rec(0xFD, uint16(0), uint16(0), uint16(0), uint32(0))))
	f.Add(bookOf(0x500, "S", rec(0x41E, uint16(14), uint8(2), "yy"), rec(6, uint16(0), uint16(0), uint16(0), uint64(0xFFFF<<48), "x")))
	f.Fuzz(func(t *testing.T, stream []byte) {
		b, err := biff.Read(stream, 1<<20)
		if err != nil {
			return
		}
		for _, s := range b.Sheets[:min(len(b.Sheets), 5)] {
			if c, err := b.Content(context.Background(), s, 1000); err == nil && len(c.Cells) > 1000 {
				t.Errorf("got %d cells", len(c.Cells))
			}
		}
	})
}
