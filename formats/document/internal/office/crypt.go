package office

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/richardlehane/mscfb"
	"github.com/xuri/excelize/v2"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

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
