package trapsite

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// raced is whether the race detector watches.
var raced bool

// leftToUnraced skips a test under the race detector that has one goroutine and much to compute.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
}
