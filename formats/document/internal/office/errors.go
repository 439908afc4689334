package office

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// ErrEncrypted means that the file is encrypted and no password was given, or its kind of encryption is unknown here.
var ErrEncrypted = errors.New("the file is encrypted")

// ErrPassword means that the password doesn't open the file.
var ErrPassword = errors.New("the password doesn't open the file")

// LimitError is returned for a file that exceeds one of the Limits.
type LimitError struct {
	What  string // name of the limit in lower case
	Limit int64
}

func (e *LimitError) Error() string { return fmt.Sprintf("more than %d (%s)", e.Limit, e.What) }

// DamagedError is returned for a file that isn't of the kind it was read as, or too broken to read.
type DamagedError struct{ Err error }

func (e *DamagedError) Error() string { return "damaged file: " + e.Err.Error() }

// Unwrap returns what was wrong.
func (e *DamagedError) Unwrap() error { return e.Err }

// asDamaged wraps an error that has no type of its own.
func asDamaged(err error) error {
	if e, ok := errors.AsType[*xmltree.MemoryError](err); ok {
		return &LimitError{"memory", e.Limit}
	}
	if !partial(err) {
		return err
	}
	return &DamagedError{err}
}

// partial reports an error that says only that some part could not be read.
func partial(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrEncrypted) ||
		errors.Is(err, ErrPassword) {
		return false
	}
	if _, ok := errors.AsType[*DamagedError](err); ok {
		return false
	}
	if _, ok := errors.AsType[*xmltree.MemoryError](err); ok {
		return false
	}
	_, limit := errors.AsType[*LimitError](err)
	return !limit || errors.Is(err, xmltree.ErrLimit)
}
