package document

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// UnsupportedError is a file of a kind that can't be read here.
type UnsupportedError struct {
	Kind Kind
	// Advice is what to do about it, in a sentence. May be empty.
	Advice string
}

func (e *UnsupportedError) Error() string {
	kind := e.Kind
	if kind == Unknown {
		kind = "unknown"
	}
	return join(fmt.Sprintf("files of kind %q are not supported", kind), e.Advice)
}

// EncryptedError is a file that needs a password, or another one than was given.
type EncryptedError struct {
	Kind Kind
	// Wrong says that a password was given and doesn't open the file.
	Wrong bool
}

func (e *EncryptedError) Error() string {
	if e.Wrong {
		return fmt.Sprintf("the %s file is encrypted and the password doesn't open it", e.Kind)
	}
	return fmt.Sprintf("the %s file is encrypted and needs a password", e.Kind)
}

// TooLargeError is a file that goes beyond one of the Limits.
type TooLargeError struct {
	// What is the limit's name in lower case: "bytes", "unzipped", "entries", "cells", "pages", "text".
	What  string
	Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the file is too large: more than %d (%s)", e.Limit, e.What)
}

// DamagedError is a file that says it is of a kind and can't be read as such.
type DamagedError struct {
	Kind Kind
	Err  error
}

// Error is one line, whatever the reader of the file has to say: its first line, shortened.
func (e *DamagedError) Error() string {
	why, _, _ := strings.Cut(strings.TrimSpace(fmt.Sprint(e.Err)), "\n")
	if len(why) > maxReason {
		why = strings.ToValidUTF8(why[:maxReason], "") + "…"
	}
	return fmt.Sprintf("damaged %s file: %s", e.Kind, why)
}

// maxReason bounds what a DamagedError repeats of its cause, in bytes.
const maxReason = 200

// errEmpty is the cause of a DamagedError of a file of 0 bytes.
var errEmpty = errors.New("it is empty (0 bytes)")

func (e *DamagedError) Unwrap() error { return e.Err }

// OCRRequiredError is a file whose text is only in images, read without OCR.
type OCRRequiredError struct {
	Kind Kind
	// Pages is how many pages have only images.
	Pages int
	// Err is why OCR failed, nil if there was none to ask.
	Err error
}

func (e *OCRRequiredError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("the %s file has no text, only images, and text recognition failed: %v", e.Kind, e.Err)
	}
	return fmt.Sprintf("the %s file has no text, only images: text recognition (OCR) is needed; install tesseract "+
		"(package tesseract-ocr, and one package per language) or set an OCR", e.Kind)
}

func (e *OCRRequiredError) Unwrap() error { return e.Err }

// TimeError is a file that can't be read in the time left: a page is reckoned at 150 ms.
type TimeError struct {
	Pages  int
	Needed time.Duration
	Left   time.Duration
}

func (e *TimeError) Error() string {
	return fmt.Sprintf("%d pages need about %s, and %s are left; ask for fewer pages (maxPages) or more time",
		e.Pages, e.Needed, e.Left.Round(time.Millisecond))
}

func join(what, advice string) string {
	if advice == "" {
		return what
	}
	return what + ": " + advice
}
