package filter

import (
	"fmt"
	"io"
)

// Options describe what a Set is made of. The zero value makes a Set that blocks and
// hides nothing.
type Options struct {
	// Builtin adds the built-in hosts of trackers and ad servers. They are
	// blocked on other sites' pages only; on their owner's pages they are let through.
	Builtin bool
	// Lists are lists in EasyList syntax, read in order by New.
	Lists []List
	// MaxBytes limits the bytes read of all lists together. Defaults to 64 MiB.
	MaxBytes int64
	// MaxLine limits a line, in bytes; a longer one is skipped. Defaults to 64 KiB.
	MaxLine int
	// MaxRules limits the rules of all lists together, hiding rules included; more
	// are skipped. Defaults to 1,000,000.
	MaxRules int
	// Unseen are types of requests that the caller never passes to Match. Rules that block nothing else are skipped and counted as
	// unsupported options.
	Unseen []Type
}

// List is one list of rules.
type List struct {
	Name   string    // for reports and errors, for example a file name
	Source io.Reader // read to its end by New, and not closed
}

// OptionError is returned for an invalid option.
type OptionError struct {
	Field string // as in Options
	Value any
	Want  string // the valid range
}

// Error names field, value and range.
func (e *OptionError) Error() string {
	return fmt.Sprintf("filter option %s is %v, want %s", e.Field, e.Value, e.Want)
}

const (
	defaultMaxBytes = 64 << 20
	defaultMaxLine  = 64 << 10
	defaultMaxRules = 1_000_000
)

// Set is a set of rules, ready for matching. It never changes and is safe for
// concurrent use.
type Set struct {
	blocks           *index
	importantBlocks  *index
	exceptions       *index
	importantExcepts *index
	pages            *index // exceptions for whole pages: $document, $elemhide…
	reach            reach  // which hosts the exceptions may concern
	wideHosts        []*rule
	suspects         suspects
	hiding           hiding
	reports          []Report
	entities         bool // some rule is for "name.*"
}

// New reads the lists and makes a Set of them. A line that isn't understood is
// skipped and counted, never an error; see [Set.Reports]. The errors are
// *[OptionError] and those of the lists' readers.
func New(o Options) (*Set, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	b := newBuilder(o)
	if o.Builtin {
		b.addBuiltin()
	}
	for _, l := range o.Lists {
		if err := b.addList(l); err != nil {
			return nil, fmt.Errorf("read filter list %q: %w", l.Name, err)
		}
	}
	b.set.suspects.cover = coverOf(b.set.suspects.general)
	return b.set, nil
}

func (o Options) withDefaults() Options {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.MaxLine == 0 {
		o.MaxLine = defaultMaxLine
	}
	if o.MaxRules == 0 {
		o.MaxRules = defaultMaxRules
	}
	return o
}

func (o Options) validate() error {
	if o.MaxBytes < 0 || o.MaxBytes > 1<<40 {
		return &OptionError{"MaxBytes", o.MaxBytes, "0 for the default, to 1 TiB"}
	}
	if o.MaxLine < 0 || o.MaxLine > 16<<20 {
		return &OptionError{"MaxLine", o.MaxLine, "0 for the default, to 16 MiB"}
	}
	if o.MaxRules < 0 || o.MaxRules > 10_000_000 {
		return &OptionError{"MaxRules", o.MaxRules, "0 for the default, to 10,000,000"}
	}
	for i, l := range o.Lists {
		if l.Source == nil {
			return &OptionError{fmt.Sprintf("Lists[%d].Source", i), nil, "a reader"}
		}
	}
	return nil
}
