package sample

import (
	"math"
	"slices"
	"testing"
)

func TestScore(t *testing.T) {
	for name, c := range map[string]struct {
		pred, ref             string
		precision, recall, f1 float64
	}{
		"part of it":           {"The cat sat", "the cat sat down", 1, 0.75, 6. / 7},
		"more than it":         {"the cat sat down", "The cat sat", 0.75, 1, 6. / 7},
		"a word twice":         {"tick tick tock", "tick tock tock", 2. / 3, 2. / 3, 2. / 3},
		"order does not count": {"b a", "a b", 1, 1, 1},
		"nothing in common":    {"a b", "c", 0, 0, 0},
		"both empty":           {"", " … ", 1, 1, 1},
		"nothing was expected": {"menu", "", 0, 0, 0},
		"nothing came":         {"", "text", 0, 0, 0},
	} {
		p, r, f1 := Score(c.pred, c.ref)
		if !near(p, c.precision) || !near(r, c.recall) || !near(f1, c.f1) {
			t.Errorf("%s: got %v %v %v, want %v %v %v", name, p, r, f1, c.precision, c.recall, c.f1)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestTokens(t *testing.T) {
	got := Tokens("It's snake_case, 3½ ÄPFEL—日本語!")
	if want := []string{"it", "s", "snake_case", "3½", "äpfel", "日本語"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
