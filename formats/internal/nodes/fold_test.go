package nodes

import (
	"strings"
	"testing"
)

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", " ", "a", "a b", " a b", "a  b", "a b ", "a\tb", "a\u00a0b", "a\u3000b", "\u1680", "a\u2028b", "é b", "日本 語", "a\x85b", "a\u0085b", "\v"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Fold(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
		for at := range s { // in two pieces
			if got, want := strings.TrimSuffix(string(AppendFolded(AppendFolded(nil, s[:at]), s[at:])), " "), strings.Join(strings.Fields(s), " "); got != want {
				t.Errorf("%q and %q: got %q, want %q", s[:at], s[at:], got, want)
			}
		}
	})
}
