package office

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/richardlehane/mscfb"
	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

// Places and sizes in a compound file.
const (
	cfbHeader = 512
	cfbEnd    = 0xFFFFFFFE
	cfbDifats = 109 // in the header
)

// soundContainer checks what the library trusts: counts that it allocates by, and the length of the directory, whose nesting
// costs it the square.
func soundContainer(body []byte) error {
	if len(body) < cfbHeader {
		return compound.ErrTables
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(body[at:]) }
	shift := binary.LittleEndian.Uint16(body[30:])
	if shift != 9 && shift != 12 {
		return compound.ErrTables
	}
	t := sectors{body, 1 << shift}
	for _, count := range []int{40, 44, 64, 72} { // sectors of the directory, FAT, small FAT, FAT's own table
		if int64(u32(count)) > int64(len(body)/t.size+1) {
			return compound.ErrTables
		}
	}
	const limit = 64
	sector := u32(48)
	for n := 0; sector != cfbEnd; n++ {
		next, ok := t.next(sector)
		if !ok || n == limit {
			return compound.ErrTables
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

// defaultPassword is what office programs encrypt with when a file is only protected against changes (MS-OFFCRYPTO 2.4.2.3).
const defaultPassword = "VelvetSweatshop"

// maxSpins bounds the rounds of hashing that a file may require; office programs use 100,000.
const maxSpins = 1_000_000

var spinCount = regexp.MustCompile(`spinCount="(\d+)"`)

// decrypt opens the container of an encrypted package (MS-OFFCRYPTO). Other files stay as they are.
func (j *job) decrypt(body []byte) (plain []byte, err error) {
	if !bytes.HasPrefix(body, []byte(compound.Magic)) {
		return body, nil
	}
	defer func() { // the libraries index what the file claims
		if p := recover(); p != nil {
			plain, err = nil, &DamagedError{fmt.Errorf("decrypt: %v", p)}
		}
	}()
	if err := checkContainer(body); err != nil {
		return nil, err
	}
	for _, password := range []string{j.o.Password, defaultPassword} {
		plain, err := excelize.Decrypt(body, &excelize.Options{Password: password})
		if err == nil && bytes.HasPrefix(plain, []byte("PK")) {
			return plain, nil
		}
	}
	if j.o.Password == "" {
		return nil, ErrEncrypted
	}
	return nil, ErrPassword
}

// checkContainer refuses containers that would make the library allocate or compute without bound.
func checkContainer(body []byte) error {
	if err := soundContainer(body); err != nil {
		return &DamagedError{err}
	}
	doc, err := mscfb.New(bytes.NewReader(body))
	if err != nil {
		return &DamagedError{err}
	}
	for _, entry := range doc.File {
		if entry.Size < 0 || entry.Size > int64(len(body)) {
			return &DamagedError{fmt.Errorf("a stream claims %d bytes", entry.Size)}
		}
		if entry.Name != "EncryptionInfo" {
			continue
		}
		info, err := io.ReadAll(io.LimitReader(entry, 1<<20))
		if err != nil {
			return &DamagedError{err}
		}
		for _, m := range spinCount.FindAllSubmatch(info, -1) {
			if n, err := strconv.Atoi(string(m[1])); err != nil || n > maxSpins {
				return &DamagedError{fmt.Errorf("%s rounds of hashing", m[1])}
			}
		}
	}
	return nil
}
