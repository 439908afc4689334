package cache

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// benchPage is about n bytes of text in markup that packs as pages do, about 4 to 1.
func benchPage(seed uint64, n int) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	words := make([]string, 2000)
	for i := range words {
		w := make([]byte, 2+random.IntN(9))
		for j := range w {
			w[j] = "etaoinshrdlucmfw"[min(random.IntN(16), random.IntN(16))]
		}
		words[i] = string(w)
	}
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "<div class=\"item item-%d\"><a href=\"/page/%d\">", random.IntN(9), random.IntN(1_000_000))
		for range 5 + random.IntN(30) {
			b.WriteString(words[min(random.IntN(2000), random.IntN(2000))])
			b.WriteByte(' ')
		}
		b.WriteString("</a></div>\n")
	}
	return b.Bytes()[:n]
}

const (
	benchSize = 100_000
	benchKeys = 100
)

// benchStores are the Stores to be measured.
func benchStores(b *testing.B, run func(b *testing.B, s Store)) {
	b.Run("bolt", func(b *testing.B) {
		s, err := OpenBolt(filepath.Join(b.TempDir(), "cache.db"), FileOptions{}, Options{})
		if err != nil {
			b.Fatal(err)
		}
		run(b, s)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("memory", func(b *testing.B) {
		s := NewMemory(Options{})
		run(b, s)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

// benchBare is bbolt as one would use it without this package.
func benchBare(b *testing.B, run func(b *testing.B, db *bolt.DB)) {
	b.Run("bare", func(b *testing.B) {
		db, err := bolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o600, nil)
		if err != nil {
			b.Fatal(err)
		}
		run(b, db)
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

func barePut(b *testing.B, db *bolt.DB, key, value []byte) {
	err := db.Update(func(tx *bolt.Tx) error {
		bucket, err := tx.CreateBucketIfNotExists([]byte("pages"))
		if err != nil {
			return err
		}
		return bucket.Put(key, value)
	})
	if err != nil {
		b.Fatal(err)
	}
}

func benchFlush(b *testing.B, s Store) {
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPut: pages of 100 KB until they are durable; bare is one transaction each, of bytes as they are.
func BenchmarkPut(b *testing.B) {
	page := benchPage(1, benchSize)
	benchBare(b, func(b *testing.B, db *bolt.DB) {
		b.SetBytes(benchSize)
		for i := 0; b.Loop(); i++ {
			barePut(b, db, fmt.Appendf(nil, "%d", i%(benchKeys*5)), page)
		}
	})
	benchStores(b, func(b *testing.B, s Store) {
		b.SetBytes(benchSize)
		for i := 0; b.Loop(); i++ {
			if err := s.Put(b.Context(), Entry{Key: fmt.Sprint(i % benchKeys), Value: page}, nil); err != nil {
				b.Fatal(err)
			}
		}
		benchFlush(b, s)
	})
}

// BenchmarkPutQueued is what the answer waits for: pages come no faster than they are written.
func BenchmarkPutQueued(b *testing.B) {
	page := benchPage(1, benchSize)
	benchStores(b, func(b *testing.B, s Store) {
		var took time.Duration
		n := 0
		for b.Loop() {
			start := time.Now()
			if err := s.Put(b.Context(), Entry{Key: fmt.Sprint(n % benchKeys), Value: page}, nil); err != nil {
				b.Fatal(err)
			}
			took += time.Since(start)
			if n++; n%20 == 0 {
				benchFlush(b, s)
			}
		}
		b.ReportMetric(float64(took.Nanoseconds())/float64(n), "ns/put")
	})
}

// BenchmarkGet: pages of 100 KB by key; bare copies the bytes as they are.
func BenchmarkGet(b *testing.B) {
	benchBare(b, func(b *testing.B, db *bolt.DB) {
		for i := range benchKeys {
			barePut(b, db, fmt.Append(nil, i), benchPage(uint64(i), benchSize))
		}
		b.SetBytes(benchSize)
		for i := 0; b.Loop(); i++ {
			var value []byte
			err := db.View(func(tx *bolt.Tx) error {
				value = slices.Clone(tx.Bucket([]byte("pages")).Get(fmt.Append(nil, i%benchKeys)))
				return nil
			})
			if err != nil || len(value) != benchSize {
				b.Fatal(len(value), err)
			}
		}
	})
	benchStores(b, func(b *testing.B, s Store) {
		for i := range benchKeys {
			if err := s.Put(b.Context(), Entry{Key: fmt.Sprint(i), Value: benchPage(uint64(i), benchSize)}, nil); err != nil {
				b.Fatal(err)
			}
		}
		benchFlush(b, s)
		b.SetBytes(benchSize)
		for i := 0; b.Loop(); i++ {
			if n := benchGet(b, s, fmt.Sprint(i%benchKeys)); n != benchSize {
				b.Fatal(n)
			}
		}
	})
}

func benchGet(b *testing.B, s Store, key string) int {
	vs, err := s.Versions(b.Context(), key)
	if err != nil || len(vs) == 0 {
		b.Fatal(vs, err)
	}
	value, err := s.Get(b.Context(), vs[0])
	if err != nil {
		b.Fatal(err)
	}
	return len(value)
}

// BenchmarkHundredThousandEntries: 100,000 entries of 2 KiB are put, then read at random.
func BenchmarkHundredThousandEntries(b *testing.B) {
	const n = 100_000
	benchStores(b, func(b *testing.B, s Store) {
		pages := make([][]byte, 50)
		for i := range pages {
			pages[i] = benchPage(uint64(i), 2048)
		}
		start := time.Now()
		for i := range n {
			e := Entry{Key: fmt.Sprintf("https://example.com/section/%d/page-%d", i%97, i), Meta: make([]byte, 200), Value: pages[i%50]}
			if err := s.Put(b.Context(), e, nil); err != nil {
				b.Fatal(err)
			}
		}
		benchFlush(b, s)
		fill := time.Since(start)
		random := rand.New(rand.NewPCG(1, 0))
		var took []time.Duration
		for b.Loop() {
			i := random.IntN(n)
			start := time.Now()
			benchGet(b, s, fmt.Sprintf("https://example.com/section/%d/page-%d", i%97, i))
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		took, p := slices.Clip(took), func(q int) float64 { return float64(took[len(took)*q/100].Nanoseconds()) / 1000 }
		b.ReportMetric(p(50), "p50-µs")
		b.ReportMetric(p(99), "p99-µs")
		b.ReportMetric(n/fill.Seconds(), "filled/s")
		took = nil
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MiB")
		st, err := s.Stats(b.Context())
		if err != nil || st.Versions != n {
			b.Fatal(st, err)
		}
	})
}
