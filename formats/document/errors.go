package document

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// UnsupportedError is returned for a file of an unsupported kind.
type UnsupportedError struct {
	Kind Kind
	// Advice is a workaround, in a sentence. May be empty.
	Advice string
}

func (e *UnsupportedError) Error() string {
	kind := e.Kind
	if kind == Unknown {
		kind = "unknown"
	}
	return join(fmt.Sprintf("files of kind %q are not supported", kind), e.Advice)
}

// EncryptedError is returned for a file that needs a password, or a different one.
type EncryptedError struct {
	Kind Kind
	// Wrong reports that a password was given and doesn't open the file.
	Wrong bool
}

func (e *EncryptedError) Error() string {
	if e.Wrong {
		return fmt.Sprintf("the %s file is encrypted and the password doesn't open it", e.Kind)
	}
	return fmt.Sprintf("the %s file is encrypted and needs a password", e.Kind)
}

// TooLargeError is returned for a file that exceeds one of the Limits.
type TooLargeError struct {
	// What is the limit's name in lower case: "bytes", "unzipped", "entries", "cells", "pages", "memory", "text", "pixels".
	What  string
	Limit int64
}

func (e *TooLargeError) Error() string {
	if e.What == "memory" {
		return fmt.Sprintf("the file is too large: reading it takes more than %d bytes of memory, the limit for a file", e.Limit)
	}
	return fmt.Sprintf("the file is too large: more than %d (%s)", e.Limit, e.What)
}

// DamagedError is returned for a file that claims to be of a kind and is not readable as such.
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

// OCRRequiredError is returned for a file whose text is only in images, read without OCR.
type OCRRequiredError struct {
	Kind Kind
	// Pages is how many pages have only images.
	Pages int
	// Err is why OCR failed, nil if there was none.
	Err error
}

func (e *OCRRequiredError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("the %s file has no text, only images, and text recognition failed: %v", e.Kind, e.Err)
	}
	return fmt.Sprintf("the %s file has no text, only images: text recognition (OCR) is needed; install tesseract (Debian, Ubuntu: "+
		"sudo apt-get install -y tesseract-ocr, and one package per language) or set an OCR", e.Kind)
}

func (e *OCRRequiredError) Unwrap() error { return e.Err }

// TimeError is returned for a PDF of which not one page was read before most of the time to the context's deadline was over.
type TimeError struct {
	// After is the time that there was.
	After time.Duration
}

func (e *TimeError) Error() string {
	return fmt.Sprintf("no page of the PDF was read within %s; allow more time", e.After.Round(time.Millisecond))
}

func join(what, advice string) string {
	if advice == "" {
		return what
	}
	return what + ": " + advice
}
