package noise

import (
	"fmt"
	"strings"
	"testing"
)

// long is a page of some 200 kB, on a day.
func long(n int) Version {
	var out strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&out, "## Card %d\n\nPosted %d days ago · %d views · [more](/card/%d?sid=%d)\n\nThe harbour opens early, and the market closes late; so it was in the year %d already.\n\n", i, n+i%20, i*n, i, n, 1000+i)
	}
	return seen(n, "%s", out.String())
}

func BenchmarkCompare(b *testing.B) {
	before, after := long(1), long(2)
	b.SetBytes(int64(len(before.Text)))
	for b.Loop() {
		Compare(before, after, nil)
	}
}

// Pages that are made to be slow take no longer than others of their length.
func BenchmarkCompareHostile(b *testing.B) {
	for name, unit := range map[string]string{
		"times": "12:34 ", "numbers": "1,234 ", "lines of numbers": "1\n\n", "views": "3 views ", "brackets": "[](", "items": "- 1 a\n", "ago": "1 day 2 days ", "quotes": "`", "ads": "Ad\n\n",
	} {
		b.Run(name, func(b *testing.B) {
			before, after := seen(0, "%s", strings.Repeat(unit, 100_000/len(unit))), seen(1, "%s", "x"+strings.Repeat(unit, 100_000/len(unit)-1)+"y")
			b.SetBytes(int64(len(before.Text)))
			for b.Loop() {
				New().Observe(before, after)
			}
		})
	}
}
