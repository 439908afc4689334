package tracking

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// long is a text of so many paragraphs and as many blank lines. One in every so many
// paragraphs says something else for each variant.
func long(paragraphs, every, variant int) string {
	random := rand.New(rand.NewPCG(1, 0))
	var out strings.Builder
	for i := range paragraphs {
		fmt.Fprintf(&out, "Paragraph %d", i)
		for range 12 {
			out.WriteString(" " + vocabulary[random.IntN(len(vocabulary))])
		}
		if i%every == 0 {
			fmt.Fprintf(&out, " variant %d", variant)
		}
		fmt.Fprintf(&out, " [more](https://a.example/%d?id=%d&utm_source=x).\n\n", i, i)
	}
	return out.String()
}

func BenchmarkSame(b *testing.B) {
	for _, paragraphs := range []int{50, 500, 35_000} {
		a := long(paragraphs, 1000, 0)
		c := strings.ReplaceAll(a, "utm_source=x", "utm_source=y")
		b.Run(fmt.Sprintf("%dkB", len(a)/1000), func(b *testing.B) {
			b.SetBytes(int64(2 * len(a)))
			b.ReportAllocs()
			for b.Loop() {
				if !Same(a, c) {
					b.Fatal("not the same")
				}
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	for _, row := range []struct {
		name       string
		paragraphs int
		every      int
	}{
		{"page", 250, 20},
		{"10000 paragraphs, one in ten", 10_000, 10},
		{"10000 paragraphs, all", 10_000, 1},
		{"at the limit, all", maxLines / 2, 1},
		{"beyond the limit, all", maxLines, 1},
	} {
		previous, current := long(row.paragraphs, row.every, 1), long(row.paragraphs, row.every, 2)
		b.Run(row.name, func(b *testing.B) {
			b.SetBytes(int64(len(previous) + len(current)))
			b.ReportAllocs()
			for b.Loop() {
				if diffOf(previous, current) == "" {
					b.Fatal("no diff")
				}
			}
		})
	}
}
