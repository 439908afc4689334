package drivetest

import (
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/drive"
)

// Live is a page as drive works on it, and as a replay does.
type Live struct {
	drive.Page
	Actions actions.Page
}

// Hosts that [Open] has to serve.
const (
	Host  = "shop.test"  // where the pages are
	Other = "other.test" // a foreign site
)

// Open opens a fresh page at an http address of [Host]; [Site] answers for both hosts. The page is closed at the test's end.
// No test has more than two open.
type Open func(t *testing.T, address string) Live

// Suite tests what open gives.
func Suite(t *testing.T, open Open) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Open)
	}{
		{"a form is filled and its answer read", fillsAForm},
		{"the steps can be replayed without a model", replays},
		{"frames, shadow trees and tabs", everywhere},
		{"what the page refuses is reported to the model", reportsFailures},
		{"what changes nothing ends", endsLoops},
		{"a long text is read in parts", extracts},
		{"old snapshots leave a small context", fitsContext},
		{"of a large page only what has changed is read again", readsChanges},
		{"a hostile page changes neither goal nor tools", staysOnTask},
		{"other sites are out of reach", staysOnSite},
		{"secrets are typed and never shown", keepsSecrets},
		{"a password that the model types is in no record", keepsPasswords},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}
