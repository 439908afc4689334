package pagestore

import (
	"fmt"
	"math"
	"time"

	"github.com/winnow-go/winnow/engine/internal/option"
)

// Ages of the service. A cached page has no upper age under minAge alone.
const (
	DefaultMaxAge  = 48 * time.Hour
	LockdownMaxAge = 2 * 365 * 24 * time.Hour
	AnyAge         = time.Duration(math.MaxInt64)
	anyMinAge      = time.Millisecond // "1 accepts any cached data"
)

// Ages are how old a stored page may be, in the words of a request.
type Ages struct {
	Most, Least *time.Duration // maxAge and minAge; nil where they are not given
	Lockdown    bool
}

// Check refuses ages that contradict each other. Its error is an [option.Error].
func (a Ages) Check() error {
	switch {
	case a.Most != nil && *a.Most < 0:
		return &option.Error{Field: "maxAge", Value: *a.Most, Want: "0 (always fresh) or more"}
	case a.Least != nil && *a.Least < 0:
		return &option.Error{Field: "minAge", Value: *a.Least, Want: "0 or more"}
	case a.Most == nil:
		return nil
	case a.Least != nil && *a.Most < *a.Least:
		return &option.Error{Field: "maxAge", Value: *a.Most, Want: fmt.Sprintf("at least the minAge, %s", *a.Least)}
	case a.Only() && *a.Most == 0:
		return &option.Error{Field: "maxAge", Value: *a.Most, Want: "more than 0 with " + a.OnlyBecause() + ", which serves from the cache"}
	}
	return nil
}

// Only reports that nothing but a stored page will do.
func (a Ages) Only() bool { return a.Lockdown || a.Least != nil }

// OnlyBecause names the option behind Only.
func (a Ages) OnlyBecause() string {
	if a.Lockdown {
		return "lockdown"
	}
	return "minAge"
}

// Max is the age from which a page is too old; 0 is that of any page.
func (a Ages) Max() time.Duration {
	switch {
	case a.Most != nil:
		return *a.Most
	case a.Lockdown:
		return LockdownMaxAge
	case a.Least != nil:
		return AnyAge
	}
	return DefaultMaxAge
}

// Min is the age up to which a page is too fresh; 0 for none.
func (a Ages) Min() time.Duration {
	if a.Least == nil || *a.Least <= anyMinAge {
		return 0
	}
	return *a.Least
}
