package pdf

import (
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// PasswordError means that the file is encrypted and neither the given nor the empty password opens it.
type PasswordError = reader.PasswordError

// ErrNoText means that the pages show only images, read without a Recognizer.
var ErrNoText = errors.New("no text, only images")

// ErrTooLarge means that the file unpacks to more than Options.Unpacked.
var ErrTooLarge = errors.New("PDF unpacks to too much")

// TimeError means that the file can't be read before the context's deadline.
type TimeError struct {
	Pages        int
	Needed, Left time.Duration
}

func (e *TimeError) Error() string {
	return fmt.Sprintf("%d pages need %s of %s", e.Pages, e.Needed, e.Left)
}
