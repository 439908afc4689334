package compound_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
	"github.com/winnow-go/winnow/formats/document/internal/compound/compoundtest"
)

// made is a file of three streams, one of them in a folder.
func made() []byte {
	return compoundtest.File(
		compoundtest.Stream{Path: "WordDocument", Data: bytes.Repeat([]byte("0123456789"), 700)},
		compoundtest.Stream{Path: "in/side", Data: []byte("within")}, compoundtest.Stream{Path: "last", Data: []byte("x")})
}

func TestOpen_givesStreamsAndFolders(t *testing.T) {
	f, err := compound.Open(made())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := f.Root.Stream("worddocument"); err != nil || len(data) != 7000 || !bytes.HasSuffix(data, []byte("789")) {
		t.Errorf("got %d bytes, %v", len(data), err)
	}
	if data, err := f.Root.Storage("in").Stream("side"); err != nil || string(data) != "within" {
		t.Errorf("got %q, %v", data, err)
	}
	if _, err := f.Root.Stream("side"); !errors.Is(err, compound.ErrNoStream) {
		t.Errorf("got %v", err)
	}
}

func TestOpen_aDamagedDirectoryStillGivesItsStreams(t *testing.T) {
	body := made()
	at := bytes.Index(body, []byte("R\x00o\x00o\x00t\x00"))
	binary.LittleEndian.PutUint32(body[at+76:], 77) // the root's child
	f, err := compound.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := f.Root.Stream("side"); err != nil || string(data) != "within" {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestOpen_chainsThatRunInCirclesEnd(t *testing.T) {
	body := made()
	fat := len(body) - 512
	for i := range 14 { // the sectors of the first stream: the last one leads back to the first
		binary.LittleEndian.PutUint32(body[fat+4*i:], uint32(i+1)%14)
	}
	f, err := compound.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := f.Root.Stream("WordDocument"); err != nil || len(data) != 7000 {
		t.Errorf("got %d bytes, %v", len(data), err)
	}
}

func TestKind(t *testing.T) {
	for name, want := range map[string]string{
		"WordDocument": "doc", "Workbook": "xls", "Book": "xls", "PowerPoint Document": "ppt", "EncryptedPackage": "encrypted",
		"__properties_version1.0": "msg", "Other": "", "folder/Workbook": "",
	} {
		body := compoundtest.File(compoundtest.Stream{Path: name, Data: []byte("x")})
		if got := compound.Kind(body); got != want {
			t.Errorf("%s: got %q", name, got)
		}
		binary.LittleEndian.PutUint32(body[48:], 0xFFFF) // the directory can't be found
		if got := compound.Kind(body); got != want && !strings.Contains(name, "/") {
			t.Errorf("%s, damaged: got %q", name, got)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(made())
	f.Fuzz(func(t *testing.T, body []byte) {
		compound.Kind(body)
		file, err := compound.Open(body)
		if err != nil {
			return
		}
		file.Summary()
		for _, name := range []string{"WordDocument", "side", "last"} {
			if data, err := file.Root.Stream(name); err == nil && len(data) > len(body) {
				t.Errorf("%s: %d bytes of %d", name, len(data), len(body))
			}
		}
	})
}
