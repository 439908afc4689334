package sitemap

import (
	"os"
	"testing"
)

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// BenchmarkRead reads 50 000 entries with all fields, the most that one sitemap may have. A second pass that isn't
// timed finds the peak of the heap.
func BenchmarkRead(b *testing.B) {
	whole := func() *repeat { return &repeat{head: openSet, unit: fullEntry, n: DefaultMaxURLs, tail: closeSet} }
	b.ReportAllocs()
	b.SetBytes(int64(len(openSet) + DefaultMaxURLs*len(fullEntry) + len(closeSet)))
	for b.Loop() {
		n := 0
		for item, err := range Read(b.Context(), whole(), base, Limits{}) {
			if n++; err != nil || item.Priority != 0.5 || !item.LastMod.Equal(fullEntryTime) {
				b.Fatalf("%+v, %v", item, err)
			}
		}
		if n != DefaultMaxURLs {
			b.Fatalf("%d URLs", n)
		}
	}
	var peak uint64
	for range Read(b.Context(), &sampled{Reader: whole(), peak: &peak}, base, Limits{}) {
	}
	b.ReportMetric(float64(peak)/1024, "peak-KiB")
}
