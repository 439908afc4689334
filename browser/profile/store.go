package profile

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"
)

// MaxName is the maximum length of a profile's name in characters; the minimum is 1.
const MaxName = 128

// maxState bounds a profile; browsers give a site a tenth of that.
const maxState = 64 << 20

var (
	// ErrBusy is returned by Acquire when another writer holds the profile.
	ErrBusy = errors.New("profile is in use by another writer")
	// ErrName is returned by Acquire for a name that does not have 1 to 128 characters.
	ErrName = errors.New("profile name: want 1 to 128 characters")
	// ErrReader is returned by Save of a Hold that was acquired for reading.
	ErrReader = errors.New("profile was opened for reading")
)

// CorruptError means that a profile's file is no browser state. The file is left as it is.
type CorruptError struct {
	File string
	Err  error
}

func (e *CorruptError) Error() string { return fmt.Sprintf("profile %s is damaged: %v", e.File, e.Err) }

func (e *CorruptError) Unwrap() error { return e.Err }

// Store keeps profiles. Safe for concurrent use.
type Store struct {
	dir string

	mu      sync.Mutex
	writing map[string]bool
	memory  map[string][]byte // without a folder
}

// Open returns the store of a folder, which is made when first written; with "" it
// keeps profiles in memory until the process ends.
func Open(dir string) *Store {
	return &Store{dir: dir, writing: map[string]bool{}, memory: map[string][]byte{}}
}

// Hold is a profile in use. Release it.
type Hold struct {
	store *Store
	key   string
	write bool
	lock  *lock
	once  sync.Once
}

// lockWait is how long a writer's lock file is waited for: another process may be
// looking at it for a moment.
const lockWait = 200 * time.Millisecond

// Acquire takes a profile of an owner: for writing there is one at a time, others
// get ErrBusy at once; readers are never refused. A profile that doesn't exist is empty.
func (s *Store) Acquire(ctx context.Context, owner, name string, write bool) (*Hold, error) {
	if n := utf8.RuneCountInString(name); n < 1 || n > MaxName {
		return nil, ErrName
	}
	h := &Hold{store: s, key: key(owner, name), write: write}
	if !write {
		return h, nil
	}
	s.mu.Lock()
	if s.writing[h.key] {
		s.mu.Unlock()
		return nil, ErrBusy
	}
	s.writing[h.key] = true
	s.mu.Unlock()
	if s.dir == "" {
		return h, nil
	}
	var err error
	if h.lock, err = s.lockFile(ctx, h.key); err != nil {
		s.done(h.key)
		return nil, err
	}
	return h, nil
}

func (s *Store) done(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.writing, key)
}

// State returns what was saved last, nil when there is nothing. The error is a
// *CorruptError or the file system's.
func (h *Hold) State() ([]byte, error) {
	if h.store.dir != "" {
		return h.store.read(h.key)
	}
	h.store.mu.Lock()
	defer h.store.mu.Unlock()
	return h.store.memory[h.key], nil
}

// Save replaces the state. It is on disk, whole, when Save returns nil.
func (h *Hold) Save(state []byte) error {
	if !h.write {
		return ErrReader
	}
	if err := check(state); err != nil {
		return err
	}
	if h.store.dir != "" {
		return h.store.replace(h.key, state)
	}
	h.store.mu.Lock()
	defer h.store.mu.Unlock()
	h.store.memory[h.key] = append([]byte(nil), state...)
	return nil
}

// Release releases the profile. It is safe to call more than once.
func (h *Hold) Release() error {
	var err error
	h.once.Do(func() {
		if !h.write {
			return
		}
		err = h.lock.release()
		h.store.done(h.key)
	})
	return err
}
