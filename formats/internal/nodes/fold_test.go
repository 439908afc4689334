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
	})
}
