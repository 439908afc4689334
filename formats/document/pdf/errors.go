package pdf

import (
	"errors"
	"fmt"
	"time"
)

// PasswordError is an encrypted file that the given password, or the empty one, doesn't open.
type PasswordError struct {
	// Given says that there was a password.
	Given bool
}

func (e *PasswordError) Error() string {
	if e.Given {
		return "encrypted PDF: wrong password"
	}
	return "encrypted PDF: needs a password"
}

// ErrNoText is a file whose pages show only images, read without a Recognizer.
var ErrNoText = errors.New("no text, only images")

// ErrTooLarge is a file that unpacks to more than Options.Unpacked.
var ErrTooLarge = errors.New("PDF unpacks to too much")

// TimeError is a file that can't be read before the context's deadline.
type TimeError struct {
	Pages        int
	Needed, Left time.Duration
}

func (e *TimeError) Error() string {
	return fmt.Sprintf("%d pages need %s of %s", e.Pages, e.Needed, e.Left)
}
