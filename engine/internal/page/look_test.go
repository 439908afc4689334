package page

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/formats"
)

func TestBranding_isRefusedWhereNoBrowserCanBeHad(t *testing.T) {
	s := &Acquisition{Request: &Request{Formats: []formats.Format{{Type: formats.Branding}}}}
	missing := &browser.InstallError{}
	if err := s.brandless(missing); !isUnsupported(err, UnsupportedBranding) || !errors.Is(err, missing) {
		t.Errorf("got %v", err)
	}
	if other := errors.New("other"); s.brandless(other) != other {
		t.Error("another failure is not told as it is")
	}
	if s.Request.Formats = nil; s.brandless(missing) != missing {
		t.Error("a scrape without branding is told of it")
	}
}

// A page that can't be read costs the branding only.
func TestBranding_ofAPageThatCannotBeReadIsAWarning(t *testing.T) {
	s := &Acquisition{Request: &Request{}}
	if err := s.unbranded(fmt.Errorf("inspect: %w", browser.ErrUnread)); err != nil || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "There is no branding") {
		t.Errorf("got %v, %q", err, s.Warnings)
	}
	if err := s.unbranded(browser.ErrCrashed); err != browser.ErrCrashed || len(s.Warnings) != 1 {
		t.Errorf("got %v, %q", err, s.Warnings)
	}
}

func isUnsupported(err error, what Unsupported) bool {
	no, ok := errors.AsType[*UnsupportedError](err)
	return ok && no.What == what
}
