package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

// oleMagic begins a compound file (MS-CFB): an old binary document, or an encrypted new one.
var oleMagic = []byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1}

// streamKinds are streams that only one kind of compound file has.
var streamKinds = []struct{ stream, kind string }{
	{"EncryptedPackage", "encrypted"}, {"WordDocument", "doc"}, {"Workbook", "xls"}, {"Book", "xls"}, {"PowerPoint Document", "ppt"}, {"__properties_version1.0", "msg"},
}

// Places and sizes in a compound file.
const (
	cfbHeader   = 512
	cfbEntry    = 128 // of the directory
	cfbNameSize = 64  // then two bytes with its length
	cfbEnd      = 0xFFFFFFFE
	cfbDifats   = 109 // in the header
)

// ContainerKind returns the kind of a compound file: doc, xls, ppt, msg, or encrypted for a package of Office Open XML under a
// password. It is "" for all others. It looks for the names of streams where entries of the directory can stand.
func ContainerKind(body []byte) string {
	if !bytes.HasPrefix(body, oleMagic) {
		return ""
	}
	for _, s := range streamKinds {
		if hasEntry(body, s.stream) {
			return s.kind
		}
	}
	return ""
}

func hasEntry(body []byte, name string) bool {
	var want []byte
	for _, u := range utf16.Encode([]rune(name + "\x00")) {
		want = binary.LittleEndian.AppendUint16(want, u)
	}
	for at := cfbHeader; ; at++ {
		i := bytes.Index(body[min(at, len(body)):], want)
		if i < 0 {
			return false
		}
		at += i
		if at%cfbEntry == 0 && at+cfbEntry <= len(body) && int(body[at+cfbNameSize]) == len(want) {
			return true
		}
	}
}

var errContainer = errors.New("the container's tables don't fit its size")

// soundContainer checks what the library trusts: counts that it allocates by, and the length of the directory, whose nesting
// costs it the square.
func soundContainer(body []byte) error {
	if len(body) < cfbHeader {
		return errContainer
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(body[at:]) }
	shift := binary.LittleEndian.Uint16(body[30:])
	if shift != 9 && shift != 12 {
		return errContainer
	}
	t := sectors{body, 1 << shift}
	for _, count := range []int{40, 44, 64, 72} { // sectors of the directory, FAT, small FAT, FAT's own table
		if int64(u32(count)) > int64(len(body)/t.size+1) {
			return errContainer
		}
	}
	const limit = 64
	sector := u32(48)
	for n := 0; sector != cfbEnd; n++ {
		next, ok := t.next(sector)
		if !ok || n == limit {
			return errContainer
		}
		sector = next
	}
	return nil
}

// sectors are the equal parts of a compound file.
type sectors struct {
	body []byte
	size int
}

// at is the n-th number in a sector.
func (t sectors) at(sector uint32, n int) (uint32, bool) {
	at := (int64(sector)+1)*int64(t.size) + 4*int64(n)
	if at+4 > int64(len(t.body)) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(t.body[at:]), true
}

// next is the sector that follows another one in its chain.
func (t sectors) next(sector uint32) (uint32, bool) {
	per := t.size / 4
	table, ok := t.fat(int(sector) / per)
	if !ok {
		return 0, false
	}
	return t.at(table, int(sector)%per)
}

// fat is the n-th sector of the FAT: the header lists the first ones, a chain of sectors the others.
func (t sectors) fat(n int) (uint32, bool) {
	if n < cfbDifats {
		return binary.LittleEndian.Uint32(t.body[76+4*n:]), true
	}
	n -= cfbDifats
	per := t.size/4 - 1
	sector, ok := binary.LittleEndian.Uint32(t.body[68:]), true
	for hops := 0; n >= per && ok && hops < len(t.body)/t.size; hops++ {
		sector, ok = t.at(sector, per)
		n -= per
	}
	if !ok || n >= per {
		return 0, false
	}
	return t.at(sector, n)
}
