package page

import "testing"

func TestTokenRecall(t *testing.T) {
	for _, c := range []struct {
		have, want string
		recall     float64
	}{
		{"a b c d", "a b", 1},
		{"a b", "a b c d", 0.5},
		{"a", "a a", 0.5},
		{"", "", 1},
		{"", "a", 0},
	} {
		if got := TokenRecall(c.have, c.want); got != c.recall {
			t.Errorf("TokenRecall(%q, %q) = %v, want %v", c.have, c.want, got, c.recall)
		}
	}
}
