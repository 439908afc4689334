package document

import (
	"bytes"
)

// Kind is a kind of file. The empty Kind is unknown.
type Kind string

// The kinds. Those that Convert can't read give an UnsupportedError.
const (
	Unknown Kind = ""
	PDF     Kind = "pdf"
)

// Detect tells what a file is: by its content first, then by its media type, then by its name's extension.
func Detect(in Input) Kind {
	head := in.Body[:min(len(in.Body), 1024)]
	if bytes.Contains(head, []byte("%PDF-")) {
		return PDF
	}
	return Unknown
}
