// Package option has the error with which the rooms of the engine refuse an option. The engine makes an OptionError of it.
package option

import "fmt"

// Error says which option cannot be honoured, and what could be.
type Error struct {
	Field string // in the service's spelling
	Value any
	Want  string
	Err   error // the cause; nil for none
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v; want %s (%v)", e.Field, e.Value, e.Want, e.Err)
	}
	return fmt.Sprintf("%s: %v; want %s", e.Field, e.Value, e.Want)
}

func (e *Error) Unwrap() error { return e.Err }
