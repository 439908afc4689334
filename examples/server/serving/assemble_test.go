package serving

import (
	"io"
	"log/slog"
	"testing"
)

// The package manager is left alone unless -system is given.
func TestServer_usesThePackageManagerOnlyWhenAskedTo(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, false},
		{[]string{"-system"}, true},
		{[]string{"-system=false"}, false},
	} {
		s, err := parse("server", c.args, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		o, err := s.engineOptions("http://127.0.0.1:3002", slog.New(slog.DiscardHandler))
		if err != nil || o.Browser.System != c.want {
			t.Errorf("%q: System is %v (%v), want %v", c.args, o.Browser.System, err, c.want)
		}
	}
}
