package robots

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The matcher holds against the plain translation of patterns into regular expressions.
func TestMatches_likeARegularExpression(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	text := func(alphabet string, most int) string {
		b := make([]byte, random.IntN(most+1))
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(b)
	}
	matched := 0
	for range 20000 {
		pattern, path := "/"+text("ab/**", 8)+strings.Repeat("$", random.IntN(2)), "/"+text("ab/", 10)
		r := newRule(directive{kind: disallow, value: pattern})
		want := asRegexp(pattern).MatchString(path)
		if got := r.matches(newTarget(path)); got != want {
			t.Fatalf("%q on %q: got %v, want %v", pattern, path, got, want)
		}
		if want {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("only %d pairs matched", matched)
	}
}

func asRegexp(pattern string) *regexp.Regexp {
	body, toEnd := strings.CutSuffix(pattern, "$")
	expr := "(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(body), `\*`, ".*")
	if toEnd {
		expr += "$"
	}
	return regexp.MustCompile(expr)
}
