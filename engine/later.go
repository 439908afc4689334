package engine

import "fmt"

// laterField refuses what the service's contract has and this version can't honour yet.
func laterField(field string, value any) error {
	return &OptionError{Field: field, Value: value, Want: "unset", Err: fmt.Errorf("%w: %s", ErrNotSupported, field)}
}
