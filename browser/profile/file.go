package profile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// key names the files of a profile: a hash, so that no name is ever a path, and
// so that a folder's listing reveals no names.
func key(owner, name string) string {
	sum := sha256.Sum256([]byte(owner + "\x00" + name))
	return hex.EncodeToString(sum[:])
}

func (s *Store) path(key, ending string) string { return filepath.Join(s.dir, key+ending) }

// lock is a writer's hold on a file that stays: deleting it would let two writers
// lock two files of one name.
type lock struct{ file *flock.Flock }

func (s *Store) lockFile(ctx context.Context, key string) (*lock, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("profile folder: %w", err)
	}
	f := flock.New(s.path(key, ".lock"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	ok, err := f.TryLockContext(ctx, 20*time.Millisecond)
	if ok {
		return &lock{f}, nil
	}
	f.Close()
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock profile: %w", err)
	}
	return nil, ErrBusy
}

func (l *lock) release() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}

func (s *Store) read(key string) ([]byte, error) {
	path := s.path(key, ".json")
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	defer f.Close()
	state, err := io.ReadAll(io.LimitReader(f, maxState+1))
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	if err := check(state); err != nil {
		return nil, &CorruptError{File: path, Err: err}
	}
	return state, nil
}

// replace writes a new file and renames it over the old one, so that a reader, or
// a crash, sees either whole.
func (s *Store) replace(key string, state []byte) error {
	if _, err := s.read(key); err != nil {
		return err // a damaged profile is for its owner to fix, and not overwritten here
	}
	f, err := os.CreateTemp(s.dir, key+".*.tmp") // with mode 0600
	if err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(state)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return os.Rename(f.Name(), s.path(key, ".json"))
}
