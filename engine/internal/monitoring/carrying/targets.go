package carrying

import (
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Targets check the targets of a monitor by the rules of what fetches their pages.
type Targets struct {
	// Options checks what must be unset of a target's options, by its number.
	Options func(target int) error
	// Page checks a page of a target, and returns its address in normal form.
	Page func(target int, url string) (string, error)
	// Crawl checks the crawl of a target.
	Crawl func(target int) error
	// Search checks a search of a target.
	Search func(target int, query string) error
	// Named returns an error of those with a prefix before the field that it names.
	Named func(prefix string, err error) error
}

// Check checks a monitor and brings the addresses of its pages into normal form, in place.
func (t Targets) Check(s *monitoring.Spec) error {
	if h := (*jobs.Webhook)(s.Webhook); h != nil {
		if err := h.Validate(); err != nil {
			return err
		}
		if err := h.Fits(monitoring.Kind); err != nil {
			return err
		}
	}
	for i, target := range s.Targets {
		if err := t.check(i, target); err != nil {
			return t.Named(fmt.Sprintf("targets[%d].", i), err)
		}
	}
	return nil
}

func (t Targets) check(i int, target monitoring.Target) (err error) {
	if err := t.Options(i); err != nil {
		return err
	}
	if target.Type == monitor.Crawl {
		return t.Crawl(i)
	}
	for _, query := range target.Queries {
		if err := t.Search(i, query); err != nil {
			return err
		}
	}
	for j := range target.URLs {
		if target.URLs[j], err = t.Page(i, target.URLs[j]); err != nil {
			return err
		}
	}
	return nil
}
