package archive

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// maxSpooled is how much of a block is held in memory before it is known whole, in bytes; what is more goes to a temporary file.
const maxSpooled = 1 << 20

// spool is a block whose digest must be known before it can be written. Close it.
type spool struct {
	memory bytes.Buffer
	file   *os.File // nil while memory is enough
	n      int64
	sum    *summing
}

func newSpool() *spool { return &spool{sum: newSumming("sha256")} }

func (s *spool) Write(p []byte) (int, error) {
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

func (s *spool) toFile() (err error) {
	if s.file != nil {
		return nil
	}
	if s.file, err = os.CreateTemp("", "winnow-archive-*"); err != nil {
		return err
	}
	_, err = s.memory.WriteTo(s.file)
	return err
}

// reader reads what was written, once.
func (s *spool) reader() (io.Reader, error) {
	if s.file == nil {
		return &s.memory, nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
