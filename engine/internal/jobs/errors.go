package jobs

import (
	"errors"
	"fmt"
)

var (
	// ErrNotFound: no job has this id, or it has expired.
	ErrNotFound = errors.New("no job has this id, or it has expired")
	// ErrFinished: the job is completed, failed or cancelled; final states are final,
	// and nothing comes after a job's last event.
	ErrFinished = errors.New("the job has ended")
	// ErrIdempotencyReuse: the owner has used the idempotency key for another request.
	ErrIdempotencyReuse = errors.New("the idempotency key was used for another request")
	// ErrClosed: the Jobs are closed.
	ErrClosed = errors.New("the jobs are closed")
)

// DamagedError says that a row of the store can't be read. Nothing was changed.
type DamagedError struct {
	// Bucket is where the row lies.
	Bucket string
}

func (e *DamagedError) Error() string { return "jobs: damaged row in " + e.Bucket }

// FieldError says which value can't be honoured.
type FieldError struct {
	// Field is the value's name, such as "webhook.events".
	Field string
	// Value is what was given; nil where it is too long, or redacted.
	Value any
	// Want is the accepted form or range.
	Want string
}

func (e *FieldError) Error() string {
	if e.Value == nil {
		return fmt.Sprintf("%s: want %s", e.Field, e.Want)
	}
	return fmt.Sprintf("%s: %v; want %s", e.Field, e.Value, e.Want)
}
