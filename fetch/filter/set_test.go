package filter

import (
	"strings"
	"testing"
)

// newSet makes a Set of the lines and fails when one of them is skipped.
func newSet(t testing.TB, lines ...string) *Set {
	t.Helper()
	s, err := New(Options{Lists: []List{{Name: "test", Source: strings.NewReader(strings.Join(lines, "\n"))}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, skipped := range s.Reports()[0].Examples {
		t.Fatalf("line skipped: %+v", skipped)
	}
	return s
}
