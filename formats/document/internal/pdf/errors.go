package pdf

import (
	"errors"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// PasswordError means that the file is encrypted and neither the given nor the empty password opens it.
type PasswordError = reader.PasswordError

// ErrNoText means that the pages show only images, read without a Recognizer.
var ErrNoText = errors.New("no text, only images")

// ErrTooLarge means that the file unpacks to more than Options.Unpacked.
var ErrTooLarge = errors.New("PDF unpacks to too much")

// ErrTime means that the time was over before a page was read.
var ErrTime = errors.New("the time was over before a page was read")
