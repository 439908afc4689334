package archive

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// maxSpooled is how much of a block is held in memory before it is known whole, in bytes; what is more goes to a temporary file.
const maxSpooled = 1 << 20

// Spool is a body that must be known whole before it can be written: up to 1 MiB of it are in memory, and more in a temporary file. It is
// written first and read then. It is for one goroutine. Close it.
type Spool struct {
	memory bytes.Buffer
	file   *os.File // nil while memory is enough
	named  bool     // on systems where an open file keeps its name
	n      int64
	sum    *summing
}

// NewSpool makes an empty Spool.
func NewSpool() *Spool { return &Spool{sum: newSumming("sha256")} }

// Write appends. Its error is that of the temporary file.
func (s *Spool) Write(p []byte) (int, error) {
	_, _ = s.sum.Write(p)
	s.n += int64(len(p))
	if s.file == nil && s.memory.Len()+len(p) <= maxSpooled {
		return s.memory.Write(p)
	}
	if err := s.toFile(); err != nil {
		return 0, err
	}
	return s.file.Write(p)
}

func (s *Spool) toFile() (err error) {
	if s.file != nil {
		return nil
	}
	if s.file, err = os.CreateTemp("", "winnow-archive-*"); err != nil {
		return err
	}
	s.named = os.Remove(s.file.Name()) != nil // so that a program that is killed leaves nothing
	_, err = s.memory.WriteTo(s.file)
	return err
}

// Reader reads what was written, from its beginning. Another call ends what the one before has returned.
func (s *Spool) Reader() (io.Reader, error) {
	if s.file == nil {
		return bytes.NewReader(s.memory.Bytes()), nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

// Close removes the temporary file, if there is one.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
