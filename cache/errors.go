package cache

import (
	"errors"
	"fmt"
)

var (
	// ErrLocked: another process, or another engine of this process, has the file open.
	ErrLocked = errors.New("the file is open in another process or engine: close it there or use another folder")
	// ErrReadOnly: the file or its folder is not writable. The system's error is wrapped beside it.
	ErrReadOnly = errors.New("the file is not writable: give this user write permission for it and its folder, or use another folder")
	// ErrUnwritable: the system refuses to write for a reason that may pass. Nothing was changed, and what is stored can be read. The
	// system's error is in the message.
	ErrUnwritable = errors.New("the disk is full, its quota is used up, the file is at its size limit, or the file system is read-only")
	// ErrNotFound: there is no such version (any more).
	ErrNotFound = errors.New("cache: not found")
	// ErrClosed: the DB or Store was closed.
	ErrClosed = errors.New("cache: closed")
	// ErrTooLarge: a key, meta or value beyond its limit, which the message names.
	ErrTooLarge = errors.New("cache: too large")
)

// DamagedError: a file that is unusable: truncated, not a bbolt file, of another kind, or found to be corrupt while in use.
// Nothing is written to it any more; a file that is refused on opening is left untouched.
type DamagedError struct {
	File string
	Err  error // the damage
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("cache: %s is damaged or not a file of this kind: %v; move it away, and a new one is made", e.File, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// SchemaError: the file was written by a newer program. Nothing was written to it.
type SchemaError struct {
	File       string
	Have, Want int // the schema in the file, and the newest that this program knows
}

func (e *SchemaError) Error() string {
	return fmt.Sprintf("cache: %s has schema %d, this program knows up to %d: use the newer program or another folder", e.File, e.Have, e.Want)
}

// CorruptError: a stored entry whose bytes differ from those that were put. Callers treat it as a miss. The message leaves out the key,
// which may hold a private URL.
type CorruptError struct {
	Key string
	Err error
}

func (e *CorruptError) Error() string { return fmt.Sprintf("cache: corrupt entry: %v", e.Err) }

func (e *CorruptError) Unwrap() error { return e.Err }
