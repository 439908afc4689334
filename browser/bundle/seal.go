package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// A bundle ends with a seal: the SHA-256 of all bytes before, in a frame that decoders of Zstandard skip (RFC 8878, 3.1.2). Without it, a
// few bits of the compression could be others and give the same files.
const (
	sealMagic = 0x184d2a5b
	sealSize  = 8 + sha256.Size
)

func sealOf(sum []byte) []byte {
	seal := binary.LittleEndian.AppendUint32(nil, sealMagic)
	seal = binary.LittleEndian.AppendUint32(seal, sha256.Size)
	return append(seal, sum...)
}

// sealed reads a bundle and hashes what it reads.
type sealed struct {
	r           io.Reader
	body, whole hash.Hash
	tail        []byte // the last bytes, at most a seal, which are not in body yet
}

func newSealed(r io.Reader) *sealed { return &sealed{r: r, body: sha256.New(), whole: sha256.New()} }

func (s *sealed) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	_, _ = s.whole.Write(p[:n]) // hashes never fail
	s.tail = append(s.tail, p[:n]...)
	if more := len(s.tail) - sealSize; more > 0 {
		_, _ = s.body.Write(s.tail[:more])
		s.tail = append(s.tail[:0], s.tail[more:]...)
	}
	return n, err
}

// check is for the end: the seal must be that of the bytes before.
func (s *sealed) check() error {
	if !bytes.Equal(s.tail, sealOf(s.body.Sum(nil))) {
		return &CorruptError{"", errors.New("its seal is missing, or that of other bytes")}
	}
	return nil
}

func (s *sealed) sha256() string { return hex.EncodeToString(s.whole.Sum(nil)) }
