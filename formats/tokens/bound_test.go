package tokens

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func ExampleBound() {
	fmt.Println(Bound("The mill grinds barley, oats and 1,200 sacks of wheat."))
	// Output: 17
}

func ExampleCounter() {
	words := Counter(func(text string) int { return len(strings.Fields(text)) })
	fmt.Println(words.Or()("one two three"), Counter(nil).Or()("one two three"))
	// Output: 3 3
}

// The figures are those of js-tiktoken 1.0.21, the greater of cl100k_base and o200k_base; a test of examples/server/serving takes them again.
func TestBound_isNotExceeded(t *testing.T) {
	for text, has := range map[string]int{
		"":            0,
		"a":           1,
		"Hello world": 2,
		"The mill grinds barley, oats and 1,200 sacks of wheat.":                                                 16,
		"## Getting started\n\n- [Install](https://a.example/install)\n- [Run](https://a.example/run?x=1&y=2)\n": 32,
		"| Name | Value |\n| --- | ---: |\n| one | 1 |\n":                                                        17,
		"磨坊位于河边。": 12,
		"iVBORw0KGgoAAAANSUhEUgAAAEgAAABICAYAAABV7bNHAAAACXBIWXMAABYl":                 34,
		"3f2504e0-4f89-11d3-9a0c-0305e82c3301":                                         27,
		"func (c Counter) Or() Counter {\n\tif c == nil {\n\t\treturn Bound\n\t}\n}\n": 21,
	} {
		if n := Bound(text); n < has || n > len(text) {
			t.Errorf("%q: bound %d, want %d to %d", text, n, has, len(text))
		}
	}
}

// What is joined at a line has at most the sum of its parts, so that parts which fit make a whole that fits.
func TestBound_ofWhatIsJoined(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, seed))
	parts := []string{"mill", " ", "  ", "\n", "Word", "x1y2z3", "123", "--", "é", "磨", "**", "|", "."}
	random := func() string {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	for range 10_000 {
		a, b := random()+"\n", random()
		if whole, sum := Bound(a+b), Bound(a)+Bound(b); whole > sum {
			t.Fatalf("seed %d: %q has %d, its parts %d", seed, a+b, whole, sum)
		}
	}
}

func FuzzBound(f *testing.F) {
	f.Add("a B1 \xff\n\n")
	f.Fuzz(func(t *testing.T, s string) {
		if n := Bound(s); n < 0 || n > len(s) || s != "" && n == 0 && strings.TrimSpace(s) != "" {
			t.Errorf("%q: %d", s, n)
		}
	})
}
