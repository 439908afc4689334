package render

import (
	"errors"
	"os"
	"sync"
)

// ring keeps packed outputs in a file without a name, the latest so many bytes of them: a crawl puts in one after another, which would be
// most of its memory, and seldom takes one out. Safe for concurrent use.
type ring struct {
	dir  string // "": there is none
	size int64

	mu     sync.Mutex
	file   *os.File
	closed bool
	end    int64 // bytes since the beginning; in the file, modulo its size
}

// place is where a text was put.
type place struct {
	at   int64
	size int
}

var errGone = errors.New("what was kept is not there any more")

// put writes a text over the oldest; false: it has to be kept elsewhere.
func (r *ring) put(text []byte) (p place, kept bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := int64(len(text))
	if n > r.size || !r.open() {
		return p, false
	}
	if rest := r.size - r.end%r.size; n > rest { // it stays in one piece
		r.end += rest
	}
	p = place{r.end, len(text)}
	if _, err := r.file.WriteAt(text, r.end%r.size); err != nil {
		return p, false
	}
	r.end += n
	return p, true
}

// open makes the file when it is first needed. Windows keeps the name of an open file: close removes it there.
func (r *ring) open() bool {
	if r.file != nil || r.dir == "" || r.closed {
		return r.file != nil
	}
	file, err := os.CreateTemp(r.dir, "winnow-outputs-*")
	if err != nil {
		r.dir = "" // which can't be written
		return false
	}
	_ = os.Remove(file.Name())
	r.file = file
	return true
}

// get reads a text that wasn't written over.
func (r *ring) get(p place) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil || p.at+r.size < r.end || p.at >= r.end {
		return nil, errGone
	}
	text := make([]byte, p.size)
	_, err := r.file.ReadAt(text, p.at%r.size)
	return text, err
}

// clear gives back what the file takes. Places from before it are of nothing.
func (r *ring) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end += 2 * r.size
	if r.file != nil {
		_ = r.file.Truncate(0)
	}
}

func (r *ring) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	file := r.file
	if r.file, r.closed = nil, true; file == nil {
		return nil
	}
	return errors.Join(file.Close(), removed(file.Name()))
}

// removed removes a file, which may be gone.
func removed(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
