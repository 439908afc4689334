package scraping

import (
	"fmt"

	"github.com/winnow-go/winnow/formats"
)

// MissError means that the page may only come from the cache, which has none that fits.
type MissError struct{ Lockdown bool } // else it is minAge that forbids fetching

func (e *MissError) Error() string {
	option := "minAge"
	if e.Lockdown {
		option = "lockdown"
	}
	return "no stored page fits the request, and " + option + " fetches none"
}

// NoMediaError means that a page has no medium of a format.
type NoMediaError struct{ Format formats.Type }

func (e *NoMediaError) Error() string { return fmt.Sprintf("the page has no %s", e.Format) }
