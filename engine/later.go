package engine

import "fmt"

// refuseLater refuses what the service's contract has and this version can't
// honour yet. The order of the rows is the order of the options.
func refuseLater(o ScrapeOptions) error {
	for _, row := range []struct {
		field string
		set   bool
		value any
	}{
		{"onlyCleanContent", o.OnlyCleanContent, true},
	} {
		if row.set {
			return laterField(row.field, row.value)
		}
	}
	return nil
}

func laterField(field string, value any) error {
	return &OptionError{Field: field, Value: value, Want: "unset", Err: fmt.Errorf("%w: %s", ErrNotSupported, field)}
}
