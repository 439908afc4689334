// Package option has the error with which the rooms of the engine refuse an option. The engine makes an OptionError of it.
package option

import (
	"fmt"
	"strings"
)

// Error says which option cannot be honoured, and what could be.
type Error struct {
	Field string // in the service's spelling
	Value any
	Want  string
	Err   error // the cause; nil for none
}

func (e *Error) Error() string { return Text(e.Field, e.Value, e.Want, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// maxValue bounds how much of a caller's value an error repeats.
const maxValue = 200

// Text is the message of such an error: field, value and range. A nil value is unknown.
func Text(field string, value any, want string, cause error) string {
	given := ""
	if value != nil {
		given = printable(value) + "; "
	}
	msg := fmt.Sprintf("%s: %swant %s", field, given, want)
	if cause != nil {
		msg += " (" + cause.Error() + ")"
	}
	return msg
}

func printable(v any) string {
	s := fmt.Sprintf("%v", v)
	if str, ok := v.(string); ok {
		s = fmt.Sprintf("%q", str)
	}
	if len(s) > maxValue {
		s = strings.ToValidUTF8(s[:maxValue], "") + "…"
	}
	return s
}
