package office

import (
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/compound/compoundtest"
)

// The old workbooks here are the new ones, saved as old ones by another program.
func TestXLS_readsWhatXLSXReads(t *testing.T) {
	for _, name := range []string{"testEXCEL_dateFormats", "testEXCEL_hyperlinks"} {
		old, err := os.ReadFile("testdata/golden/" + name + ".xls.html")
		if err != nil {
			t.Fatal(err)
		}
		if recent, err := os.ReadFile("testdata/golden/" + name + ".xlsx.html"); err != nil || string(old) != string(recent) {
			t.Errorf("%s: got\n%s\nwant\n%s\n%v", name, old, recent, err)
		}
	}
}

// oldRecord is a record of a workbook.
func oldRecord(id uint16, body string) string {
	return string(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, id), uint16(len(body)))) + body
}

// oldBook is a workbook of two sheets with a cell each, of which the second is hidden.
func oldBook(global string) []byte {
	const bof = "\x00\x06\x05\x00"
	text := oldRecord(0x809, bof) + oldRecord(0x204, "\x00\x00\x00\x00\x00\x00\x02\x00\x00hi") + oldRecord(0x0A, "")
	head := oldRecord(0x809, bof) + global
	sheet := func(at int, hidden, name string) string {
		return oldRecord(0x85, string(binary.LittleEndian.AppendUint32(nil, uint32(at)))+hidden+"\x00"+string(rune(len(name)))+"\x00"+name)
	}
	start := len(head) + len(sheet(0, "\x00", "Open")) + len(sheet(0, "\x01", "Secret")) + 4
	stream := head + sheet(start, "\x00", "Open") + sheet(start, "\x01", "Secret") + oldRecord(0x0A, "") + text
	return compoundtest.File(compoundtest.Stream{Path: "Workbook", Data: []byte(stream)})
}

func TestXLS_hiddenSheetsAreLeftOutAndNamed(t *testing.T) {
	doc, err := XLS(t.Context(), oldBook(""), Options{})
	if err != nil || squeeze(doc.Body) != "<h2>Open</h2><table><tr><td>hi</td></tr></table>" {
		t.Fatalf("got %s, %v", doc.Body, err)
	}
	if len(doc.Warnings) != 1 || !strings.Contains(doc.Warnings[0], "Secret") {
		t.Errorf("got %q", doc.Warnings)
	}
}

func TestXLS_refusals(t *testing.T) {
	if _, err := XLS(t.Context(), oldBook(oldRecord(0x2F, "\x00\x00")), Options{}); !errors.Is(err, ErrEncrypted) {
		t.Errorf("encrypted: got %v", err)
	}
	_, err := XLS(t.Context(), oldBook(""), Options{Limits: Limits{Memory: 10}})
	if e, ok := errors.AsType[*LimitError](err); !ok || e.What != "memory" {
		t.Errorf("memory: got %v", err)
	}
	doc, err := XLS(t.Context(), oldBook(""), Options{Limits: Limits{Text: 1}})
	if err != nil || len(doc.Warnings) == 0 {
		t.Errorf("text: got %+v, %v", doc, err)
	}
}
