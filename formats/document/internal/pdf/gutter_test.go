package pdf

import "testing"

// Two columns are out of step where their lines stand at other heights; cells in the middle between the lines of others are not.
func TestOutOfStep(t *testing.T) {
	side := func(x, first, pitch float64, n int) (out []word) {
		for i := range n {
			out = append(out, word{text: "word", x0: x, x1: x + 20, base: first + float64(i)*pitch, size: 10})
		}
		return out
	}
	for name, c := range map[string]struct {
		left, right []word
		want        bool
	}{
		"rows":                       {side(0, 100, 16, 8), side(50, 100, 16, 8), false},
		"columns of other distances": {side(0, 100, 12, 10), side(50, 103, 17, 7), true},
		"cells in the middle":        {side(0, 106, 24, 6), side(50, 100, 12, 12), false},
		"two lines beside each cell": {side(0, 106, 24, 6), append(side(50, 100, 24, 6), side(50, 112, 24, 6)...), false},
		"too few lines":              {side(0, 100, 12, 10), side(50, 103, 17, 2), false},
	} {
		bands := bandsOf(&region{words: append(c.left, c.right...)})
		if got := outOfStep(bands, span{25, 45}); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
